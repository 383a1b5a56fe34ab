// SPDX-License-Identifier: MIT
#include "wasm/known_answer.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <vector>

namespace heed {
namespace {

TEST_CASE("the start-up test's answers are right (K08 R045)", "[wasm][known-answer]") {
  std::vector<float> answers(kKnownAnswerFloats);
  REQUIRE(KnownAnswer(Span<float>(answers.data(), answers.size())).ok());
  for (size_t row = 0; row < kKnownAnswerM; ++row) {
    for (size_t column = 0; column < kKnownAnswerN; ++column) {
      double sum = 0.0;
      for (size_t k = 0; k < kKnownAnswerK; ++k) {
        const int a = (7 * static_cast<int>(row * kKnownAnswerK + k) + 3) % 11 - 5;
        const int b = (5 * static_cast<int>(k * kKnownAnswerN + column) + 2) % 13 - 6;
        sum += a / 4.0 * (b / 4.0);
      }
      // Sixteenths and their sums are exact in float.
      REQUIRE(double{answers[row * kKnownAnswerN + column]} == sum);
    }
  }
  std::vector<double> exponentials(kKnownAnswerSoftmax);
  double total = 0.0;
  for (size_t i = 0; i < kKnownAnswerSoftmax; ++i) {
    exponentials[i] = std::exp((13 * static_cast<int>(i) % 29 - 14) / 2.0);
    total += exponentials[i];
  }
  for (size_t i = 0; i < kKnownAnswerSoftmax; ++i) {
    const double expected = exponentials[i] / total;
    const double found = answers[kKnownAnswerM * kKnownAnswerN + i];
    REQUIRE(std::abs(found - expected) <= 1e-6 * expected + 1e-12);
  }
}

}  // namespace
}  // namespace heed
