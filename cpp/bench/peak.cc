// SPDX-License-Identifier: MIT
#include "bench/peak.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/peak.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace heed::bench {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

// x = x * scale + shift in kChains independent chains. Products of loop-invariant factors
// (sum += a * b) would be hoisted out of the loop by one compiler or another, leaving additions.
// The values stay near shift / (1 - scale): no infinities, no subnormals.
template <size_t kChains>
HWY_NOINLINE float Chains(size_t iterations, float scale, float shift) {
  const hn::ScalableTag<float> d;
  using V = hn::Vec<decltype(d)>;
  const V factor = hn::Set(d, scale);
  const V term = hn::Set(d, shift);
  V x[kChains];
  HWY_UNROLL(16)
  for (size_t c = 0; c < kChains; ++c) x[c] = hn::Set(d, static_cast<float>(c));
  for (size_t i = 0; i < iterations; ++i) {
    HWY_UNROLL(4)
    for (size_t repeat = 0; repeat < 4; ++repeat) {
      HWY_UNROLL(16)
      for (size_t c = 0; c < kChains; ++c) x[c] = hn::MulAdd(x[c], factor, term);
    }
  }
  V sum = x[0];
  HWY_UNROLL(16)
  for (size_t c = 1; c < kChains; ++c) sum = hn::Add(sum, x[c]);
  return hn::ReduceSum(d, sum);
}

// Runs the loop with `chains` accumulators; returns the operations done.
double RunChains(size_t chains, size_t iterations, float* result) {
  const float scale = 0.999f;
  const float shift = 0.001f;
  switch (chains) {
    case 4:
      *result += Chains<4>(iterations, scale, shift);
      break;
    case 6:
      *result += Chains<6>(iterations, scale, shift);
      break;
    case 8:
      *result += Chains<8>(iterations, scale, shift);
      break;
    case 10:
      *result += Chains<10>(iterations, scale, shift);
      break;
    case 12:
      *result += Chains<12>(iterations, scale, shift);
      break;
    case 13:
      *result += Chains<13>(iterations, scale, shift);
      break;
    case 14:
      *result += Chains<14>(iterations, scale, shift);
      break;
    default:
      *result += Chains<16>(iterations, scale, shift);
      chains = 16;
      break;
  }
  const size_t lanes = hn::Lanes(hn::ScalableTag<float>());
  return 2.0 * 4.0 * static_cast<double>(iterations) * static_cast<double>(chains * lanes);
}

const char* Variant() {
#if HWY_TARGET == HWY_WASM
  return "simd128";
#else
  return hwy::TargetName(HWY_TARGET);
#endif
}

}  // namespace
// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace heed::bench
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "bench/measure.h"

namespace heed::bench {

HWY_EXPORT(RunChains);
HWY_EXPORT(Variant);

namespace {

constexpr size_t kChainCounts[] = {4, 6, 8, 10, 12, 13, 14, 16};

volatile float g_sink;  // keeps the loops from being removed

}  // namespace

const char* SimdVariant() { return HWY_DYNAMIC_DISPATCH(Variant)(); }

double Peak::SampleOf(size_t loop, size_t iterations) const {
  float result = 0.0f;
  double operations = 0.0;
  const double ms = TimeMs(1, [&] {
    operations = HWY_DYNAMIC_DISPATCH(RunChains)(kChainCounts[loop], iterations, &result);
  });
  g_sink = result;
  return ms > 0.0 ? operations / ms * 1e-6 : 0.0;
}

Peak::Peak(double sample_ms, double warm_ms) {
  const size_t loops = sizeof(kChainCounts) / sizeof(kChainCounts[0]);
  size_t calls[loops];
  constexpr size_t kIterationsPerCall = 1000;
  for (size_t loop = 0; loop < loops; ++loop) {
    calls[loop] = CallsFor(sample_ms, warm_ms, [&] { SampleOf(loop, kIterationsPerCall); });
  }
  std::vector<double> rates[loops];
  for (int turn = 0; turn < 9; ++turn) {
    for (size_t loop = 0; loop < loops; ++loop) {
      rates[loop].push_back(SampleOf(loop, calls[loop] * kIterationsPerCall));
    }
  }
  double best_median = 0.0;
  for (size_t loop = 0; loop < loops; ++loop) {
    const double median = Median(rates[loop]);
    if (median <= best_median) continue;
    best_median = median;
    loop_ = loop;
    iterations_ = calls[loop] * kIterationsPerCall;
    accumulators_ = kChainCounts[loop];
  }
}

double Peak::Sample() const { return SampleOf(loop_, iterations_); }

}  // namespace heed::bench
#endif  // HWY_ONCE
