// SPDX-License-Identifier: MIT
// Hand-written gradients against a complex step of the reference forward pass.
#ifndef HEED_TESTS_SUPPORT_GRADIENT_CHECK_H_
#define HEED_TESTS_SUPPORT_GRADIENT_CHECK_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "support/complex_step.h"
#include "support/near.h"
#include "support/random.h"

namespace heed::test {

// What the project asks for: reference in double, kernels in float.
inline constexpr double kReferenceGradientError = 1e-11;
inline constexpr double kKernelGradientError = 5e-5;

// One differentiable argument of an operation, with the gradient the code under test computed.
struct Argument {
  std::string name;
  std::vector<double> value;
  std::vector<double> gradient;
};

using ComplexArguments = std::vector<std::vector<Complex>>;

inline ComplexArguments ToComplex(const std::vector<Argument>& arguments) {
  ComplexArguments point;
  for (const Argument& argument : arguments) {
    point.emplace_back(argument.value.begin(), argument.value.end());
  }
  return point;
}

// Every element of every argument. Errors are measured against the largest gradient element of the
// tensor, since an element that is a near-cancelling sum cannot be held to its own size.
// loss: const ComplexArguments& -> Complex, called once an element.
template <class Loss>
void CheckGradients(const std::vector<Argument>& arguments, double error, Loss&& loss) {
  ComplexArguments point = ToComplex(arguments);
  for (size_t k = 0; k < arguments.size(); ++k) {
    const Argument& argument = arguments[k];
    std::vector<double> expected(argument.value.size());
    double largest = 0.0;
    for (size_t i = 0; i < expected.size(); ++i) {
      point[k][i] = Complex(argument.value[i], kComplexStep);
      expected[i] = std::imag(loss(point)) / kComplexStep;
      point[k][i] = Complex(argument.value[i], 0.0);
      largest = std::max(largest, std::abs(expected[i]));
    }
    // 1e-15 is rounding noise of a gradient that is zero in exact arithmetic.
    HEED_CHECK_NEAR(
        Near("d_" + argument.name, expected, argument.gradient, {error * largest + 1e-15, 0.0}));
  }
}

// One random direction through all arguments at once: a single evaluation however large they are.
template <class Loss>
void CheckDirection(const std::vector<Argument>& arguments, double error, Random& random,
                    Loss&& loss) {
  ComplexArguments point = ToComplex(arguments);
  double actual = 0.0, magnitude = 0.0;
  for (size_t k = 0; k < arguments.size(); ++k) {
    REQUIRE(arguments[k].gradient.size() == arguments[k].value.size());
    for (size_t i = 0; i < arguments[k].value.size(); ++i) {
      const double direction = random.Uniform(-1.0, 1.0);
      point[k][i] = Complex(arguments[k].value[i], direction * kComplexStep);
      actual += direction * arguments[k].gradient[i];
      magnitude += std::abs(direction * arguments[k].gradient[i]);
    }
  }
  const double expected = std::imag(loss(point)) / kComplexStep;
  HEED_CHECK_NEAR(
      Near("directional derivative", &expected, &actual, 1, {error * magnitude + 1e-15, 0.0}));
}

// sum_i weights[i] * values[i]: turns an output into a loss whose upstream gradient is `weights`.
inline Complex Dot(const std::vector<double>& weights, const std::vector<Complex>& values) {
  Complex sum = 0.0;
  for (size_t i = 0; i < weights.size(); ++i) sum += weights[i] * values[i];
  return sum;
}

}  // namespace heed::test

#endif  // HEED_TESTS_SUPPORT_GRADIENT_CHECK_H_
