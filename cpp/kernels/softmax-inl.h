// SPDX-License-Identifier: MIT

// Per-target include guard.
#if defined(HEED_KERNELS_SOFTMAX_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEED_KERNELS_SOFTMAX_INL_H_
#undef HEED_KERNELS_SOFTMAX_INL_H_
#else
#define HEED_KERNELS_SOFTMAX_INL_H_
#endif

#include <cstddef>
#include <limits>

#include "hwy/highway.h"
#include "kernels/lanes-inl.h"
#include "kernels/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Largest of n elements, -inf for none. With a NaN among them the result is any element or NaN,
// depending on the target; the sum of exponentials below is NaN in either case.
template <class D>
HWY_INLINE float RowMax(D d, const float* HWY_RESTRICT x, size_t n) {
  constexpr float kLowest = -std::numeric_limits<float>::infinity();
  auto largest = hn::Set(d, kLowest);
  ForVectors(d, n, [&](size_t i, auto lanes) HEED_LAMBDA {
    largest = hn::Max(largest, lanes.LoadOr(d, kLowest, x + i));
  });
  return hn::ReduceMax(d, largest);
}

// y = exp(x - shift); returns the sum. y may be x.
template <class D>
HWY_INLINE float ExpRow(D d, const float* x, size_t n, float shift, float* y) {
  const auto offset = hn::Set(d, shift);
  auto sum = hn::Zero(d);
  ForVectors(d, n, [&](size_t i, auto lanes) HEED_LAMBDA {
    const auto e = Exp(d, hn::Sub(lanes.Load(d, x + i), offset));
    lanes.Store(d, e, y + i);
    sum = hn::Add(sum, lanes.ZeroRest(d, e));
  });
  return hn::ReduceSum(d, sum);
}

// y = x * factor; y may be x.
template <class D>
HWY_INLINE void ScaleRow(D d, const float* x, size_t n, float factor, float* y) {
  const auto scale = hn::Set(d, factor);
  ForVectors(d, n, [&](size_t i, auto lanes) HEED_LAMBDA {
    lanes.Store(d, hn::Mul(lanes.Load(d, x + i), scale), y + i);
  });
}

// Elements whose exponentials are added in f32; the sums of such blocks are added in f64. A chain
// of 1024 / N additions keeps the sum of a row of 50,000 probabilities within 1e-6 of 1.
inline constexpr size_t kSoftmaxBlock = 1024;

template <class D>
HWY_INLINE void SoftmaxRow(D d, const float* x, size_t n, float* y) {
  const float largest = RowMax(d, x, n);
  double sum = 0.0;
  for (size_t i = 0; i < n; i += kSoftmaxBlock) {
    sum += ExpRow(d, x + i, HWY_MIN(kSoftmaxBlock, n - i), largest, y + i);
  }
  ScaleRow(d, y, n, static_cast<float>(1.0 / sum), y);
}

}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
