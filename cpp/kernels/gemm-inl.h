// SPDX-License-Identifier: MIT
// The loops around the register tile: blocks of k, blocks of rows, panels of columns.

// Per-target guard: the toggle lets foreach_target.h include this once for every target.
#if defined(HEED_KERNELS_GEMM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEED_KERNELS_GEMM_INL_H_
#undef HEED_KERNELS_GEMM_INL_H_
#else
#define HEED_KERNELS_GEMM_INL_H_
#endif

#include <cstddef>

#include "base/span.h"
#include "hwy/highway.h"
#include "kernels/gemm.h"
#include "kernels/gemm_pack-inl.h"
#include "kernels/gemm_tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Steps of k between two visits to c: a panel of b of this depth (12 KB with 128-bit vectors) stays
// in L1 while a block of rows passes over it. Sums of blocks are added to c, which also shortens
// the chain of roundings from k to kBlockK + k / kBlockK. Of the register-only peak, 384 cube in V8:
// 128 73 %, 192 80 %, 256 78 %, 384 86 %, 512 81 %.
inline constexpr size_t kBlockK = 384;
// The packed block of rows of a lies on the stack (27 KB), so that GemmPacked needs no scratch.
// Twice that was no faster.
inline constexpr size_t kBlockAFloats = 18 * kBlockK;
static_assert(kBlockAFloats >= kBlockK * kTileRows);

// Rows [row, row + rows) of c += or = a block of a times all panels of b.
HWY_INLINE void BlockTimesPanels(const float* HWY_RESTRICT packed_a, size_t row, size_t rows,
                                 const float* HWY_RESTRICT packed_b, size_t k, size_t k0, size_t kc,
                                 const Matrix<float>& c, const float* bias, bool add) {
  ForEachPanel(c.cols, [&](size_t col, size_t used, size_t width) HWY_ATTR {
    const float* b = packed_b + col * k + k0 * width;
    ForEachTile(rows, [&](auto tile_rows, size_t r) HWY_ATTR {
      constexpr size_t kRows = decltype(tile_rows)::value;
      const float* a = packed_a + r * kc;
      const TileStore store{c.data + (row + r) * c.stride + col, c.stride,
                            bias == nullptr ? nullptr : bias + col, add};
      TileTimesPanel<kRows, 1, kRows>(kc, a, b, used, width, store);
    });
  });
}

inline void GemmBlocks(const ConstMatrix& a, bool transpose_a, const float* HWY_RESTRICT packed_b,
                       size_t k, const Matrix<float>& c, bool accumulate, const float* bias) {
  HWY_ALIGN float packed_a[kBlockAFloats];
  for (size_t k0 = 0; k0 == 0 || k0 < k; k0 += kBlockK) {
    const size_t kc = HWY_MIN(kBlockK, k - k0);
    const size_t most_rows =
        kc == 0 ? c.rows : kBlockAFloats / (kc * kTileRows) * kTileRows;
    for (size_t row = 0; row < c.rows; row += most_rows) {
      const size_t rows = HWY_MIN(most_rows, c.rows - row);
      PackABlock(a, transpose_a, row, rows, k0, kc, packed_a);
      BlockTimesPanels(packed_a, row, rows, packed_b, k, k0, kc, c, k0 == 0 ? bias : nullptr,
                       accumulate || k0 != 0);
    }
  }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#endif  // include guard
