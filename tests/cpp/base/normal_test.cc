// SPDX-License-Identifier: MIT
#include "base/normal.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstring>
#include <vector>

#include "support/guarded.h"

namespace heed::test {
namespace {

std::vector<float> Draw(uint64_t seed, uint32_t tensor, size_t n, float deviation = 1.0f) {
  std::vector<float> out(n);
  FillNormal(seed, tensor, deviation, {out.data(), n});
  return out;
}

TEST_CASE("normal: moments, tails and independence of neighbours") {
  const size_t n = 400000;
  const auto x = Draw(1337, 2, n);
  double mean = 0, square = 0, cube = 0, fourth = 0, lag1 = 0, lag2 = 0, beyond2 = 0;
  for (size_t i = 0; i < n; ++i) {
    const double v = x[i];
    mean += v;
    square += v * v;
    cube += v * v * v;
    fourth += v * v * v * v;
    beyond2 += std::abs(v) > 2.0;
    if (i >= 1) lag1 += v * x[i - 1];
    if (i >= 2) lag2 += v * x[i - 2];
  }
  // Five standard errors: of the mean 1, of the square sqrt 2, cube sqrt 15, fourth power sqrt 96.
  const double error = 5.0 / std::sqrt(static_cast<double>(n));
  CHECK(std::abs(mean / n) < error);
  CHECK(std::abs(square / n - 1.0) < error * std::sqrt(2.0));
  CHECK(std::abs(cube / n) < error * std::sqrt(15.0));
  CHECK(std::abs(fourth / n - 3.0) < error * std::sqrt(96.0));
  CHECK(std::abs(lag1 / n) < error);
  CHECK(std::abs(lag2 / n) < error);
  CHECK(std::abs(beyond2 / n - 0.0455003) < error * std::sqrt(0.0455 * 0.9545));
}

TEST_CASE("normal: a value depends on seed, tensor and place alone") {
  const auto whole = Draw(1, 0, 100);
  for (size_t n = 0; n <= 35; ++n) {
    Guarded part(n, n % 5);
    FillNormal(1, 0, 1.0f, part.span());
    CHECK(SameBits(part.Values(), std::vector<float>(whole.begin(), whole.begin() + n)));
    CHECK(part.Intact());
  }
  CHECK_FALSE(SameBits(Draw(2, 0, 100), whole));
  CHECK_FALSE(SameBits(Draw(1, 1, 100), whole));
  CHECK(SameBits(Draw(1, 0, 100), whole));
}

TEST_CASE("normal: the deviation scales, 0 gives zeros") {
  const auto unit = Draw(5, 3, 64), scaled = Draw(5, 3, 64, 0.02f);
  for (size_t i = 0; i < 64; ++i) CHECK(std::abs(scaled[i] - 0.02 * unit[i]) < 1e-8);
  for (const float value : Draw(5, 3, 64, 0.0f)) CHECK(value == 0.0f);
}

}  // namespace
}  // namespace heed::test
