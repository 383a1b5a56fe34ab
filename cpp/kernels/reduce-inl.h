// SPDX-License-Identifier: MIT

// Per-target include guard.
#if defined(HEED_KERNELS_REDUCE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEED_KERNELS_REDUCE_INL_H_
#undef HEED_KERNELS_REDUCE_INL_H_
#else
#define HEED_KERNELS_REDUCE_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <limits>

#include "hwy/highway.h"
#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Each square is exact in f64, so only the additions round.
template <class D>
HWY_INLINE double SquareSum(D d, const float* x, size_t n) {
  const hn::Repartition<double, D> d64;
  const size_t N = hn::Lanes(d);
  // Two vectors a step: four accumulators in all, enough for an addition's latency.
  auto sum0 = hn::Zero(d64), sum1 = hn::Zero(d64), sum2 = hn::Zero(d64), sum3 = hn::Zero(d64);
  size_t i = 0;
  for (; i + 2 * N <= n; i += 2 * N) {
    const auto a = hn::LoadU(d, x + i);
    const auto b = hn::LoadU(d, x + i + N);
    const auto a_low = hn::PromoteLowerTo(d64, a);
    const auto a_high = hn::PromoteUpperTo(d64, a);
    const auto b_low = hn::PromoteLowerTo(d64, b);
    const auto b_high = hn::PromoteUpperTo(d64, b);
    sum0 = hn::MulAdd(a_low, a_low, sum0);
    sum1 = hn::MulAdd(a_high, a_high, sum1);
    sum2 = hn::MulAdd(b_low, b_low, sum2);
    sum3 = hn::MulAdd(b_high, b_high, sum3);
  }
  ForVectors(d, n - i, [&](size_t k, auto lanes) HEED_LAMBDA {
    const auto a = lanes.Load(d, x + i + k);
    const auto low = hn::PromoteLowerTo(d64, a);
    const auto high = hn::PromoteUpperTo(d64, a);
    sum0 = hn::MulAdd(low, low, sum0);
    sum1 = hn::MulAdd(high, high, sum1);
  });
  return hn::ReduceSum(d64, hn::Add(hn::Add(sum0, sum1), hn::Add(sum2, sum3)));
}

// An infinity or a NaN has all exponent bits set.
template <class D>
HWY_INLINE bool ExponentsBelowMax(D d, const float* x, size_t n) {
  const hn::RebindToSigned<D> di;
  const auto exponent = hn::Set(di, int32_t{0x7F800000});
  auto found = hn::Zero(di);
  ForVectors(d, n, [&](size_t i, auto lanes) HEED_LAMBDA {
    const auto bits = hn::And(hn::BitCast(di, lanes.Load(d, x + i)), exponent);
    found = hn::Or(found, hn::VecFromMask(di, hn::Eq(bits, exponent)));
  });
  return hn::AllTrue(di, hn::Eq(found, hn::Zero(di)));
}

// Maximum with NaN left out (a target's Max may return either operand then); -infinity if nothing
// is left.
template <class D>
HWY_INLINE float MaxWithoutNaN(D d, const float* x, size_t n) {
  constexpr float kLowest = -std::numeric_limits<float>::infinity();
  const auto lowest = hn::Set(d, kLowest);
  auto max = lowest;
  ForVectors(d, n, [&](size_t i, auto lanes) HEED_LAMBDA {
    const auto v = lanes.LoadOr(d, kLowest, x + i);
    max = hn::IfThenElse(hn::Gt(v, max), v, max);  // NaN compares false
  });
  return hn::ReduceMax(d, max);
}

// First index of `value`, or n.
template <class D>
HWY_INLINE size_t FirstEqual(D d, const float* x, size_t n, float value) {
  const size_t N = hn::Lanes(d);
  const auto wanted = hn::Set(d, value);
  size_t i = 0;
  for (; i + N <= n; i += N) {
    const intptr_t lane = hn::FindFirstTrue(d, hn::Eq(hn::LoadU(d, x + i), wanted));
    if (lane >= 0) return i + static_cast<size_t>(lane);
  }
  for (; i < n; ++i) {
    if (x[i] == value) return i;
  }
  return n;
}

}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
