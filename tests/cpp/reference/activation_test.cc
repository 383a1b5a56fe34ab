// SPDX-License-Identifier: MIT
#include "reference/activation.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <vector>

#include "support/gradient_check.h"

namespace heed::reference {
namespace {

using test::Argument;
using test::Complex;
using test::ComplexArguments;

constexpr Activation kAll[] = {Activation::kGeluTanh, Activation::kGeluErf, Activation::kRelu,
                               Activation::kSilu, Activation::kRelu2};

TEST_CASE("reference activations: known values (R060, R096)", "[reference][activation]") {
  const auto check = [](Activation activation, const std::vector<double>& x,
                        const std::vector<double>& expected) {
    std::vector<double> y(x.size());
    ActivationForward(activation, x.size(), x.data(), y.data());
    HEED_CHECK_NEAR(test::Near("y", expected, y, {5e-8, 0}));
  };
  check(Activation::kGeluTanh, {1, 3, -1}, {0.8411920, 2.9963626, -0.1588080});
  check(Activation::kGeluErf, {1, 3, -1}, {0.8413447, 2.9959503, -0.1586553});
  check(Activation::kRelu, {1, 0, -1}, {1, 0, 0});
  check(Activation::kSilu, {1, 0, -1}, {0.7310586, 0, -0.2689414});
  check(Activation::kRelu2, {1.5, 0, -1}, {2.25, 0, 0});
  for (const double x : {8.0, 10.0, 11.0, 13.24, 20.0, 50.0, 1e4, 3e38}) {
    for (const Activation activation : {Activation::kGeluTanh, Activation::kGeluErf}) {
      INFO("x " << x);
      CHECK(std::abs(Activate(activation, x) / x - 1.0) <= 1e-6);
      CHECK(std::abs(Activate(activation, -x)) <= 1e-14);
      if (x <= 1e4) {
        CHECK(std::abs(ActivateDerivative(activation, x) - 1.0) <= 1e-12);
        CHECK(std::abs(ActivateDerivative(activation, -x)) <= 1e-12);
      }
    }
  }
}

TEST_CASE("reference activations: derivatives match a complex step", "[reference][activation]") {
  test::Random random(5);
  std::vector<double> x = {0.0, -1e-9, 1e-9, 1e-3, -1e-3};
  for (double v = -9.0; v <= 9.0; v += 0.173) x.push_back(v);
  const auto d_y = random.NormalVector<double>(x.size());
  for (const Activation activation : kAll) {
    std::vector<double> d_x(x.size());
    ActivationBackward(activation, x.size(), x.data(), d_y.data(), d_x.data());
    INFO("activation " << static_cast<int>(activation));
    test::CheckGradients({{"x", x, d_x}}, test::kReferenceGradientError,
                         [&](const ComplexArguments& point) {
                           std::vector<Complex> y(x.size());
                           ActivationForward(activation, x.size(), point[0].data(), y.data());
                           return test::Dot(d_y, y);
                         });
  }
}

TEST_CASE("reference erf: its dual part matches a central difference", "[reference][activation]") {
  // Independent of the formula that the complex overload and the derivative share.
  for (double x = -4.0; x <= 4.0; x += 0.25) {
    const double h = 1e-5;
    const double difference = (std::erf(x + h) - std::erf(x - h)) / (2.0 * h);
    const double step = Erf(Complex(x, test::kComplexStep)).imag() / test::kComplexStep;
    INFO("x " << x);
    CHECK(std::abs(step - difference) <= 1e-9);
    CHECK(std::isnan(Erf(Complex(x, 0.5)).real()));
  }
}

TEST_CASE("reference gated activations: backward matches a complex step",
          "[reference][activation]") {
  test::Random random(6);
  for (const Activation activation : kAll) {
    for (const size_t n : {1, 2, 3, 5, 17, 67}) {
      const auto d_y = random.NormalVector<double>(n);
      std::vector<Argument> arguments = {
          {"gate", random.NormalVector<double>(n, 2.0), std::vector<double>(n)},
          {"up", random.NormalVector<double>(n), std::vector<double>(n)}};
      GatedBackward(activation, n, arguments[0].value.data(), arguments[1].value.data(),
                    d_y.data(), arguments[0].gradient.data(), arguments[1].gradient.data());
      test::CheckGradients(arguments, test::kReferenceGradientError,
                           [&](const ComplexArguments& point) {
                             std::vector<Complex> y(n);
                             GatedForward(activation, n, point[0].data(), point[1].data(),
                                          y.data());
                             return test::Dot(d_y, y);
                           });
    }
  }
}

}  // namespace
}  // namespace heed::reference
