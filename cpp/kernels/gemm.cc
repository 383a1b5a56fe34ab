// SPDX-License-Identifier: MIT
#include "kernels/gemm.h"

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
  HEED_DCHECK(packed.size >= (transposed ? PackedBFloats(b.cols, b.rows)
                                         : PackedBFloats(b.rows, b.cols)));
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
  PackB(b, transpose_b, scratch);
  GemmPacked(a, transpose_a, scratch, transpose_b == Transpose::kYes ? b.cols : b.rows, c, options);
}

}  // namespace heed
#endif  // HWY_ONCE
