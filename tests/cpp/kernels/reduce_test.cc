// SPDX-License-Identifier: MIT
#include "kernels/reduce.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "support/guarded.h"
#include "support/near.h"
#include "support/random.h"

namespace heed::test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

TEST_CASE("reduce: sum of squares at every length and misalignment") {
  Random random(1);
  ForEachLength([&](size_t n, size_t offset) {
    const auto x = random.NormalVector(n);
    double expected = 0.0;
    for (const float value : x) expected += double{value} * double{value};
    Guarded in(x, offset);
    const double actual = SumOfSquares(in.span());
    // Products are exact; n additions of positive numbers in another order.
    HEED_CHECK_NEAR(Near("sum", &expected, &actual, 1, {0, static_cast<double>(n) * 0x1p-52}));
    CHECK(in.Intact());
  });
}

TEST_CASE("R085 reduce: the norm of 128 values of 1e19, and of values f32 squares lose") {
  ForEachTarget([](const char* target) {
    INFO(target);
    const std::vector<float> large(128, 1e19f), small(128, 1e-30f);
    CHECK(std::abs(std::sqrt(SumOfSquares({large.data(), 128})) / 1.1313708e20 - 1.0) < 1e-6);
    CHECK(std::abs(std::sqrt(SumOfSquares({small.data(), 128})) / 1.1313708e-29 - 1.0) < 1e-6);
    const std::vector<float> largest(7, std::numeric_limits<float>::max());
    CHECK(std::isfinite(SumOfSquares({largest.data(), 7})));
  });
}

TEST_CASE("R066 reduce: one non-finite element is seen at each place and length") {
  ForEachTarget([](const char* target) {
    for (size_t n = 1; n <= 67; ++n) {
      std::vector<float> x(n);
      for (size_t i = 0; i < n; ++i) x[i] = i % 2 == 0 ? 3e38f : -1e-45f;
      REQUIRE(AllFinite({x.data(), n}));
      for (size_t at = 0; at < n; ++at) {
        for (const float bad : {kNaN, -kNaN, kInfinity, -kInfinity}) {
          INFO(target << ", n " << n << ", at " << at << ", value " << bad);
          const float kept = x[at];
          x[at] = bad;
          REQUIRE_FALSE(AllFinite({x.data(), n}));
          REQUIRE_FALSE(std::isfinite(SumOfSquares({x.data(), n})));
          x[at] = kept;
        }
      }
    }
    CHECK(AllFinite({}));
    CHECK(SumOfSquares({}) == 0.0);
  });
}

TEST_CASE("reduce: padding is not looked at") {
  ForEachLength([](size_t n, size_t offset) {
    Guarded x(std::vector<float>(n, -1.0f), offset);  // NaN lies around it
    CHECK(AllFinite(x.span()));
    CHECK(SumOfSquares(x.span()) == static_cast<double>(n));
    if (n > 0) CHECK(ArgMax(x.span()) == 0);
  });
}

TEST_CASE("reduce: argmax finds the first largest at each place") {
  ForEachTarget([](const char* target) {
    for (size_t n = 1; n <= 67; ++n) {
      for (size_t at = 0; at < n; ++at) {
        INFO(target << ", n " << n << ", at " << at);
        std::vector<float> x(n, -2.0f);
        for (size_t i = at; i < n; ++i) x[i] = -1.0f;
        REQUIRE(ArgMax({x.data(), n}) == at);
        x.assign(n, -kInfinity);
        x[at] = -3e38f;
        REQUIRE(ArgMax({x.data(), n}) == at);
        x.assign(n, kNaN);
        x[at] = -kInfinity;
        REQUIRE(ArgMax({x.data(), n}) == at);
        x.assign(n, 5.0f);
        x[at] = kNaN;
        REQUIRE(ArgMax({x.data(), n}) == (at == 0 && n > 1 ? 1u : 0u));
      }
      const std::vector<float> all_nan(n, kNaN);
      REQUIRE(ArgMax({all_nan.data(), n}) == 0);
    }
  });
}

}  // namespace
}  // namespace heed::test
