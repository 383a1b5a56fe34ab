// SPDX-License-Identifier: MIT
#include "kernels/dropout.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <vector>

#include "base/philox.h"
#include "support/guarded.h"
#include "support/near.h"
#include "support/random.h"

namespace heed::test {
namespace {

// The contract, one element at a time from the scalar generator.
float ScalarFactor(const DropoutSite& site, uint32_t row, size_t element) {
  const uint32_t word = RandomBits(site.key, RandomStream::kDropout,
                                   static_cast<uint32_t>(element / 4), row,
                                   site.site)[element % 4];
  return static_cast<double>(word) < double{site.probability} * 4294967296.0
             ? 0.0f
             : static_cast<float>(1.0 / (1.0 - double{site.probability}));
}

TEST_CASE("dropout: factors are the scalar generator's, at any length, start and alignment") {
  const DropoutSite site{0.3f, 0x0123456789ABCDEFull, 42};
  ForEachLength([&](size_t n, size_t offset) {
    for (const size_t first : {0, 1, 2, 3, 4, 7, 1021}) {
      std::vector<float> expected(n);
      for (size_t i = 0; i < n; ++i) expected[i] = ScalarFactor(site, 9, first + i);
      Guarded factors(n, offset);
      DropoutFactors(site, 9, first, factors.span());
      CHECK(SameBits(factors.Values(), expected));
      CHECK(factors.Intact());
    }
  });
}

TEST_CASE("dropout: applying multiplies by the factors, rows numbered from the first") {
  Random random(1);
  const DropoutSite site{0.25f, 77, 3};
  ForEachLength([&](size_t cols, size_t offset) {
    const size_t rows = 3;
    const uint32_t first_row = 11;
    const auto x = random.NormalVector(rows * cols);
    std::vector<float> expected(x.size());
    for (size_t i = 0; i < x.size(); ++i) {
      const uint32_t row = first_row + static_cast<uint32_t>(i / cols);
      expected[i] = x[i] * ScalarFactor(site, row, i % cols);
    }
    Guarded whole(rows, cols, cols + 3, offset, x);
    ApplyDropout(site, first_row, whole.matrix());
    CHECK(SameBits(whole.Values(), expected));
    CHECK(whole.Intact());
    // The same mask when the rows are done in pieces, as parallel tasks and a backward pass do.
    Guarded pieces(rows, cols, cols + 1, offset + 1, x);
    ApplyDropout(site, first_row + 1, pieces.matrix().Rows(1, 2));
    ApplyDropout(site, first_row, pieces.matrix().Rows(0, 1));
    CHECK(SameBits(pieces.Values(), expected));
  });
}

TEST_CASE("dropout: the share of dropped elements is the probability; sites and rows differ") {
  const size_t n = 200000;
  std::vector<float> factors(n), other(n);
  for (const float probability : {0.05f, 0.5f, 0.9f}) {
    DropoutSite site{probability, 5, 1};
    DropoutFactors(site, 0, 0, {factors.data(), n});
    double dropped = 0.0;
    for (const float factor : factors) dropped += factor == 0.0f;
    const double deviation = std::sqrt(n * probability * (1.0 - probability));
    CHECK(std::abs(dropped - n * double{probability}) < 5.0 * deviation);

    // Independent masks agree in a share p^2 + (1 - p)^2 of the elements.
    const double same = probability * probability + (1 - probability) * (1 - probability);
    const auto check_independent = [&](const DropoutSite& second, uint32_t row) {
      DropoutFactors(second, row, 0, {other.data(), n});
      double agree = 0.0;
      for (size_t i = 0; i < n; ++i) agree += factors[i] == other[i];
      CHECK(std::abs(agree - n * same) < 5.0 * std::sqrt(n * same * (1.0 - same)));
    };
    check_independent({probability, 6, 1}, 0);
    check_independent({probability, 5, 2}, 0);
    check_independent(site, 1);
  }
}

TEST_CASE("R103 dropout: probability 0 changes nothing") {
  Random random(2);
  ForEachTarget([&](const char* target) {
    INFO(target);
    const auto x = random.NormalVector(5 * 19);
    auto y = x;
    y[7] = -0.0f;
    const auto before = y;
    const DropoutSite off;
    CHECK_FALSE(off.active());
    ApplyDropout(off, 0, {y.data(), 5, 19});
    CHECK(SameBits(y, before));
    std::vector<float> factors(37);
    DropoutFactors(off, 0, 0, {factors.data(), factors.size()});
    CHECK(factors == std::vector<float>(37, 1.0f));
  });
}

TEST_CASE("R104 dropout: kept elements scale by 1.3333333, forward and backward alike") {
  ForEachTarget([](const char* target) {
    INFO(target);
    const DropoutSite site{0.25f, 123, 4};
    const size_t rows = 8, cols = 31;
    std::vector<float> y(rows * cols, 1.0f), d_y(rows * cols, 1.0f);
    ApplyDropout(site, 0, {y.data(), rows, cols});
    ApplyDropout(site, 0, {d_y.data(), rows, cols});
    size_t kept = 0;
    for (const float value : y) {
      CHECK((value == 0.0f || std::abs(double{value} - 4.0 / 3.0) < 1e-7));
      kept += value != 0.0f;
    }
    CHECK(kept > rows * cols / 2);
    CHECK(kept < rows * cols);
    CHECK(SameBits(y, d_y));
  });
}

}  // namespace
}  // namespace heed::test
