// SPDX-License-Identifier: MIT

// Per-target include guard.
#if defined(HEED_KERNELS_ROPE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEED_KERNELS_ROPE_INL_H_
#undef HEED_KERNELS_ROPE_INL_H_
#else
#define HEED_KERNELS_ROPE_INL_H_
#endif

#include <cstddef>

#include "hwy/highway.h"
#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Turns the pairs (x[i], x[i + pairs]) of one head by (cosines[i], sign * sines[i]).
template <class D>
HWY_INLINE void RotateHalves(D d, size_t pairs, const float* cosines, const float* sines,
                             float sign, float* x) {
  const auto turn = hn::Set(d, sign);
  ForVectors(d, pairs, [&](size_t i, auto lanes) HEED_LAMBDA {
    const auto c = lanes.Load(d, cosines + i);
    const auto s = hn::Mul(lanes.Load(d, sines + i), turn);
    const auto a = lanes.Load(d, x + i);
    const auto b = lanes.Load(d, x + pairs + i);
    lanes.Store(d, hn::NegMulAdd(b, s, hn::Mul(a, c)), x + i);
    lanes.Store(d, hn::MulAdd(a, s, hn::Mul(b, c)), x + pairs + i);
  });
}

// The same for the pairs (x[2i], x[2i + 1]).
template <class D>
HWY_INLINE void RotateInterleaved(D d, size_t pairs, const float* cosines, const float* sines,
                                  float sign, float* x) {
  const size_t N = hn::Lanes(d);
  const auto turn = hn::Set(d, sign);
  size_t i = 0;
  for (; i + N <= pairs; i += N) {
    const auto c = hn::LoadU(d, cosines + i);
    const auto s = hn::Mul(hn::LoadU(d, sines + i), turn);
    hn::VFromD<D> a, b;
    hn::LoadInterleaved2(d, x + 2 * i, a, b);
    hn::StoreInterleaved2(hn::NegMulAdd(b, s, hn::Mul(a, c)), hn::MulAdd(a, s, hn::Mul(b, c)), d,
                          x + 2 * i);
  }
  // Pairs of a part of a vector would need two partial loads; below N pairs scalars are as fast.
  for (; i < pairs; ++i) {
    const float a = x[2 * i], b = x[2 * i + 1], s = sines[i] * sign;
    x[2 * i] = a * cosines[i] - b * s;
    x[2 * i + 1] = a * s + b * cosines[i];
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
