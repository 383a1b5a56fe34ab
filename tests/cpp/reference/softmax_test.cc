// SPDX-License-Identifier: MIT
#include "reference/softmax.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <vector>

#include "reference/cross_entropy.h"
#include "support/gradient_check.h"

namespace heed::reference {
namespace {

using test::Argument;
using test::Complex;
using test::ComplexArguments;

TEST_CASE("reference softmax: known values", "[reference][softmax]") {
  const std::vector<double> x = {1000.0, 1000.0 + std::log(3.0)};
  std::vector<double> y(2);
  const double lse = Softmax(2, x.data(), y.data());
  HEED_CHECK_NEAR(test::Near("y", std::vector<double>{0.25, 0.75}, y, {1e-12, 0}));
  CHECK(std::abs(lse - (1000.0 + std::log(4.0))) <= 1e-12);
}

TEST_CASE("reference softmax: backward matches a complex step", "[reference][softmax]") {
  test::Random random(7);
  for (size_t n = 1; n <= 67; ++n) {
    const auto d_y = random.NormalVector<double>(n);
    Argument x{"x", random.NormalVector<double>(n, 3.0), std::vector<double>(n)};
    std::vector<double> y(n);
    Softmax(n, x.value.data(), y.data());
    SoftmaxBackward(n, d_y.data(), y.data(), x.gradient.data());
    INFO("n " << n);
    test::CheckGradients({x}, test::kReferenceGradientError, [&](const ComplexArguments& point) {
      std::vector<Complex> out(n);
      Softmax(n, point[0].data(), out.data());
      return test::Dot(d_y, out);
    });
  }
}

TEST_CASE("reference cross-entropy: known values (R073, R075)", "[reference][cross_entropy]") {
  const std::vector<double> logits = {1000, 0, -1000, 1000, 0, -1000, 1000, 0, -1000};
  const std::vector<int32_t> targets = {0, 1, 2};
  std::vector<double> losses(3);
  const LossSum<double> loss =
      CrossEntropyForward(3, 3, logits.data(), targets.data(), losses.data());
  CHECK(losses == std::vector<double>{0, 1000, 2000});
  CHECK(loss.sum == 3000);
  CHECK(loss.count == 3);

  const std::vector<double> uniform(65, 1e4);
  const int32_t target = 17;
  const double value =
      CrossEntropyForward<double>(1, 65, uniform.data(), &target, nullptr).Mean();
  CHECK(std::abs(value - 4.1743873) <= 1e-7);

  const std::vector<int32_t> ignored = {-1, -1, -1};
  const LossSum<double> none =
      CrossEntropyForward(3, 3, logits.data(), ignored.data(), losses.data());
  CHECK(none.count == 0);
  CHECK(none.Mean() == 0.0);
  std::vector<double> d_logits(9, 7.0);
  CrossEntropyBackward(3, 3, logits.data(), ignored.data(), 1.0, d_logits.data());
  CHECK(d_logits == std::vector<double>(9, 0.0));
}

TEST_CASE("reference cross-entropy: backward matches a complex step",
          "[reference][cross_entropy]") {
  test::Random random(8);
  for (size_t V = 1; V <= 67; ++V) {
    const size_t N = 1 + random.Below(4);
    std::vector<int32_t> targets = random.Tokens(N, V);
    if (V % 3 == 0) targets[random.Below(N)] = -1;
    const double scale = random.Uniform(0.1, 2.0);
    Argument logits{"logits", random.NormalVector<double>(N * V, 3.0), std::vector<double>(N * V)};
    CrossEntropyBackward(N, V, logits.value.data(), targets.data(), scale,
                         logits.gradient.data());
    INFO("N " << N << " V " << V);
    test::CheckGradients({logits}, test::kReferenceGradientError,
                         [&](const ComplexArguments& point) {
                           return scale * CrossEntropyForward<Complex>(N, V, point[0].data(),
                                                                       targets.data(), nullptr)
                                              .sum;
                         });
  }
}

}  // namespace
}  // namespace heed::reference
