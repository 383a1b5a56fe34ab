// SPDX-License-Identifier: MIT
// Copies of the operands in the order in which the register tile reads them.

// Per-target guard: the toggle lets foreach_target.h include this once for every target.
#if defined(HEED_KERNELS_GEMM_PACK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEED_KERNELS_GEMM_PACK_INL_H_
#undef HEED_KERNELS_GEMM_PACK_INL_H_
#else
#define HEED_KERNELS_GEMM_PACK_INL_H_
#endif

#include <cstddef>
#include <cstring>

#include "base/span.h"
#include "hwy/highway.h"
#include "kernels/gemm_tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// dst(i, j) = src(j, i) for a 4 x 4 block; strides in floats. 128-bit vectors on every target: the
// copy is a few percent of a product, and wider transposes differ between targets.
HWY_INLINE void Transpose4x4(const float* HWY_RESTRICT src, size_t src_stride,
                             float* HWY_RESTRICT dst, size_t dst_stride) {
  const hn::FixedTag<float, 4> d;
  const auto row0 = hn::LoadU(d, src);
  const auto row1 = hn::LoadU(d, src + src_stride);
  const auto row2 = hn::LoadU(d, src + 2 * src_stride);
  const auto row3 = hn::LoadU(d, src + 3 * src_stride);
  const auto low01 = hn::InterleaveLower(d, row0, row1);
  const auto low23 = hn::InterleaveLower(d, row2, row3);
  const auto high01 = hn::InterleaveUpper(d, row0, row1);
  const auto high23 = hn::InterleaveUpper(d, row2, row3);
  hn::StoreU(hn::ConcatLowerLower(d, low23, low01), d, dst);
  hn::StoreU(hn::ConcatUpperUpper(d, low23, low01), d, dst + dst_stride);
  hn::StoreU(hn::ConcatLowerLower(d, high23, high01), d, dst + 2 * dst_stride);
  hn::StoreU(hn::ConcatUpperUpper(d, high23, high01), d, dst + 3 * dst_stride);
}

// dst (cols, rows) = src (rows, cols) transposed; dst's rows start dst_stride floats apart.
HWY_INLINE void TransposeInto(const float* HWY_RESTRICT src, size_t src_stride, size_t rows,
                              size_t cols, float* HWY_RESTRICT dst, size_t dst_stride) {
  for (size_t r = 0; r < rows; r += 4) {
    if (r + 4 > rows) {
      if (rows < 4) break;
      r = rows - 4;  // overlaps the block before: cheaper than a row at a time
    }
    const float* from = src + r * src_stride;
    float* to = dst + r;
    size_t c = 0;
    for (; c + 4 <= cols; c += 4) {
      Transpose4x4(from + c, src_stride, to + c * dst_stride, dst_stride);
    }
    for (; c < cols; ++c) {
      for (size_t i = 0; i < 4; ++i) to[c * dst_stride + i] = from[i * src_stride + c];
    }
  }
  if (rows < 4) {
    for (size_t c = 0; c < cols; ++c) {
      for (size_t r = 0; r < rows; ++r) dst[c * dst_stride + r] = src[r * src_stride + c];
    }
  }
}

// Rows [k0, k0 + kc) and columns [col, col + cols) of a: one (kc, tile rows) block for each tile of
// ForEachTile, one after the other. Row by row: a tile's part of one is less than a cache line.
HWY_INLINE void PackColumns(const ConstMatrix& a, size_t k0, size_t kc, size_t col, size_t cols,
                            float* HWY_RESTRICT packed) {
  for (size_t i = 0; i < kc; ++i) {
    const float* from = a.data + (k0 + i) * a.stride + col;
    ForEachTile(cols, [&](auto tile_rows, size_t r) HWY_ATTR {
      constexpr size_t kRows = decltype(tile_rows)::value;
      std::memcpy(packed + r * kc + i * kRows, from + r, kRows * sizeof(float));
    });
  }
}

// One panel of `width` floats a row from columns [col, col + used) of the right operand; columns
// beyond are zero.
HWY_INLINE void PackBPanel(const ConstMatrix& b, bool transposed, size_t k0, size_t kc, size_t col,
                           size_t used, size_t width, float* HWY_RESTRICT packed) {
  if (transposed) {
    TransposeInto(b.data + col * b.stride + k0, b.stride, used, kc, packed, width);
  } else {
    const hn::ScalableTag<float> d;
    const size_t lanes = hn::Lanes(d);
    const float* from = b.data + k0 * b.stride + col;
    if (used == width) {
      for (size_t i = 0; i < kc; ++i) {
        for (size_t v = 0; v < width; v += lanes) {
          hn::StoreU(hn::LoadU(d, from + i * b.stride + v), d, packed + i * width + v);
        }
      }
      return;
    }
    for (size_t i = 0; i < kc; ++i) {
      std::memcpy(packed + i * width, from + i * b.stride, used * sizeof(float));
    }
  }
  if (used == width) return;
  for (size_t i = 0; i < kc; ++i) {
    std::memset(packed + i * width + used, 0, (width - used) * sizeof(float));
  }
}

// Rows of k packed before going to the next panel: those lines of b stay in L1 while all panels
// take their share of them.
inline constexpr size_t kPackBRows = 16;

inline void PackBAll(const ConstMatrix& b, bool transposed, float* HWY_RESTRICT packed) {
  const size_t k = transposed ? b.cols : b.rows;
  const size_t n = transposed ? b.rows : b.cols;
  for (size_t k0 = 0; k0 < k; k0 += kPackBRows) {
    const size_t kc = HWY_MIN(kPackBRows, k - k0);
    ForEachPanel(n, [&](size_t col, size_t used, size_t width) HWY_ATTR {
      PackBPanel(b, transposed, k0, kc, col, used, width, packed + col * k + k0 * width);
    });
  }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#endif  // include guard
