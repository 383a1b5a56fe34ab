// SPDX-License-Identifier: MIT
#include "kernels/activation.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "reference/activation.h"
#include "support/gradient_check.h"
#include "support/guarded.h"
#include "support/near.h"
#include "support/random.h"

namespace heed::test {
namespace {

constexpr double kUnit = 0x1p-24;  // rounding unit of float
constexpr Activation kAll[] = {Activation::kGeluTanh, Activation::kGeluErf, Activation::kRelu,
                               Activation::kSilu, Activation::kRelu2};

reference::Activation Twin(Activation activation) {
  return static_cast<reference::Activation>(activation);
}

std::vector<float> Forward(Activation activation, const std::vector<float>& x) {
  std::vector<float> y(x.size());
  ActivationForward(activation, {x.data(), x.size()}, {y.data(), y.size()});
  return y;
}

std::vector<float> Slope(Activation activation, const std::vector<float>& x) {
  const std::vector<float> ones(x.size(), 1.0f);
  std::vector<float> d_x(x.size());
  ActivationBackward(activation, {x.data(), x.size()}, {ones.data(), ones.size()},
                     {d_x.data(), d_x.size()});
  return d_x;
}

// The reference's formulas with 1 + erf and 1 + tanh replaced by forms that do not cancel for
// negative x, so that the relative error of the tails can be measured.
double PreciseValue(Activation activation, double x) {
  switch (activation) {
    case Activation::kGeluTanh: {
      const double u = std::sqrt(2.0 / std::numbers::pi) * (x + 0.044715 * x * x * x);
      return x / (1.0 + std::exp(-2.0 * u));
    }
    case Activation::kGeluErf:
      return 0.5 * x * std::erfc(-x / std::numbers::sqrt2);
    case Activation::kRelu:
      return x > 0.0 ? x : 0.0;
    case Activation::kSilu:
      return x / (1.0 + std::exp(-x));
    case Activation::kRelu2:
      return x > 0.0 ? x * x : 0.0;
  }
  return 0.0;
}

// Relative error of the exponential's argument, in units of rounding, that the value inherits where
// it decays: x^2 / 2 for the normal tail, 2u for the tanh form; silu's argument x is exact.
double ArgumentSize(Activation activation, double x) {
  if (x >= 0.0) return 0.0;
  if (activation == Activation::kGeluErf) return 0.5 * x * x;
  if (activation == Activation::kGeluTanh) return 1.6 * std::abs(x) + 0.0714 * std::abs(x * x * x);
  return 0.0;
}

std::vector<float> WholeRange() {
  std::vector<float> x = {0.0f, -0.0f};
  for (int i = -20 * 256; i <= 20 * 256; ++i) x.push_back(static_cast<float>(i) / 256.0f);
  Random random(1);
  for (const float value : random.NormalVector(20000, 3.0)) x.push_back(value);
  for (int exponent = -126; exponent < 128; ++exponent) {
    x.push_back(std::ldexp(1.0f, exponent));
    x.push_back(-std::ldexp(1.0f, exponent));
  }
  return x;
}

// The square of a float above 1.8e19 is none.
std::vector<float> RangeOf(Activation activation) {
  auto x = WholeRange();
  if (activation == Activation::kRelu2) {
    for (float& value : x) value = std::clamp(value, -0x1p60f, 0x1p60f);
  }
  return x;
}

TEST_CASE("activation: values and slopes over the whole range") {
  ForEachTarget([&](const char* target) {
    for (const Activation activation : kAll) {
      const auto x = RangeOf(activation);
      INFO(target << ", activation " << static_cast<int>(activation));
      std::vector<double> value_error(x.size()), slope(x.size());
      const auto y = Forward(activation, x);
      for (size_t i = 0; i < x.size(); ++i) {
        const double expected = PreciseValue(activation, x[i]);
        const double argument = std::min(ArgumentSize(activation, x[i]), 90.0);
        // Shown as a multiple of what docs/numerics.md allows. Below exp(-87.3) the kernel gives 0:
        // 90 exp(-87.3) = 1.1e-36.
        const double allowed = kUnit * (12.0 + 3.0 * argument) * std::abs(expected) + 1.1e-36;
        value_error[i] = (y[i] - expected) / allowed;
        slope[i] = reference::ActivateDerivative(Twin(activation), double{x[i]});
      }
      HEED_CHECK_NEAR(Near("error / allowed", std::vector<double>(x.size()), value_error, {1, 0}));
      HEED_CHECK_NEAR(Near("slope", slope, Slope(activation, x), {8 * kUnit, 0}));
    }
  });
}

TEST_CASE("activation: every length, misalignment and alias") {
  Random random(2);
  ForEachLength([&](size_t n, size_t offset) {
    for (const Activation activation : kAll) {
      const auto x = random.NormalVector(n, 2.0), up = random.NormalVector(n);
      const auto d_y = random.NormalVector(n);
      std::vector<double> y(n), d_x(n), gated(n), d_gate(n), d_up(n);
      const auto x64 = Convert<double>(x), up64 = Convert<double>(up);
      const auto d_y64 = Convert<double>(d_y);
      reference::ActivationForward(Twin(activation), n, x64.data(), y.data());
      reference::ActivationBackward(Twin(activation), n, x64.data(), d_y64.data(), d_x.data());
      reference::GatedForward(Twin(activation), n, x64.data(), up64.data(), gated.data());
      reference::GatedBackward(Twin(activation), n, x64.data(), up64.data(), d_y64.data(),
                               d_gate.data(), d_up.data());
      // Values up to 10, factors up to 5.
      const Tolerance near{8 * kUnit, 16 * kUnit}, product{8 * 5 * kUnit, 16 * kUnit};

      Guarded in(x, offset), u(up, offset + 1), g(d_y, offset + 2);
      Guarded out(n, offset + 1), second(n, offset + 3);
      ActivationForward(activation, in.span(), out.span());
      HEED_CHECK_NEAR(Near("y", y, out.Values(), near));
      const auto y_values = out.Values();
      ActivationBackward(activation, in.span(), g.span(), out.span());
      HEED_CHECK_NEAR(Near("d_x", d_x, out.Values(), product));
      const auto d_x_values = out.Values();
      GatedForward(activation, in.span(), u.span(), out.span());
      HEED_CHECK_NEAR(Near("gated y", gated, out.Values(), product));
      const auto gated_values = out.Values();
      GatedBackward(activation, in.span(), u.span(), g.span(), out.span(), second.span());
      HEED_CHECK_NEAR(Near("d_gate", d_gate, out.Values(), {8 * 25 * kUnit, 16 * kUnit}));
      HEED_CHECK_NEAR(Near("d_up", d_up, second.Values(), product));
      const auto d_gate_values = out.Values(), d_up_values = second.Values();

      ActivationBackward(activation, in.span(), g.span(), g.span());
      CHECK(SameBits(g.Values(), d_x_values));
      g.Set(d_y);
      GatedBackward(activation, in.span(), u.span(), g.span(), g.span(), second.span());
      CHECK(SameBits(g.Values(), d_gate_values));
      g.Set(d_y);
      GatedBackward(activation, in.span(), u.span(), g.span(), out.span(), g.span());
      CHECK(SameBits(g.Values(), d_up_values));
      out.Set(x);
      GatedForward(activation, out.span(), u.span(), out.span());
      CHECK(SameBits(out.Values(), gated_values));
      GatedForward(activation, in.span(), u.span(), u.span());
      CHECK(SameBits(u.Values(), gated_values));
      ActivationForward(activation, in.span(), in.span());
      CHECK(SameBits(in.Values(), y_values));
      CHECK((in.Intact() && u.Intact() && g.Intact() && out.Intact() && second.Intact()));
    }
  });
}

TEST_CASE("activation: gradients match the complex step") {
  Random random(3);
  const size_t n = 40;
  const auto gate = random.NormalVector(n, 2.0), up = random.NormalVector(n);
  const auto d_y = random.NormalVector(n);
  ForEachTarget([&](const char* target) {
    for (const Activation activation : kAll) {
      INFO(target << ", activation " << static_cast<int>(activation));
      std::vector<float> d_gate(n), d_up(n), d_x(n);
      ActivationBackward(activation, {gate.data(), n}, {d_y.data(), n}, {d_x.data(), n});
      CheckGradients({{"x", Convert<double>(gate), Convert<double>(d_x)}}, kKernelGradientError,
                     [&](const ComplexArguments& point) {
                       std::vector<Complex> y(n);
                       reference::ActivationForward(Twin(activation), n, point[0].data(),
                                                    y.data());
                       return Dot(Convert<double>(d_y), y);
                     });
      GatedBackward(activation, {gate.data(), n}, {up.data(), n}, {d_y.data(), n},
                    {d_gate.data(), n}, {d_up.data(), n});
      CheckGradients({{"gate", Convert<double>(gate), Convert<double>(d_gate)},
                      {"up", Convert<double>(up), Convert<double>(d_up)}},
                     kKernelGradientError, [&](const ComplexArguments& point) {
                       std::vector<Complex> y(n);
                       reference::GatedForward(Twin(activation), n, point[0].data(),
                                               point[1].data(), y.data());
                       return Dot(Convert<double>(d_y), y);
                     });
    }
  });
}

TEST_CASE("R060 GELU: saturates without NaN") {
  const std::vector<float> positive = {8.0f, 10.0f, 11.0f, 13.24f, 20.0f, 50.0f, 1e4f, 3e38f};
  std::vector<float> negative;
  for (const float x : positive) negative.push_back(-x);
  const std::vector<double> zeros(positive.size(), 0.0), ones(positive.size(), 1.0);
  ForEachTarget([&](const char* target) {
    for (const Activation activation : {Activation::kGeluTanh, Activation::kGeluErf}) {
      INFO(target << ", activation " << static_cast<int>(activation));
      HEED_CHECK_NEAR(Near("y", positive, Forward(activation, positive), {0, 1e-6}));
      // The exact values at -8 are -5e-15 (erf) and -1e-18 (tanh).
      HEED_CHECK_NEAR(Near("y", zeros, Forward(activation, negative), {1e-14, 0}));
      HEED_CHECK_NEAR(Near("slope", ones, Slope(activation, positive), {1e-6, 0}));
      HEED_CHECK_NEAR(Near("slope", zeros, Slope(activation, negative), {1e-12, 0}));
    }
  });
}

TEST_CASE("R096 GELU: the two forms have their own values") {
  const std::vector<float> x = {1.0f, 3.0f, -1.0f};
  std::vector<float> grid;
  for (int i = -6000; i <= 6000; ++i) grid.push_back(static_cast<float>(i) / 1000.0f);
  ForEachTarget([&](const char* target) {
    INFO(target);
    HEED_CHECK_NEAR(Near("tanh", std::vector<double>{0.8411920, 2.9963626, -0.1588080},
                         Forward(Activation::kGeluTanh, x), {1e-7, 1e-7}));
    HEED_CHECK_NEAR(Near("erf", std::vector<double>{0.8413447, 2.9959503, -0.1586553},
                         Forward(Activation::kGeluErf, x), {1e-7, 1e-7}));
    const auto tanh_form = Forward(Activation::kGeluTanh, grid);
    const auto erf_form = Forward(Activation::kGeluErf, grid);
    float gap = 0.0f, gap_at = 0.0f;
    for (size_t i = 0; i < grid.size(); ++i) {
      if (std::abs(tanh_form[i] - erf_form[i]) > gap) {
        gap = std::abs(tanh_form[i] - erf_form[i]);
        gap_at = std::abs(grid[i]);
      }
    }
    CHECK(std::abs(gap - 4.73e-4f) < 2e-6f);
    CHECK(std::abs(gap_at - 2.70f) < 0.05f);
  });
}

TEST_CASE("R066 activation: NaN stays NaN in its own place only") {
  ForEachTarget([](const char* target) {
    for (const Activation activation : kAll) {
      for (size_t n = 1; n <= 35; ++n) {
        for (size_t at = 0; at < n; ++at) {
          INFO(target << ", activation " << static_cast<int>(activation) << ", n " << n);
          std::vector<float> x(n, 0.5f);
          x[at] = std::numeric_limits<float>::quiet_NaN();
          const auto y = Forward(activation, x);
          for (size_t i = 0; i < n; ++i) REQUIRE(std::isnan(y[i]) == (i == at));
        }
      }
    }
  });
}

TEST_CASE("relu: the slope at 0 is 0") {
  ForEachTarget([](const char* target) {
    INFO(target);
    CHECK(Slope(Activation::kRelu, {0.0f, -0.0f, 1e-40f, -1e-40f}) ==
          std::vector<float>{0.0f, 0.0f, 1.0f, 0.0f});
  });
}

}  // namespace
}  // namespace heed::test
