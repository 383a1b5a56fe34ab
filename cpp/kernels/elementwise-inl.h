// SPDX-License-Identifier: MIT

// Per-target include guard.
#if defined(HEED_KERNELS_ELEMENTWISE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEED_KERNELS_ELEMENTWISE_INL_H_
#undef HEED_KERNELS_ELEMENTWISE_INL_H_
#else
#define HEED_KERNELS_ELEMENTWISE_INL_H_
#endif

#include "base/span.h"
#include "hwy/highway.h"
#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// out = a + b for n elements; out may be a or b.
template <class D>
HWY_INLINE void AddVectors(D d, size_t n, const float* a, const float* b, float* out) {
  ForVectors(d, n, [&](size_t i, auto lanes) HEED_LAMBDA {
    lanes.Store(d, hn::Add(lanes.Load(d, a + i), lanes.Load(d, b + i)), out + i);
  });
}

template <class D>
HWY_INLINE void ScaleVectors(D d, size_t n, const float* x, float factor, float* y) {
  const auto scale = hn::Set(d, factor);
  ForVectors(d, n, [&](size_t i, auto lanes) HEED_LAMBDA {
    lanes.Store(d, hn::Mul(lanes.Load(d, x + i), scale), y + i);
  });
}

// sums[c] += x(r, c) over rows r = first, first + step, ... below x.rows, ascending. Four rows at a
// time save three of four loads and stores of the sums; the additions stay in row order.
template <class D>
HWY_INLINE void AccumulateRows(D d, ConstMatrix x, size_t first, size_t step, float* sums) {
  size_t row = first;
  for (; row + 3 * step < x.rows; row += 4 * step) {
    const float* x0 = x.Row(row);
    const float* x1 = x.Row(row + step);
    const float* x2 = x.Row(row + 2 * step);
    const float* x3 = x.Row(row + 3 * step);
    ForVectors(d, x.cols, [&](size_t i, auto lanes) HEED_LAMBDA {
      auto sum = hn::Add(lanes.Load(d, sums + i), lanes.Load(d, x0 + i));
      sum = hn::Add(sum, lanes.Load(d, x1 + i));
      sum = hn::Add(sum, lanes.Load(d, x2 + i));
      sum = hn::Add(sum, lanes.Load(d, x3 + i));
      lanes.Store(d, sum, sums + i);
    });
  }
  for (; row < x.rows; row += step) AddVectors(d, x.cols, sums, x.Row(row), sums);
}

}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
