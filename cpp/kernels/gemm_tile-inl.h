// SPDX-License-Identifier: MIT
// The register tile of the matrix product: kRows x kVecs vectors of c stay in registers while k
// runs over the left operand's elements, broadcast, times a packed panel of the right operand.

// Per-target guard: the toggle lets foreach_target.h include this once for every target.
#if defined(HEED_KERNELS_GEMM_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEED_KERNELS_GEMM_TILE_INL_H_
#undef HEED_KERNELS_GEMM_TILE_INL_H_
#else
#define HEED_KERNELS_GEMM_TILE_INL_H_
#endif

#include <cstddef>
#include <type_traits>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

static_assert(!HWY_HAVE_SCALABLE, "tiles are arrays of vectors: disable the SVE and RVV targets");

// Two vectors of the right operand per row of k; wider panels waste more at the right edge (N = 65)
// and narrower ones load more per product. Rows fill the register file: 16 registers hold 6 x 2
// sums, two right vectors and one broadcast. Without fused multiply-add a product needs a register
// too and one is spilled; in V8 6 x 2 still reached 95 % of the register-only peak, 5 x 2 91 % and
// 4 x 2 87 %.
inline constexpr size_t kTileVecs = 2;
#if HWY_REGISTERS >= 32
inline constexpr size_t kTileRows = 12;
#else
inline constexpr size_t kTileRows = 6;
#endif

// Where a finished tile goes: dst = sum + bias, or dst += sum + bias.
struct TileStore {
  float* dst;
  size_t stride;
  const float* bias;  // as many elements as the tile is wide, or null
  bool add;
};

// A left operand whose rows are contiguous, read in place. Packing it first, even though a tile
// then needs one pointer instead of one a row, was 1 to 5 % slower in V8 and 8 to 13 % on cold
// data.
struct RowsLeft {
  const float* data;
  size_t stride;

  template <size_t kRows>
  struct Cursor {
    const float* row[kRows];
    HWY_INLINE explicit Cursor(const RowsLeft& left) {
      HWY_UNROLL(16)
      for (size_t r = 0; r < kRows; ++r) row[r] = left.data + r * left.stride;
    }
    HWY_INLINE float At(size_t r, size_t i) const { return row[r][i]; }
    HWY_INLINE void Advance(size_t steps) {
      HWY_UNROLL(16)
      for (size_t r = 0; r < kRows; ++r) row[r] += steps;
    }
  };
};

// A left operand whose columns are contiguous and kStep floats apart.
template <size_t kStep>
struct ColumnsLeft {
  const float* data;

  template <size_t kRows>
  struct Cursor {
    const float* column;
    HWY_INLINE explicit Cursor(const ColumnsLeft& left) : column(left.data) {}
    HWY_INLINE float At(size_t r, size_t i) const { return column[i * kStep + r]; }
    HWY_INLINE void Advance(size_t steps) { column += steps * kStep; }
  };
};

// b is (k, kVecs * Lanes(d)), contiguous. Not inlined: within a larger function V8's register
// allocator spills sums (10 % slower).
template <size_t kRows, size_t kVecs, class Left, class D>
HWY_NOINLINE void Tile(D d, size_t k, const Left& left, const float* HWY_RESTRICT b,
                       const TileStore& store) {
  using V = hn::Vec<D>;
  typename Left::template Cursor<kRows> a(left);
  const size_t lanes = hn::Lanes(d);
  V sum[kRows][kVecs];
  HWY_UNROLL(16)
  for (size_t r = 0; r < kRows; ++r) {
    HWY_UNROLL(4)
    for (size_t v = 0; v < kVecs; ++v) sum[r][v] = hn::Zero(d);
  }
  const auto step = [&](size_t i) HWY_ATTR {
    V right[kVecs];
    HWY_UNROLL(4)
    for (size_t v = 0; v < kVecs; ++v) right[v] = hn::LoadU(d, b + (i * kVecs + v) * lanes);
    HWY_UNROLL(16)
    for (size_t r = 0; r < kRows; ++r) {
      const V factor = hn::Set(d, a.At(r, i));
      HWY_UNROLL(4)
      for (size_t v = 0; v < kVecs; ++v) sum[r][v] = hn::MulAdd(factor, right[v], sum[r][v]);
    }
  };
  // Four steps an iteration: V8 checks for interrupts in every iteration of a loop.
  for (; k >= 4; k -= 4) {
    step(0);
    step(1);
    step(2);
    step(3);
    a.Advance(4);
    b += 4 * kVecs * lanes;
  }
  for (; k != 0; --k) {
    step(0);
    a.Advance(1);
    b += kVecs * lanes;
  }
  HWY_UNROLL(16)
  for (size_t r = 0; r < kRows; ++r) {
    float* row = store.dst + r * store.stride;
    HWY_UNROLL(4)
    for (size_t v = 0; v < kVecs; ++v) {
      V value = sum[r][v];
      if (store.bias != nullptr) value = hn::Add(value, hn::LoadU(d, store.bias + v * lanes));
      if (store.add) value = hn::Add(hn::LoadU(d, row + v * lanes), value);
      hn::StoreU(value, d, row + v * lanes);
    }
  }
}

// Stores the first `cols` columns of a tile that was made in a buffer, as Tile would.
inline void StoreEdge(const float* HWY_RESTRICT tile, size_t width, size_t rows, size_t cols,
                      const TileStore& store) {
  for (size_t r = 0; r < rows; ++r) {
    float* dst = store.dst + r * store.stride;
    for (size_t j = 0; j < cols; ++j) {
      float value = tile[r * width + j];
      if (store.bias != nullptr) value += store.bias[j];
      dst[j] = store.add ? dst[j] + value : value;
    }
  }
}

// One tile with a panel of `width` floats a row (one or two vectors), of which `used` are columns
// of the result.
template <size_t kRows, class Left>
HWY_INLINE void TileTimesPanel(size_t k, const Left& left, const float* HWY_RESTRICT b, size_t used,
                               size_t width, const TileStore& store) {
  const hn::ScalableTag<float> d;
  HWY_ALIGN float buffer[kRows * kTileVecs * hn::MaxLanes(d)];
  const TileStore whole = used == width ? store : TileStore{buffer, width, nullptr, false};
  if (width == kTileVecs * hn::Lanes(d)) {
    Tile<kRows, kTileVecs>(d, k, left, b, whole);
  } else {
    Tile<kRows, 1>(d, k, left, b, whole);
  }
  if (used != width) StoreEdge(buffer, width, kRows, used, store);
}

// Calls tile(rows, row) for consecutive tiles that cover [0, rows): whole ones, then halvings; the
// first argument is an integral constant.
template <class Function>
HWY_INLINE void ForEachTile(size_t rows, Function&& tile) {
  size_t row = 0;
  for (; row + kTileRows <= rows; row += kTileRows) {
    tile(std::integral_constant<size_t, kTileRows>(), row);
  }
  const size_t left = rows - row;
  if constexpr (kTileRows > 8) {
    if (left & 8) tile(std::integral_constant<size_t, 8>(), row);
    row += left & 8;
  }
  if (left & 4) tile(std::integral_constant<size_t, 4>(), row);
  row += left & 4;
  if (left & 2) tile(std::integral_constant<size_t, 2>(), row);
  row += left & 2;
  if (left & 1) tile(std::integral_constant<size_t, 1>(), row);
}

// Calls panel(col, used, width) for the panels of n columns. The last is as narrow as whole vectors
// allow.
template <class Function>
HWY_INLINE void ForEachPanel(size_t n, Function&& panel) {
  const size_t lanes = hn::Lanes(hn::ScalableTag<float>());
  const size_t width = kTileVecs * lanes;
  size_t col = 0;
  for (; col + width <= n; col += width) panel(col, width, width);
  if (col < n) panel(col, n - col, (n - col + lanes - 1) / lanes * lanes);
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#endif  // include guard
