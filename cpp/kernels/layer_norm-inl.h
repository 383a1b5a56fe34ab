// SPDX-License-Identifier: MIT

// Per-target include guard.
#if defined(HEED_KERNELS_LAYER_NORM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEED_KERNELS_LAYER_NORM_INL_H_
#undef HEED_KERNELS_LAYER_NORM_INL_H_
#else
#define HEED_KERNELS_LAYER_NORM_INL_H_
#endif

#include <cstddef>

#include "hwy/highway.h"
#include "kernels/lanes-inl.h"
#include "kernels/row_stats-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// One row: three passes over n floats that stay in the first-level cache. bias may be null.
template <class D>
HWY_INLINE void LayerNormRow(D d, size_t n, const float* x, const float* weight,
                             const float* bias, float epsilon, float* y, float& mean,
                             float& rstd) {
  mean = Mean(d, x, n);
  rstd = ReciprocalDeviation(d, x, n, mean, epsilon);
  const auto shift = hn::Set(d, mean);
  const auto factor = hn::Set(d, rstd);
  if (bias != nullptr) {
    ForVectors(d, n, [&](size_t i, auto lanes) HEED_LAMBDA {
      const auto normal = hn::Mul(hn::Sub(lanes.Load(d, x + i), shift), factor);
      lanes.Store(d, hn::MulAdd(normal, lanes.Load(d, weight + i), lanes.Load(d, bias + i)),
                  y + i);
    });
  } else {
    ForVectors(d, n, [&](size_t i, auto lanes) HEED_LAMBDA {
      const auto normal = hn::Mul(hn::Sub(lanes.Load(d, x + i), shift), factor);
      lanes.Store(d, hn::Mul(normal, lanes.Load(d, weight + i)), y + i);
    });
  }
}

// With z = (x - mean) rstd and g = d_y weight:
//   d_weight += d_y z, d_bias += d_y, d_x = rstd (g - mean(g) - z mean(g z)).
// d_bias may be null.
template <bool kBias, class D>
HWY_INLINE void LayerNormRowBackward(D d, size_t n, const float* d_y, const float* x,
                                     const float* weight, float mean, float rstd, float* d_x,
                                     float* d_weight, float* d_bias) {
  const auto shift = hn::Set(d, mean);
  const auto factor = hn::Set(d, rstd);
  // One accumulator each: the loads and stores of a step take longer than an addition. Lanes past
  // the end load d_y and weight as 0 and so add 0.
  auto sum_g = hn::Zero(d);
  auto sum_gz = hn::Zero(d);
  ForVectors(d, n, [&](size_t i, auto lanes) HEED_LAMBDA {
    const auto dy = lanes.Load(d, d_y + i);
    const auto z = hn::Mul(hn::Sub(lanes.Load(d, x + i), shift), factor);
    const auto g = hn::Mul(dy, lanes.Load(d, weight + i));
    sum_g = hn::Add(sum_g, g);
    sum_gz = hn::MulAdd(g, z, sum_gz);
    lanes.Store(d, hn::MulAdd(dy, z, lanes.Load(d, d_weight + i)), d_weight + i);
    if constexpr (kBias) {
      lanes.Store(d, hn::Add(dy, lanes.Load(d, d_bias + i)), d_bias + i);
    }
  });
  const float count = static_cast<float>(n);
  const auto mean_g = hn::Set(d, hn::ReduceSum(d, sum_g) / count);
  const auto mean_gz = hn::Set(d, hn::ReduceSum(d, sum_gz) / count);
  ForVectors(d, n, [&](size_t i, auto lanes) HEED_LAMBDA {
    const auto z = hn::Mul(hn::Sub(lanes.Load(d, x + i), shift), factor);
    const auto g = hn::Mul(lanes.Load(d, d_y + i), lanes.Load(d, weight + i));
    const auto centered = hn::NegMulAdd(z, mean_gz, hn::Sub(g, mean_g));
    lanes.Store(d, hn::Mul(centered, factor), d_x + i);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
