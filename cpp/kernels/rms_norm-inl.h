// SPDX-License-Identifier: MIT

// Per-target include guard.
#if defined(HEED_KERNELS_RMS_NORM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEED_KERNELS_RMS_NORM_INL_H_
#undef HEED_KERNELS_RMS_NORM_INL_H_
#else
#define HEED_KERNELS_RMS_NORM_INL_H_
#endif

#include <cstddef>

#include "hwy/highway.h"
#include "kernels/lanes-inl.h"
#include "kernels/row_stats-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D>
HWY_INLINE void RmsNormRow(D d, size_t n, const float* x, const float* weight, float epsilon,
                           float* y, float& rstd) {
  rstd = ReciprocalDeviation(d, x, n, 0.0f, epsilon);
  const auto factor = hn::Set(d, rstd);
  ForVectors(d, n, [&](size_t i, auto lanes) HEED_LAMBDA {
    const auto normal = hn::Mul(lanes.Load(d, x + i), factor);
    lanes.Store(d, hn::Mul(normal, lanes.Load(d, weight + i)), y + i);
  });
}

// With z = x rstd and g = d_y weight: d_weight += d_y z, d_x = rstd (g - z mean(g z)).
template <class D>
HWY_INLINE void RmsNormRowBackward(D d, size_t n, const float* d_y, const float* x,
                                   const float* weight, float rstd, float* d_x,
                                   float* d_weight) {
  const auto factor = hn::Set(d, rstd);
  auto sum_gz = hn::Zero(d);
  ForVectors(d, n, [&](size_t i, auto lanes) HEED_LAMBDA {
    const auto dy_z = hn::Mul(lanes.Load(d, d_y + i), hn::Mul(lanes.Load(d, x + i), factor));
    sum_gz = hn::MulAdd(dy_z, lanes.Load(d, weight + i), sum_gz);
    lanes.Store(d, hn::Add(dy_z, lanes.Load(d, d_weight + i)), d_weight + i);
  });
  const auto mean_gz = hn::Set(d, hn::ReduceSum(d, sum_gz) / static_cast<float>(n));
  ForVectors(d, n, [&](size_t i, auto lanes) HEED_LAMBDA {
    const auto z = hn::Mul(lanes.Load(d, x + i), factor);
    const auto g = hn::Mul(lanes.Load(d, d_y + i), lanes.Load(d, weight + i));
    lanes.Store(d, hn::Mul(hn::NegMulAdd(z, mean_gz, g), factor), d_x + i);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
