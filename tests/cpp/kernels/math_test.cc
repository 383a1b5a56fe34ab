// SPDX-License-Identifier: MIT
// Vector exp and tanh on every target against the standard library's in double.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpp/kernels/math_test.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "kernels/lanes-inl.h"
#include "kernels/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed::test {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;
namespace kernels = heed::HWY_NAMESPACE;

void ExpAll(const float* x, size_t n, float* y) {
  const hn::ScalableTag<float> d;
  kernels::ForVectors(d, n, [&](size_t i, auto lanes) HEED_LAMBDA {
    lanes.Store(d, kernels::Exp(d, lanes.Load(d, x + i)), y + i);
  });
}

void TanhAll(const float* x, size_t n, float* y) {
  const hn::ScalableTag<float> d;
  kernels::ForVectors(d, n, [&](size_t i, auto lanes) HEED_LAMBDA {
    lanes.Store(d, kernels::Tanh(d, lanes.Load(d, x + i)).tanh, y + i);
  });
}

void TanhSlopeAll(const float* x, size_t n, float* y) {
  const hn::ScalableTag<float> d;
  kernels::ForVectors(d, n, [&](size_t i, auto lanes) HEED_LAMBDA {
    lanes.Store(d, kernels::Tanh(d, lanes.Load(d, x + i)).slope, y + i);
  });
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace heed::test
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "support/foreach_target.h"

namespace heed::test {

HWY_EXPORT(ExpAll);
HWY_EXPORT(TanhAll);
HWY_EXPORT(TanhSlopeAll);

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// Every 1999th float from the smallest subnormal to the largest, of both signs: 2.1 million.
std::vector<float> Sweep() {
  std::vector<float> x;
  for (uint32_t bits = 0; bits < 0x7F800000u; bits += 1999) {
    for (const uint32_t sign : {0u, 0x80000000u}) {
      const uint32_t word = bits | sign;
      float value;
      std::memcpy(&value, &word, sizeof(value));
      x.push_back(value);
    }
  }
  return x;
}

// |actual - expected| in units of the last place of the float nearest to expected.
double Ulps(float actual, double expected) {
  int exponent;
  std::frexp(expected, &exponent);
  return std::abs(actual - expected) / std::ldexp(1.0, exponent - 24);
}

template <class Function>
std::vector<float> Apply(Function&& function, const std::vector<float>& x) {
  std::vector<float> y(x.size());
  function(x.data(), x.size(), y.data());
  return y;
}

TEST_CASE("vector exp: within 2 ULP, overflow to infinity, underflow to 0") {
  const std::vector<float> x = Sweep();
  ForEachTarget([&](const char* target) {
    const auto y = Apply(HWY_DYNAMIC_DISPATCH(ExpAll), x);
    double worst = 0.0;
    float where = 0.0f;
    size_t wrong = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      if (x[i] > 88.72284f) {  // ln FLT_MAX
        wrong += y[i] != kInf;
      } else if (x[i] < -87.33655f) {  // ln FLT_MIN
        wrong += y[i] != 0.0f;
      } else {
        wrong += std::isnan(y[i]);
        const double error = Ulps(y[i], std::exp(static_cast<double>(x[i])));
        if (!(error > worst)) continue;
        worst = error;
        where = x[i];
      }
    }
    INFO("target " << target << ", worst error " << worst << " ULP at " << where);
    CHECK(worst <= 2.0);
    CHECK(wrong == 0);
  });
}

TEST_CASE("vector exp: NaN, infinities and signed zeros (R059)") {
  // Every lane: a compiler may treat the first one alone.
  const std::vector<float> x = {kNan, -kNan, kInf,  -kInf, 0.0f, -0.0f, kNan, kInf, -kInf,
                                kNan, 0.0f,  -0.0f, kNan,  kInf, -kInf, kNan, -0.0f};
  ForEachTarget([&](const char* target) {
    INFO("target " << target);
    const auto exp = Apply(HWY_DYNAMIC_DISPATCH(ExpAll), x);
    for (size_t i = 0; i < x.size(); ++i) {
      INFO("argument " << i << ": " << x[i]);
      if (std::isnan(x[i])) {
        CHECK(std::isnan(exp[i]));
      } else if (std::isinf(x[i])) {
        CHECK(exp[i] == (x[i] > 0.0f ? kInf : 0.0f));
      } else {
        CHECK(exp[i] == 1.0f);
      }
    }
    // A NaN's payload must not reach the exponent that exp assembles.
    std::vector<float> payloads;
    for (uint32_t payload = 1; payload < 0x00400000u; payload += 4099) {
      const uint32_t bits = 0x7FC00000u | payload;
      float value;
      std::memcpy(&value, &bits, sizeof(value));
      payloads.push_back(value);
    }
    size_t lost = 0;
    for (const float value : Apply(HWY_DYNAMIC_DISPATCH(ExpAll), payloads)) {
      lost += !std::isnan(value);
    }
    CHECK(lost == 0);
  });
}

TEST_CASE("vector tanh and its slope: within 4 ULP, odd, NaN stays NaN") {
  std::vector<float> x = Sweep();
  x.insert(x.end(), {kInf, -kInf, kNan});
  ForEachTarget([&](const char* target) {
    const auto y = Apply(HWY_DYNAMIC_DISPATCH(TanhAll), x);
    const auto slope = Apply(HWY_DYNAMIC_DISPATCH(TanhSlopeAll), x);
    double worst = 0.0, worst_slope = 0.0;
    size_t wrong = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      if (std::isnan(x[i])) {
        wrong += !std::isnan(y[i]) || !std::isnan(slope[i]);
        continue;
      }
      const double t = std::tanh(static_cast<double>(x[i]));
      if (std::abs(x[i]) >= 1.2e-38f) worst = std::max(worst, Ulps(y[i], t));
      // From 40 on the slope is below 1e-34 and goes to 0 a little before double's.
      if (std::abs(x[i]) < 40.0f) {
        const double c = std::cosh(static_cast<double>(x[i]));
        worst_slope = std::max(worst_slope, Ulps(slope[i], 1.0 / (c * c)));
      } else {
        wrong += !(slope[i] >= 0.0f && slope[i] < 1e-33f);
      }
      wrong += !(std::abs(y[i]) <= 1.0f);
    }
    INFO("target " << target << ", " << worst << " ULP, slope " << worst_slope << " ULP");
    CHECK(worst <= 4.0);
    CHECK(worst_slope <= 8.0);
    CHECK(wrong == 0);
  });
}

}  // namespace
}  // namespace heed::test
#endif  // HWY_ONCE
