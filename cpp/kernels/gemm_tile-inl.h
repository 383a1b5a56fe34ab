// SPDX-License-Identifier: MIT
// The register tile of the matrix product: kRows x kVecs vectors of c stay in registers while k
// runs over two packed operands.

// Per-target guard: the toggle lets foreach_target.h include this once for every target.
#if defined(HEED_KERNELS_GEMM_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEED_KERNELS_GEMM_TILE_INL_H_
#undef HEED_KERNELS_GEMM_TILE_INL_H_
#else
#define HEED_KERNELS_GEMM_TILE_INL_H_
#endif

#include <cstddef>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

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
  const float* bias;  // as many vectors as the tile is wide, or null
  bool add;
};

// a is (k, kRows) and b (k, kVecs * Lanes(d)), both contiguous. Not inlined: within a larger
// function V8's register allocator spills sums (10 % slower).
template <size_t kRows, size_t kVecs, class D>
HWY_NOINLINE void Tile(D d, size_t k, const float* HWY_RESTRICT a, const float* HWY_RESTRICT b,
                     const TileStore& store) {
  using V = hn::Vec<D>;
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
      const V left = hn::Set(d, a[i * kRows + r]);
      HWY_UNROLL(4)
      for (size_t v = 0; v < kVecs; ++v) sum[r][v] = hn::MulAdd(left, right[v], sum[r][v]);
    }
  };
  // Four steps an iteration: V8 checks for interrupts in every iteration of a loop.
  for (; k >= 4; k -= 4) {
    step(0);
    step(1);
    step(2);
    step(3);
    a += 4 * kRows;
    b += 4 * kVecs * lanes;
  }
  for (; k != 0; --k) {
    step(0);
    a += kRows;
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

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#endif  // include guard
