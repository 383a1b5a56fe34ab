// SPDX-License-Identifier: MIT
#include "kernels/gemm.h"

#include "kernels/gemm_blocks.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/gemm.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "kernels/gemm-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace {

void PackBTarget(const ConstMatrix& b, bool transposed, float* packed) {
  PackBAll(b, transposed, packed);
}

void GemmTarget(const ConstMatrix& a, bool transpose_a, const float* packed_b, size_t k,
                const Matrix<float>& c, bool accumulate, const float* bias) {
  if (transpose_a) {
    GemmColumns(a, packed_b, k, c, accumulate, bias);
  } else {
    GemmRows(a, packed_b, k, c, accumulate, bias);
  }
}

}  // namespace
// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>
#include <cstdint>

#include "base/arena.h"

namespace heed {

HWY_EXPORT(PackBTarget);
HWY_EXPORT(GemmTarget);

namespace {

// Lanes of the widest target. Sizes do not depend on the machine, so neither do arenas.
constexpr size_t kWidestLanes = kAlignment / sizeof(float);

size_t RoundUp(size_t n, size_t multiple) { return (n + multiple - 1) / multiple * multiple; }

}  // namespace

size_t PackedBFloats(size_t k, size_t n) { return k * RoundUp(n, kWidestLanes); }

void PackB(ConstMatrix b, Transpose transpose, Span<float> packed) {
  const bool transposed = transpose == Transpose::kYes;
  HEED_DCHECK(packed.size >=
              (transposed ? PackedBFloats(b.cols, b.rows) : PackedBFloats(b.rows, b.cols)));
  HEED_DCHECK(reinterpret_cast<uintptr_t>(packed.data) % kAlignment == 0);
  HWY_DYNAMIC_DISPATCH(PackBTarget)(b, transposed, packed.data);
}

void GemmPacked(ConstMatrix a, Transpose transpose_a, ConstSpan packed_b, size_t k, Matrix<float> c,
                const GemmOptions& options) {
  const bool transposed = transpose_a == Transpose::kYes;
  HEED_DCHECK((transposed ? a.rows : a.cols) == k);
  HEED_DCHECK((transposed ? a.cols : a.rows) == c.rows);
  HEED_DCHECK(packed_b.size >= PackedBFloats(k, c.cols));
  HEED_DCHECK(options.bias.empty() || options.bias.size == c.cols);
  HEED_DCHECK(options.bias.empty() || !options.accumulate);
  HWY_DYNAMIC_DISPATCH(GemmTarget)
  (a, transposed, packed_b.data, k, c, options.accumulate, options.bias.data);
}

void Gemm(ConstMatrix a, Transpose transpose_a, ConstMatrix b, Transpose transpose_b,
          Matrix<float> c, const GemmOptions& options, Span<float> scratch) {
  // A block of k at a time: what has just been packed is then read from L2. Blocks are the kernel's
  // own, so this gives the bits of a product made at once.
  const bool rows_of_k = transpose_b == Transpose::kNo;
  const size_t k = rows_of_k ? b.rows : b.cols;
  GemmOptions now = options;
  for (size_t k0 = 0; k0 == 0 || k0 < k; k0 += kGemmBlockK) {
    const size_t kc = std::min(kGemmBlockK, k - k0);
    PackB(rows_of_k ? b.Rows(k0, kc) : b.Cols(k0, kc), transpose_b, scratch);
    GemmPacked(transpose_a == Transpose::kNo ? a.Cols(k0, kc) : a.Rows(k0, kc), transpose_a,
               scratch, kc, c, now);
    now.accumulate = true;
    now.bias = ConstSpan();
  }
}

}  // namespace heed
#endif  // HWY_ONCE
