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
#include "kernels/gemm_blocks.h"
#include "kernels/gemm_pack-inl.h"
#include "kernels/gemm_tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Elements of the left operand that stay in L1 (27 KB) while all panels of b pass over them. Twice
// that was no faster. A transposed one is packed, on the stack, so that GemmPacked needs no
// scratch.
inline constexpr size_t kBlockFloats = 18 * kGemmBlockK;
static_assert(kBlockFloats >= kGemmBlockK * kTileRows);

// A range of rows of c and of steps of k.
struct GemmBlock {
  size_t row, rows, k0, kc;
};

// Rows of c += or = the left operand's tiles times all panels of b; left(tile_rows, r) gives the
// tile that starts r rows into the block.
template <class LeftTile>
HWY_INLINE void BlockTimesPanels(const GemmBlock& block, LeftTile&& left,
                                 const float* HWY_RESTRICT packed_b, size_t k,
                                 const Matrix<float>& c, const float* bias, bool add) {
  ForEachPanel(c.cols, [&](size_t col, size_t used, size_t width) HWY_ATTR {
    const float* b = packed_b + col * k + block.k0 * width;
    ForEachTile(block.rows, [&](auto tile_rows, size_t r) HWY_ATTR {
      const TileStore store{c.data + (block.row + r) * c.stride + col, c.stride,
                            bias == nullptr ? nullptr : bias + col, add};
      TileTimesPanel<decltype(tile_rows)::value>(block.kc, left(tile_rows, r), b, used, width,
                                                 store);
    });
  });
}

// Calls body(block) for blocks that cover c, all rows for one range of k before the next.
template <class Body>
HWY_INLINE void ForEachBlock(size_t rows, size_t k, Body&& body) {
  for (size_t k0 = 0; k0 == 0 || k0 < k; k0 += kGemmBlockK) {  // once for k == 0: c becomes zeros
    const size_t kc = HWY_MIN(kGemmBlockK, k - k0);
    const size_t most = kc == 0 ? rows : kBlockFloats / (kc * kTileRows) * kTileRows;
    for (size_t row = 0; row < rows; row += most) {
      body(GemmBlock{row, HWY_MIN(most, rows - row), k0, kc});
    }
  }
}

inline void GemmRows(const ConstMatrix& a, const float* HWY_RESTRICT packed_b, size_t k,
                     const Matrix<float>& c, bool accumulate, const float* bias) {
  ForEachBlock(c.rows, k, [&](const GemmBlock& block) HWY_ATTR {
    const float* start = a.data + block.row * a.stride + block.k0;
    BlockTimesPanels(
        block, [&](auto, size_t r) HWY_ATTR { return RowsLeft{start + r * a.stride, a.stride}; },
        packed_b, k, c, block.k0 == 0 ? bias : nullptr, accumulate || block.k0 != 0);
  });
}

// The same with a (K x M).
inline void GemmColumns(const ConstMatrix& a, const float* HWY_RESTRICT packed_b, size_t k,
                        const Matrix<float>& c, bool accumulate, const float* bias) {
  HWY_ALIGN float packed[kBlockFloats];
  ForEachBlock(c.rows, k, [&](const GemmBlock& block) HWY_ATTR {
    PackColumns(a, block.k0, block.kc, block.row, block.rows, packed);
    BlockTimesPanels(
        block,
        [&](auto tile_rows, size_t r)
            HWY_ATTR { return ColumnsLeft<decltype(tile_rows)::value>{packed + r * block.kc}; },
        packed_b, k, c, block.k0 == 0 ? bias : nullptr, accumulate || block.k0 != 0);
  });
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#endif  // include guard
