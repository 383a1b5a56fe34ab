// SPDX-License-Identifier: MIT
// What the tiled attention's two directions share: blocks of keys, tiles of query rows against them,
// and the packed operands in between.

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
#include "kernels/gemm_pack-inl.h"
#include "kernels/gemm_tile-inl.h"
#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

static_assert(kTileRows <= kMaxTileRows);

// Packs a right operand into whole panels (transposed: op(b) = b^T).
HWY_INLINE float* PackRight(const ConstMatrix& b, bool transposed, float* packed) {
  PackBAll(b, transposed, packed);
  return packed;
}

// Copies kRows rows of x, times factor, in pieces of kKeyBlock columns: piece p holds columns from
// p * kKeyBlock on, its rows kRowStride floats apart.
template <size_t kRows>
HWY_INLINE void CopyLeft(const ConstMatrix& x, size_t row, float factor,
                         float* HWY_RESTRICT left) {
  const hn::ScalableTag<float> d;
  const auto scale = hn::Set(d, factor);
  for (size_t col = 0; col < x.cols; col += kKeyBlock) {
    const size_t cols = HWY_MIN(kKeyBlock, x.cols - col);
    for (size_t r = 0; r < kRows; ++r) {
      const float* from = x.data + (row + r) * x.stride + col;
      float* to = left + col / kKeyBlock * kRows * kRowStride + r * kRowStride;
      ForVectors(d, cols, [&](size_t i, auto lanes) HEED_LAMBDA {
        lanes.Store(d, hn::Mul(lanes.Load(d, from + i), scale), to + i);
      });
    }
  }
}

// dst (kRows, n) = left (kRows, k) times a packed right operand (k, packed_n) of at least n columns.
// Columns from n on up to the end of their panel are written too: dst has room for whole panels.
template <size_t kRows>
HWY_INLINE void LeftTimesPanels(const float* HWY_RESTRICT left, size_t k,
                                const float* HWY_RESTRICT right, size_t packed_n, size_t n,
                                float* HWY_RESTRICT dst) {
  ForEachPanel(packed_n, [&](size_t col, size_t, size_t width) HEED_LAMBDA {
    if (col >= n) return;
    const float* panel = right + col * k;
    for (size_t first = 0; first < k; first += kKeyBlock) {
      TileTimesPanel<kRows, kRowStride, 1>(
          HWY_MIN(kKeyBlock, k - first), left + first / kKeyBlock * kRows * kRowStride,
          panel + first * width, width, width,
          TileStore{dst + col, kRowStride, nullptr, first != 0});
    }
  });
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
