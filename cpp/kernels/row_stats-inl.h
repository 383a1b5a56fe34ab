// SPDX-License-Identifier: MIT
// Mean and mean square of a row, for the norms.

// Per-target include guard.
#if defined(HEED_KERNELS_ROW_STATS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEED_KERNELS_ROW_STATS_INL_H_
#undef HEED_KERNELS_ROW_STATS_INL_H_
#else
#define HEED_KERNELS_ROW_STATS_INL_H_
#endif

#include <cmath>
#include <cstddef>

#include "hwy/highway.h"
#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Mean of x (n >= 1) as x[0] + mean(x - x[0]): exact for a constant row, which a plain sum is not
// (65 times 0.1f rounds), and accurate for rows far from zero.
template <class D>
HWY_INLINE float Mean(D d, const float* x, size_t n) {
  const float origin = x[0];
  const auto shift = hn::Set(d, origin);
  const float sum = Sum(d, n, [&](size_t i, auto lanes) HEED_LAMBDA {
    return hn::Sub(lanes.Load(d, x + i), shift);
  });
  return origin + sum / static_cast<float>(n);
}

// 1 / sqrt(mean((x - center)^2) + epsilon), n >= 1. Squares overflow f32 from 1.8e19 on; such a row
// is done again, scaled by 2^-96 (any float then squares to at most 1.9e19) and finished in double.
// NaN if an element is NaN; an infinite element gives 0, and 0 times its difference NaN.
template <class D>
HWY_INLINE float ReciprocalDeviation(D d, const float* x, size_t n, float center, float epsilon) {
  const auto shift = hn::Set(d, center);
  const float sum = Sum(d, n, [&](size_t i, auto lanes) HEED_LAMBDA {
    const auto difference = hn::Sub(lanes.Load(d, x + i), shift);
    return hn::Mul(difference, difference);
  });
  if (HWY_LIKELY(!std::isinf(sum))) {
    return 1.0f / std::sqrt(sum / static_cast<float>(n) + epsilon);
  }
  const auto scale = hn::Set(d, 0x1p-96f);
  const float scaled_sum = Sum(d, n, [&](size_t i, auto lanes) HEED_LAMBDA {
    const auto difference = hn::Mul(hn::Sub(lanes.Load(d, x + i), shift), scale);
    return hn::Mul(difference, difference);
  });
  const double mean_square = double{scaled_sum} * 0x1p192 / static_cast<double>(n);
  return static_cast<float>(1.0 / std::sqrt(mean_square + double{epsilon}));
}

}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
