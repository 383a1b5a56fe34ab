// SPDX-License-Identifier: MIT
// Comparison of a tensor with its expected values. Every numeric test reports through here, so a
// failure always names the tensor, the index, both values, both errors and the tolerance.
#ifndef HEED_TESTS_SUPPORT_NEAR_H_
#define HEED_TESTS_SUPPORT_NEAR_H_

#include <cmath>
#include <cstddef>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace heed::test {

// An element passes when |actual - expected| <= abs + rel * |expected|.
struct Tolerance {
  double abs = 0.0;
  double rel = 0.0;
};

struct NearResult {
  bool ok = true;
  std::string message;
  double worst_abs = 0.0;  // largest |actual - expected|
  size_t failures = 0;
};

// "[2,0,5]" for a flat index into a row-major shape; "[17]" when no shape is given.
inline std::string IndexText(size_t flat, const std::vector<size_t>& shape) {
  if (shape.empty()) return "[" + std::to_string(flat) + "]";
  std::string text;
  for (size_t axis = shape.size(); axis-- > 0;) {
    text = std::to_string(flat % shape[axis]) + (text.empty() ? "" : ",") + text;
    flat /= shape[axis];
  }
  return "[" + text + "]";
}

// Compares n elements. The message describes the element furthest outside (or nearest to) its
// tolerance. A NaN on one side only, or a wrong infinity, fails; equal infinities and NaN on both
// sides pass, so that propagation of non-finite values can be tested too.
template <class Expected, class Actual>
NearResult Near(std::string_view tensor, const Expected* expected, const Actual* actual, size_t n,
                Tolerance tolerance, const std::vector<size_t>& shape = {}) {
  NearResult result;
  double worst_ratio = -1.0;
  size_t worst = 0;
  for (size_t i = 0; i < n; ++i) {
    const double e = static_cast<double>(expected[i]);
    const double a = static_cast<double>(actual[i]);
    double error = std::abs(a - e);
    if (e == a || (std::isnan(e) && std::isnan(a))) error = 0.0;
    if (std::isnan(error)) error = std::numeric_limits<double>::infinity();
    // With an infinite expected value the relative part would accept anything.
    const double allowed = tolerance.abs + (std::isfinite(e) ? tolerance.rel * std::abs(e) : 0.0);
    const bool pass = error <= allowed;
    if (!pass) ++result.failures;
    if (error > result.worst_abs) result.worst_abs = error;
    const double ratio = error == 0.0 ? 0.0
                         : allowed > 0.0 ? error / allowed
                                         : std::numeric_limits<double>::infinity();
    if (ratio > worst_ratio) {
      worst_ratio = ratio;
      worst = i;
    }
  }
  result.ok = result.failures == 0;
  std::ostringstream text;
  text.precision(10);
  text << tensor;
  if (n == 0) {
    text << ": empty";
  } else {
    const double e = static_cast<double>(expected[worst]);
    const double a = static_cast<double>(actual[worst]);
    const double error = std::abs(a - e);
    text << IndexText(worst, shape) << ": expected " << e << ", actual " << a << ", abs error "
         << error << ", rel error " << (e != 0.0 ? error / std::abs(e) : error)
         << ", tolerance abs " << tolerance.abs << " + rel " << tolerance.rel << ", "
         << result.failures << " of " << n << " elements outside";
  }
  result.message = text.str();
  return result;
}

template <class Expected, class Actual>
NearResult Near(std::string_view tensor, const std::vector<Expected>& expected,
                const std::vector<Actual>& actual, Tolerance tolerance,
                const std::vector<size_t>& shape = {}) {
  if (expected.size() != actual.size()) {
    return {false,
            std::string(tensor) + ": expected " + std::to_string(expected.size()) +
                " elements, actual " + std::to_string(actual.size()),
            std::numeric_limits<double>::infinity(), expected.size()};
  }
  return Near(tensor, expected.data(), actual.data(), expected.size(), tolerance, shape);
}

template <class T>
double NormL2(const T* x, size_t n) {
  double sum = 0.0;
  for (size_t i = 0; i < n; ++i) sum += static_cast<double>(x[i]) * static_cast<double>(x[i]);
  return std::sqrt(sum);
}

// Whole-tensor measure: ||actual - expected|| <= rel * max(||expected||, floor). The floor keeps a
// tensor whose gradient is all but zero (a key bias without RoPE) from failing on rounding noise.
template <class Expected, class Actual>
NearResult NearL2(std::string_view tensor, const Expected* expected, const Actual* actual, size_t n,
                  double rel, double floor = 0.0) {
  double error = 0.0;
  for (size_t i = 0; i < n; ++i) {
    const double diff = static_cast<double>(actual[i]) - static_cast<double>(expected[i]);
    error += diff * diff;
  }
  error = std::sqrt(error);
  const double norm = NormL2(expected, n);
  const double allowed = rel * (norm > floor ? norm : floor);
  NearResult result;
  result.ok = error <= allowed;  // false when error is NaN
  result.failures = result.ok ? 0 : 1;
  result.worst_abs = error;
  std::ostringstream text;
  text.precision(10);
  text << tensor << ": L2 error " << error << ", allowed " << allowed << " = " << rel
       << " * max(norm " << norm << ", floor " << floor << "), " << n << " elements";
  result.message = text.str();
  return result;
}

}  // namespace heed::test

// Checks a NearResult inside a Catch2 test and shows its message on failure.
#define HEED_CHECK_NEAR(...)                                      \
  do {                                                            \
    const ::heed::test::NearResult heed_near_result = __VA_ARGS__; \
    INFO(heed_near_result.message);                               \
    CHECK(heed_near_result.ok);                                   \
  } while (false)

#endif  // HEED_TESTS_SUPPORT_NEAR_H_
