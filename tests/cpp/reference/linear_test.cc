// SPDX-License-Identifier: MIT
#include "reference/linear.h"

#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "support/gradient_check.h"

namespace heed::reference {
namespace {

using test::Argument;
using test::Complex;
using test::ComplexArguments;

TEST_CASE("reference linear: worked example", "[reference][linear]") {
  const std::vector<double> x = {1, 2, 3, 4}, weight = {1, 0, -1, 2, 5, 3}, bias = {10, 20, 30};
  std::vector<double> y(6);
  LinearForward({2, 2, 3}, x.data(), weight.data(), bias.data(), y.data());
  CHECK(y == std::vector<double>{15, 30, 35, 21, 40, 39});
  // The head reads the same numbers as three rows of two.
  HeadForward({2, 2, 3}, x.data(), weight.data(), y.data());
  CHECK(y == std::vector<double>{1, 3, 11, 3, 5, 27});
}

TEST_CASE("reference linear: backward matches a complex step", "[reference][linear]") {
  test::Random random(1);
  for (int trial = 0; trial < 200; ++trial) {
    // The first trials walk the lengths 1 to 67, each with one row.
    const bool walk = trial < 67;
    const LinearShape shape{walk ? 1 : 1 + random.Below(9),
                            walk ? static_cast<size_t>(trial) + 1 : 1 + random.Below(20),
                            1 + random.Below(12)};
    const bool biased = trial % 2 == 0;
    const auto d_y = random.NormalVector<double>(shape.rows * shape.out);
    std::vector<Argument> arguments = {
        {"x", random.NormalVector<double>(shape.rows * shape.in), {}},
        {"weight", random.NormalVector<double>(shape.in * shape.out), {}},
        {"bias", random.NormalVector<double>(biased ? shape.out : 0), {}}};
    for (Argument& argument : arguments) argument.gradient.resize(argument.value.size());
    LinearBackward(shape, d_y.data(), arguments[0].value.data(), arguments[1].value.data(),
                   arguments[0].gradient.data(), arguments[1].gradient.data(),
                   biased ? arguments[2].gradient.data() : nullptr);
    const auto loss = [&](const ComplexArguments& point) {
      std::vector<Complex> y(shape.rows * shape.out);
      LinearForward(shape, point[0].data(), point[1].data(), biased ? point[2].data() : nullptr,
                    y.data());
      return test::Dot(d_y, y);
    };
    INFO("rows " << shape.rows << " in " << shape.in << " out " << shape.out);
    test::CheckDirection(arguments, test::kReferenceGradientError, random, loss);
    if (trial % 20 == 0) {
      test::CheckGradients(arguments, test::kReferenceGradientError, loss);
    }
  }
}

TEST_CASE("reference head: backward matches a complex step", "[reference][linear]") {
  test::Random random(2);
  for (size_t C = 1; C <= 20; ++C) {
    const LinearShape shape{1 + random.Below(4), C, 1 + random.Below(6)};
    const auto d_y = random.NormalVector<double>(shape.rows * shape.out);
    std::vector<Argument> arguments = {
        {"x", random.NormalVector<double>(shape.rows * C), {}},
        {"head", random.NormalVector<double>(shape.out * C), {}}};
    for (Argument& argument : arguments) argument.gradient.resize(argument.value.size());
    HeadBackward(shape, d_y.data(), arguments[0].value.data(), arguments[1].value.data(),
                 arguments[0].gradient.data(), arguments[1].gradient.data());
    test::CheckGradients(arguments, test::kReferenceGradientError,
                         [&](const ComplexArguments& point) {
                           std::vector<Complex> logits(shape.rows * shape.out);
                           HeadForward(shape, point[0].data(), point[1].data(), logits.data());
                           return test::Dot(d_y, logits);
                         });
  }
}

TEST_CASE("reference linear: parameter gradients accumulate", "[reference][linear]") {
  const std::vector<double> x = {2}, weight = {3}, d_y = {5};
  std::vector<double> d_x = {100}, d_weight = {100}, d_bias = {100};
  LinearBackward({1, 1, 1}, d_y.data(), x.data(), weight.data(), d_x.data(), d_weight.data(),
                 d_bias.data());
  CHECK(d_x[0] == 15);
  CHECK(d_weight[0] == 110);
  CHECK(d_bias[0] == 105);
}

}  // namespace
}  // namespace heed::reference
