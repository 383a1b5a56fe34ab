// SPDX-License-Identifier: MIT
// Small products that the tiled attention's two directions share: a register tile's rows of queries
// against one packed block of keys.

// Per-target include guard.
#if defined(HEED_KERNELS_ATTENTION_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEED_KERNELS_ATTENTION_TILE_INL_H_
#undef HEED_KERNELS_ATTENTION_TILE_INL_H_
#else
#define HEED_KERNELS_ATTENTION_TILE_INL_H_
#endif

#include <cstddef>

#include "base/span.h"
#include "hwy/highway.h"
#include "kernels/attention_blocks.h"
#include "kernels/gemm_tile-inl.h"
#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

static_assert(kTileRows <= kMaxTileRows);

// dst (kRows, n) = kRows rows of left times a packed right operand (left.cols, packed_n) of at
// least n columns. Whole panels are written: dst's rows have room past n.
template <size_t kRows>
HWY_INLINE void RowsTimesPanels(const ConstMatrix& left, size_t row,
                                const float* HWY_RESTRICT right, size_t packed_n, size_t n,
                                float* HWY_RESTRICT dst) {
  ForEachPanel(packed_n, [&](size_t col, size_t, size_t width) HEED_LAMBDA {
    if (col >= n) return;
    TileTimesPanel<kRows>(left.cols, RowsLeft{left.data + row * left.stride, left.stride},
                          right + col * left.cols, width, width,
                          TileStore{dst + col, kRowStride, nullptr, false});
  });
}

// dst (kRows rows from `row` on, D) = or += weights (kRows, k) times a packed right operand
// (packed_k, D), of which the first k rows count.
template <size_t kRows>
HWY_INLINE void WeightsTimesPanels(const float* HWY_RESTRICT weights, size_t k,
                                   const float* HWY_RESTRICT right, size_t packed_k,
                                   const Matrix<float>& dst, size_t row, bool add) {
  ForEachPanel(dst.cols, [&](size_t col, size_t used, size_t width) HEED_LAMBDA {
    TileTimesPanel<kRows>(k, RowsLeft{weights, kRowStride}, right + col * packed_k, used, width,
                          TileStore{dst.Row(row) + col, dst.stride, nullptr, add});
  });
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
