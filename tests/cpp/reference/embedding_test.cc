// SPDX-License-Identifier: MIT
#include "reference/embedding.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <vector>

#include "reference/dropout.h"
#include "support/gradient_check.h"

namespace heed::reference {
namespace {

using test::Argument;
using test::Complex;
using test::ComplexArguments;

TEST_CASE("reference embedding: a repeated token's gradients add up (R098)",
          "[reference][embedding]") {
  const std::vector<int32_t> tokens = {0, 0};
  const std::vector<double> d_out = {0.2, 0.3};
  std::vector<double> d_table = {0.0};
  EmbeddingBackward(2, 1, tokens.data(), d_out.data(), d_table.data());
  CHECK(d_table[0] == 0.5);
}

TEST_CASE("reference embedding and positions: backward matches a complex step",
          "[reference][embedding]") {
  test::Random random(13);
  for (size_t trial = 0; trial < 50; ++trial) {
    const size_t V = 1 + random.Below(7), C = 1 + random.Below(6), T = 1 + random.Below(5);
    const size_t N = T * (1 + random.Below(3));
    const std::vector<int32_t> tokens = random.Tokens(N, V);
    const auto d_out = random.NormalVector<double>(N * C);
    std::vector<Argument> arguments = {
        {"table", random.NormalVector<double>(V * C), std::vector<double>(V * C)},
        {"positions", random.NormalVector<double>(T * C), std::vector<double>(T * C)}};
    EmbeddingBackward(N, C, tokens.data(), d_out.data(), arguments[0].gradient.data());
    AccumulateRepeatedRows(N, C, T, d_out.data(), arguments[1].gradient.data());
    test::CheckGradients(arguments, test::kReferenceGradientError,
                         [&](const ComplexArguments& point) {
                           std::vector<Complex> out(N * C);
                           EmbeddingForward(N, C, tokens.data(), point[0].data(), out.data());
                           AddRepeatedRows(N, C, T, point[1].data(), out.data());
                           return test::Dot(d_out, out);
                         });
  }
}

TEST_CASE("reference sinusoidal positions: known values", "[reference][embedding]") {
  const std::vector<double> table = SinusoidalPositions(3, 4);
  // Columns 0 and 1 turn by 1 a token, columns 2 and 3 by 1 / sqrt(10000).
  const std::vector<double> expected = {0, 1, 0, 1, std::sin(1.0), std::cos(1.0), std::sin(0.01),
                                        std::cos(0.01), std::sin(2.0), std::cos(2.0),
                                        std::sin(0.02), std::cos(0.02)};
  HEED_CHECK_NEAR(test::Near("P", expected, table, {1e-15, 0}, {3, 4}));
}

TEST_CASE("reference dropout: kept elements scale both ways (R104)", "[reference][dropout]") {
  const std::vector<double> factors = {0.0, 1.0 / 0.75};
  std::vector<double> x = {3.0, 3.0};
  ApplyDropout(factors, 2, x.data());
  CHECK(x[0] == 0.0);
  CHECK(std::abs(x[1] - 4.0) <= 1e-15);
  ApplyDropout({}, 2, x.data());
  CHECK(std::abs(x[1] - 4.0) <= 1e-15);
}

}  // namespace
}  // namespace heed::reference
