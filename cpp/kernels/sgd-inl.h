// SPDX-License-Identifier: MIT

// Per-target include guard.
#if defined(HEED_KERNELS_SGD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEED_KERNELS_SGD_INL_H_
#undef HEED_KERNELS_SGD_INL_H_
#else
#define HEED_KERNELS_SGD_INL_H_
#endif

#include <cstddef>

#include "hwy/highway.h"
#include "kernels/lanes-inl.h"
#include "kernels/sgd.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// kDecay == false leaves a parameter without gradient bit for bit as it was, -0 included.
template <bool kDecay, class D>
HWY_INLINE void SgdVectors(D d, const SgdStep& step, size_t n, const float* gradient,
                           float* parameter, float* velocity) {
  const auto gradient_scale = hn::Set(d, step.gradient_scale);
  const auto momentum = hn::Set(d, step.momentum);
  const auto decay = hn::Set(d, step.learning_rate * step.weight_decay);
  const auto rate = hn::Set(d, step.learning_rate);
  const auto smallest_normal = hn::Set(d, 0x1p-126f);
  ForVectors(d, n, [&](size_t i, auto lanes) HEED_LAMBDA {
    const auto g = hn::Mul(lanes.Load(d, gradient + i), gradient_scale);
    auto speed = hn::MulAdd(lanes.Load(d, velocity + i), momentum, g);
    // NaN compares false and so stays.
    speed = hn::IfThenZeroElse(hn::Lt(hn::Abs(speed), smallest_normal), speed);
    lanes.Store(d, speed, velocity + i);
    auto p = lanes.Load(d, parameter + i);
    if constexpr (kDecay) p = hn::NegMulAdd(decay, p, p);
    lanes.Store(d, hn::NegMulAdd(rate, speed, p), parameter + i);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
