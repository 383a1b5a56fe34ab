// SPDX-License-Identifier: MIT

// Per-target include guard.
#if defined(HEED_KERNELS_LION_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEED_KERNELS_LION_INL_H_
#undef HEED_KERNELS_LION_INL_H_
#else
#define HEED_KERNELS_LION_INL_H_
#endif

#include <cstddef>

#include "hwy/highway.h"
#include "kernels/lanes-inl.h"
#include "kernels/lion.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// kDecay == false leaves a parameter without direction bit for bit as it was, -0 included.
template <bool kDecay, class D>
HWY_INLINE void LionVectors(D d, const LionStep& step, size_t n, const float* gradient,
                            float* parameter, float* m) {
  const auto gradient_scale = hn::Set(d, step.gradient_scale);
  const auto decay = hn::Set(d, step.learning_rate * step.weight_decay);
  const auto rate = hn::Set(d, step.learning_rate);
  const auto beta1 = hn::Set(d, step.beta1), new1 = hn::Set(d, 1.0f - step.beta1);
  const auto beta2 = hn::Set(d, step.beta2), new2 = hn::Set(d, 1.0f - step.beta2);
  const auto smallest_normal = hn::Set(d, 0x1p-126f);
  const auto zero = hn::Zero(d), one = hn::Set(d, 1.0f);
  ForVectors(d, n, [&](size_t i, auto lanes) HEED_LAMBDA {
    const auto g = hn::Mul(lanes.Load(d, gradient + i), gradient_scale);
    const auto old = lanes.Load(d, m + i);
    const auto direction = hn::MulAdd(old, beta1, hn::Mul(g, new1));
    // 0 stays 0 and NaN, which compares false, stays NaN.
    const auto sign =
        hn::IfThenElse(hn::Lt(zero, hn::Abs(direction)), hn::CopySign(one, direction), direction);
    auto momentum = hn::MulAdd(old, beta2, hn::Mul(g, new2));
    momentum = hn::IfThenZeroElse(hn::Lt(hn::Abs(momentum), smallest_normal), momentum);
    lanes.Store(d, momentum, m + i);
    auto p = lanes.Load(d, parameter + i);
    if constexpr (kDecay) p = hn::NegMulAdd(decay, p, p);
    lanes.Store(d, hn::NegMulAdd(rate, sign, p), parameter + i);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
