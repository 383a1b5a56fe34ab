// SPDX-License-Identifier: MIT
#include "layers/alibi.h"

#include <cmath>
#include <vector>

#include "catch2/catch_test_macros.hpp"

namespace heed::test {
namespace {

std::vector<float> Slopes(size_t heads) {
  std::vector<float> slopes;
  for (size_t h = 0; h < heads; ++h) slopes.push_back(AlibiSlope(h, heads));
  return slopes;
}

TEST_CASE("ALiBi's slopes are those of the paper") {
  CHECK(Slopes(8) == std::vector<float>{0.5f, 0.25f, 0.125f, 0x1p-4f, 0x1p-5f, 0x1p-6f, 0x1p-7f,
                                        0x1p-8f});
  CHECK(Slopes(1) == std::vector<float>{0x1p-8f});
  // 16 heads begin at the square root of a half.
  CHECK(std::abs(AlibiSlope(0, 16) - std::sqrt(0.5f)) <= 1e-7f);
  // 12 heads: the 8 of eight heads, then every other one of sixteen.
  const std::vector<float> eight = Slopes(8), sixteen = Slopes(16), twelve = Slopes(12);
  for (size_t h = 0; h < 8; ++h) CHECK(twelve[h] == eight[h]);
  for (size_t h = 8; h < 12; ++h) CHECK(twelve[h] == sixteen[2 * (h - 8)]);
}

}  // namespace
}  // namespace heed::test
