// SPDX-License-Identifier: MIT
#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "reference/layer_norm.h"
#include "reference/rms_norm.h"
#include "support/gradient_check.h"

namespace heed::reference {
namespace {

using test::Argument;
using test::Complex;
using test::ComplexArguments;

constexpr double kEpsilon = 1e-5;

std::vector<double> LayerNormOf(const std::vector<double>& x, double weight, double bias) {
  const std::vector<double> weights(x.size(), weight), biases(x.size(), bias);
  std::vector<double> y(x.size());
  double mean = 0, rstd = 0;
  LayerNormForward(1, x.size(), x.data(), weights.data(), biases.data(), kEpsilon, y.data(), &mean,
                   &rstd);
  return y;
}

TEST_CASE("reference layer norm: known values (R077, R078, R082)", "[reference][norm]") {
  const std::vector<double> expected = {-1.3416354, -0.4472118, 0.4472118, 1.3416354};
  HEED_CHECK_NEAR(test::Near("y", expected, LayerNormOf({40000, 40001, 40002, 40003}, 1, 0),
                             {1e-6, 0}));
  CHECK(LayerNormOf(std::vector<double>(256, 1234.0), 3.0, 0.25) ==
        std::vector<double>(256, 0.25));
  HEED_CHECK_NEAR(test::Near("y", std::vector<double>{1, -1}, LayerNormOf({1e30, -1e30}, 1, 0),
                             {1e-12, 0}));
}

TEST_CASE("reference RMS norm: known value", "[reference][norm]") {
  const std::vector<double> x = {3, 4}, weight = {1, 2};
  std::vector<double> y(2);
  double rstd = 0;
  RmsNormForward(1, 2, x.data(), weight.data(), 0.0, y.data(), &rstd);
  // The root of the mean square of (3, 4) is 5 / sqrt 2.
  HEED_CHECK_NEAR(test::Near("y", std::vector<double>{0.848528137423857, 2.262741699796952}, y,
                             {1e-14, 0}));
}

TEST_CASE("reference layer norm: backward matches a complex step", "[reference][norm]") {
  test::Random random(3);
  for (size_t trial = 0; trial < 200; ++trial) {
    const size_t N = 1 + random.Below(4), C = trial < 67 ? trial + 1 : 1 + random.Below(40);
    const bool biased = trial % 3 != 0;
    const auto d_y = random.NormalVector<double>(N * C);
    std::vector<Argument> arguments = {{"x", random.NormalVector<double>(N * C, 2.0, 1.0), {}},
                                       {"weight", random.NormalVector<double>(C), {}},
                                       {"bias", random.NormalVector<double>(biased ? C : 0), {}}};
    for (Argument& argument : arguments) argument.gradient.resize(argument.value.size());
    std::vector<double> y(N * C), mean(N), rstd(N);
    LayerNormForward(N, C, arguments[0].value.data(), arguments[1].value.data(),
                     biased ? arguments[2].value.data() : nullptr, kEpsilon, y.data(), mean.data(),
                     rstd.data());
    LayerNormBackward(N, C, d_y.data(), arguments[0].value.data(), arguments[1].value.data(),
                      mean.data(), rstd.data(), arguments[0].gradient.data(),
                      arguments[1].gradient.data(),
                      biased ? arguments[2].gradient.data() : nullptr);
    const auto loss = [&](const ComplexArguments& point) {
      std::vector<Complex> out(N * C), means(N), rstds(N);
      LayerNormForward(N, C, point[0].data(), point[1].data(), biased ? point[2].data() : nullptr,
                       kEpsilon, out.data(), means.data(), rstds.data());
      return test::Dot(d_y, out);
    };
    INFO("N " << N << " C " << C);
    test::CheckDirection(arguments, test::kReferenceGradientError, random, loss);
    if (C > 1 && C < 12) test::CheckGradients(arguments, test::kReferenceGradientError, loss);
  }
}

TEST_CASE("reference RMS norm: backward matches a complex step", "[reference][norm]") {
  test::Random random(4);
  for (size_t trial = 0; trial < 200; ++trial) {
    const size_t N = 1 + random.Below(4), C = trial < 67 ? trial + 1 : 1 + random.Below(40);
    const auto d_y = random.NormalVector<double>(N * C);
    std::vector<Argument> arguments = {{"x", random.NormalVector<double>(N * C, 2.0, 1.0), {}},
                                       {"weight", random.NormalVector<double>(C), {}}};
    for (Argument& argument : arguments) argument.gradient.resize(argument.value.size());
    std::vector<double> y(N * C), rstd(N);
    RmsNormForward(N, C, arguments[0].value.data(), arguments[1].value.data(), kEpsilon, y.data(),
                   rstd.data());
    RmsNormBackward(N, C, d_y.data(), arguments[0].value.data(), arguments[1].value.data(),
                    rstd.data(), arguments[0].gradient.data(), arguments[1].gradient.data());
    const auto loss = [&](const ComplexArguments& point) {
      std::vector<Complex> out(N * C), rstds(N);
      RmsNormForward(N, C, point[0].data(), point[1].data(), kEpsilon, out.data(), rstds.data());
      return test::Dot(d_y, out);
    };
    INFO("N " << N << " C " << C);
    test::CheckDirection(arguments, test::kReferenceGradientError, random, loss);
    if (C < 12) test::CheckGradients(arguments, test::kReferenceGradientError, loss);
  }
}

}  // namespace
}  // namespace heed::reference
