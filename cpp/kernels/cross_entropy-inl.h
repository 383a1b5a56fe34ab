// SPDX-License-Identifier: MIT

// Per-target include guard.
#if defined(HEED_KERNELS_CROSS_ENTROPY_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEED_KERNELS_CROSS_ENTROPY_INL_H_
#undef HEED_KERNELS_CROSS_ENTROPY_INL_H_
#else
#define HEED_KERNELS_CROSS_ENTROPY_INL_H_
#endif

#include <cmath>
#include <cstddef>

#include "hwy/highway.h"
#include "kernels/lanes-inl.h"
#include "kernels/math-inl.h"
#include "kernels/reduce-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Sum of exp(x - max); kKeep also replaces x by the terms. Blocks of 1024 are summed in f32 and
// added in f64, so that the error does not grow with a vocabulary of 50,000. A NaN anywhere makes
// the sum NaN although the maximum leaves it out: its own term is NaN.
template <bool kKeep, class D, typename T>
HWY_INLINE double SumExp(D d, T* x, size_t n, float max) {
  constexpr size_t kBlock = 1024;
  const auto shift = hn::Set(d, max);
  double total = 0.0;
  for (size_t start = 0; start < n; start += kBlock) {
    T* block = x + start;
    auto sum = hn::Zero(d);
    ForVectors(d, HWY_MIN(kBlock, n - start), [&](size_t i, auto lanes) HEED_LAMBDA {
      const auto e = Exp(d, hn::Sub(lanes.Load(d, block + i), shift));
      if constexpr (kKeep) lanes.Store(d, e, block + i);
      sum = hn::Add(sum, lanes.ZeroRest(d, e));
    });
    total += double{hn::ReduceSum(d, sum)};
  }
  return total;
}

// -log softmax(x)[target].
template <class D>
HWY_INLINE double RowLoss(D d, const float* x, size_t n, size_t target) {
  const float max = MaxWithoutNaN(d, x, n);
  return std::log(SumExp<false>(d, x, n, max)) + (double{max} - double{x[target]});
}

// The same; x becomes scale * (softmax(x) - onehot(target)).
template <class D>
HWY_INLINE double RowLossAndGradient(D d, float* x, size_t n, size_t target, float scale) {
  const float max = MaxWithoutNaN(d, x, n);
  const double margin = double{max} - double{x[target]};
  const double sum = SumExp<true>(d, x, n, max);
  const auto factor = hn::Set(d, static_cast<float>(double{scale} / sum));
  ForVectors(d, n, [&](size_t i, auto lanes) HEED_LAMBDA {
    lanes.Store(d, hn::Mul(lanes.Load(d, x + i), factor), x + i);
  });
  if (x[target] > 0.5f * scale) {
    // p - 1 near p = 1 keeps nothing but p's rounding; the others' sum is the same number, exact to
    // its own size. All gradients of a model that has learned an example come from it.
    x[target] = 0.0f;
    x[target] = -Sum(d, n, [&](size_t i, auto lanes) HEED_LAMBDA { return lanes.Load(d, x + i); });
  } else {
    x[target] -= scale;
  }
  return std::log(sum) + margin;
}

// Sum of the row, in blocks as in SumExp.
template <class D>
HWY_INLINE double RowSum(D d, const float* x, size_t n) {
  constexpr size_t kBlock = 1024;
  double total = 0.0;
  for (size_t start = 0; start < n; start += kBlock) {
    const float* block = x + start;
    total += double{Sum(d, HWY_MIN(kBlock, n - start), [&](size_t i, auto lanes) HEED_LAMBDA {
      return lanes.Load(d, block + i);
    })};
  }
  return total;
}

// -sum y log softmax(x) for y = (1 - smoothing) onehot + smoothing / n; x becomes scale * (softmax(x)
// - y). No difference to save as above: near the least loss every part of it is of y's own size.
template <class D>
HWY_INLINE double SmoothedLossAndGradient(D d, float* x, size_t n, size_t target, float scale,
                                          float smoothing) {
  const float max = MaxWithoutNaN(d, x, n);
  const double hit = 1.0 - double{smoothing}, each = double{smoothing} / static_cast<double>(n);
  const double of_target = double{x[target]}, of_all = RowSum(d, x, n);
  const double sum = SumExp<true>(d, x, n, max);
  const auto factor = hn::Set(d, static_cast<float>(double{scale} / sum));
  const auto taken = hn::Set(d, static_cast<float>(double{scale} * each));
  ForVectors(d, n, [&](size_t i, auto lanes) HEED_LAMBDA {
    lanes.Store(d, hn::MulSub(lanes.Load(d, x + i), factor, taken), x + i);
  });
  x[target] -= static_cast<float>(double{scale} * hit);
  return std::log(sum) + (double{max} - hit * of_target - each * of_all);
}

}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
