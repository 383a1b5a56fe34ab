// SPDX-License-Identifier: MIT

// Per-target include guard.
#if defined(HEED_KERNELS_ADAMW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEED_KERNELS_ADAMW_INL_H_
#undef HEED_KERNELS_ADAMW_INL_H_
#else
#define HEED_KERNELS_ADAMW_INL_H_
#endif

#include <cmath>
#include <cstddef>

#include "hwy/highway.h"
#include "kernels/adamw.h"
#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// 0 where |x| < limit; NaN compares false and so stays.
template <class D, class V>
HWY_INLINE V ZeroBelow(D d, float limit, V x) {
  return hn::IfThenZeroElse(hn::Lt(hn::Abs(x), hn::Set(d, limit)), x);
}

// kDecay == false leaves a parameter without gradient bit for bit as it was, -0 included.
template <bool kDecay, class D>
HWY_INLINE void AdamWVectors(D d, const AdamWStep& step, size_t n, const float* gradient,
                             float* parameter, float* m, float* v) {
  const auto gradient_scale = hn::Set(d, step.gradient_scale);
  const auto beta1 = hn::Set(d, step.beta1);
  const auto beta2 = hn::Set(d, step.beta2);
  const auto rest1 = hn::Set(d, static_cast<float>(1.0 - double{step.beta1}));
  const auto rest2 = hn::Set(d, static_cast<float>(1.0 - double{step.beta2}));
  const auto decay = hn::Set(d, step.learning_rate * step.weight_decay);
  // (m / c1) / (sqrt(v / c2) + epsilon) with one division and one root an element.
  const auto rate = hn::Set(
      d, static_cast<float>(double{step.learning_rate} / double{step.bias_correction1}));
  const auto root_scale =
      hn::Set(d, static_cast<float>(1.0 / std::sqrt(double{step.bias_correction2})));
  const auto epsilon = hn::Set(d, step.epsilon);
  // The smallest normal float, and the smallest gradient whose square stays normal after
  // (1 - beta2) >= 1e-3. A smaller one moves sqrt(v) by less than 4e-18.
  constexpr float kSmallestNormal = 0x1p-126f;
  constexpr float kSmallestSquared = 0x1p-58f;
  ForVectors(d, n, [&](size_t i, auto lanes) HEED_LAMBDA {
    const auto g = hn::Mul(lanes.Load(d, gradient + i), gradient_scale);
    auto first = hn::MulAdd(lanes.Load(d, m + i), beta1, hn::Mul(g, rest1));
    first = ZeroBelow(d, kSmallestNormal, first);
    lanes.Store(d, first, m + i);
    const auto squared = ZeroBelow(d, kSmallestSquared, g);
    auto second =
        hn::MulAdd(lanes.Load(d, v + i), beta2, hn::Mul(hn::Mul(squared, squared), rest2));
    second = ZeroBelow(d, kSmallestNormal, second);
    lanes.Store(d, second, v + i);
    auto p = lanes.Load(d, parameter + i);
    if constexpr (kDecay) p = hn::NegMulAdd(decay, p, p);
    const auto denominator = hn::MulAdd(hn::Sqrt(second), root_scale, epsilon);
    lanes.Store(d, hn::NegMulAdd(rate, hn::Div(first, denominator), p), parameter + i);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
