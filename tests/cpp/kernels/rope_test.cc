// SPDX-License-Identifier: MIT
#include "kernels/rope.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <vector>

#include "reference/rope.h"
#include "support/guarded.h"
#include "support/near.h"
#include "support/random.h"

namespace heed::test {
namespace {

constexpr double kUnit = 0x1p-24;  // rounding unit of float
constexpr RopeLayout kLayouts[] = {RopeLayout::kHalves, RopeLayout::kInterleaved};

reference::RopeOptions Twin(RopeLayout layout, double base, size_t first, size_t period) {
  return {static_cast<reference::RopeLayout>(layout), base, first, period};
}

struct Tables {
  Tables(size_t time, size_t pairs, float base)
      : cosines(time * pairs), sines(time * pairs), time_(time), pairs_(pairs) {
    FillRopeTables(base, {cosines.data(), time, pairs}, {sines.data(), time, pairs});
  }
  ConstMatrix c() const { return {cosines.data(), time_, pairs_}; }
  ConstMatrix s() const { return {sines.data(), time_, pairs_}; }
  std::vector<float> cosines, sines;

 private:
  size_t time_, pairs_;
};

TEST_CASE("R063 rope: tables are right at position 8191") {
  const size_t time = 8192, pairs = 32;
  const Tables tables(time, pairs, 10000.0f);
  std::vector<double> cosines(time * pairs), sines(time * pairs);
  for (size_t t = 0; t < time; ++t) {
    for (size_t i = 0; i < pairs; ++i) {
      const double angle =
          static_cast<double>(t) * std::exp(-std::log(10000.0) * static_cast<double>(i) / 32.0);
      cosines[t * pairs + i] = std::cos(angle);
      sines[t * pairs + i] = std::sin(angle);
    }
  }
  HEED_CHECK_NEAR(Near("cosines", cosines, tables.cosines, {1e-7, 0}, {time, pairs}));
  HEED_CHECK_NEAR(Near("sines", sines, tables.sines, {1e-7, 0}, {time, pairs}));
}

TEST_CASE("rope: tables of other bases, strided, and of nothing") {
  Guarded cosines(5, 3, 7, 1), sines(5, 3, 7, 2);
  FillRopeTables(500.0f, cosines.matrix(), sines.matrix());
  CHECK((cosines.Intact() && sines.Intact()));
  CHECK(std::abs(cosines.matrix()(4, 2) - std::cos(4.0 * std::pow(500.0, -2.0 / 3.0))) < 1e-7);
  CHECK(std::abs(sines.matrix()(3, 1) - std::sin(3.0 * std::pow(500.0, -1.0 / 3.0))) < 1e-7);
  FillRopeTables(500.0f, {nullptr, 0, 3}, {nullptr, 0, 3});
  // Tables that start later hold the same numbers.
  Guarded later_cosines(2, 3, 3, 0), later_sines(2, 3, 3, 0);
  FillRopeTables(500.0f, later_cosines.matrix(), later_sines.matrix(), 3);
  for (size_t t = 0; t < 2; ++t) {
    for (size_t i = 0; i < 3; ++i) {
      CHECK(later_cosines.matrix()(t, i) == cosines.matrix()(3 + t, i));
      CHECK(later_sines.matrix()(t, i) == sines.matrix()(3 + t, i));
    }
  }
}

TEST_CASE("R095 rope: the two layouts") {
  const Tables tables(2, 2, 10000.0f);
  ForEachTarget([&](const char* target) {
    INFO(target);
    std::vector<float> x = {1.0f, 2.0f, 3.0f, 4.0f};
    RopeRotate(RopeLayout::kInterleaved, RopeDirection::kForward, tables.c(), tables.s(), 1, 1,
               {x.data(), 1, 4});
    HEED_CHECK_NEAR(Near("interleaved",
                         std::vector<double>{-1.14264, 1.92208, 2.95985, 4.02980}, x, {5e-6, 0}));
    x = {1.0f, 2.0f, 3.0f, 4.0f};
    RopeRotate(RopeLayout::kHalves, RopeDirection::kForward, tables.c(), tables.s(), 1, 1,
               {x.data(), 1, 4});
    HEED_CHECK_NEAR(Near("halves", std::vector<double>{-1.98411, 1.95990, 2.46238, 4.01980}, x,
                         {5e-6, 0}));
  });
}

TEST_CASE("rope: every number of pairs, misalignment, layout and direction matches double") {
  Random random(1);
  ForEachLength([&](size_t pairs, size_t offset) {
    if (pairs == 0 || pairs > 130) return;
    const size_t rows = 5, heads = 2, width = 2 * pairs, cols = heads * width, period = 3;
    const size_t first = 4;
    const Tables tables(first + period, pairs, 10000.0f);
    const auto x = random.NormalVector(rows * cols);
    for (const RopeLayout layout : kLayouts) {
      for (const bool forward : {true, false}) {
        auto expected = Convert<double>(x);
        reference::RopeRotate(Twin(layout, 10000.0, first, period),
                              forward ? reference::RopeDirection::kForward
                                      : reference::RopeDirection::kBackward,
                              rows, heads, width, expected.data());
        Guarded out(rows, cols, cols + 3, offset, x);
        RopeRotate(layout, forward ? RopeDirection::kForward : RopeDirection::kBackward,
                   tables.c(), tables.s(), first, period, out.matrix());
        // Two products of |x| <= 5 with a rounded cosine and sine, one sum.
        HEED_CHECK_NEAR(Near("x", expected, out.Values(), {5 * 5.0 * kUnit, 0}));
        CHECK(out.Intact());
      }
    }
  });
}

TEST_CASE("rope: backward is the transposed rotation") {
  Random random(2);
  const size_t rows = 6, pairs = 9, cols = 2 * pairs * 2;
  const Tables tables(rows, pairs, 10000.0f);
  ForEachTarget([&](const char* target) {
    for (const RopeLayout layout : kLayouts) {
      INFO(target << ", layout " << static_cast<int>(layout));
      const auto x = random.NormalVector(rows * cols), d_y = random.NormalVector(rows * cols);
      auto y = x, d_x = d_y;
      RopeRotate(layout, RopeDirection::kForward, tables.c(), tables.s(), 0, rows,
                 {y.data(), rows, cols});
      RopeRotate(layout, RopeDirection::kBackward, tables.c(), tables.s(), 0, rows,
                 {d_x.data(), rows, cols});
      // <d_y, R x> = <R' d_y, x>, and R' R is the identity.
      double left = 0.0, right = 0.0, size = 0.0;
      for (size_t i = 0; i < x.size(); ++i) {
        left += double{d_y[i]} * double{y[i]};
        right += double{d_x[i]} * double{x[i]};
        size += std::abs(double{d_y[i]} * double{y[i]});
      }
      CHECK(std::abs(left - right) <= 8 * kUnit * size);
      RopeRotate(layout, RopeDirection::kBackward, tables.c(), tables.s(), 0, rows,
                 {y.data(), rows, cols});
      HEED_CHECK_NEAR(Near("R' R x", x, y, {8 * 5.0 * kUnit, 0}));
    }
  });
}

TEST_CASE("rope: scores depend on the distance of positions alone") {
  Random random(3);
  const size_t pairs = 16, width = 2 * pairs;
  const Tables tables(600, pairs, 10000.0f);
  const auto q = random.NormalVector(width), k = random.NormalVector(width);
  for (const RopeLayout layout : kLayouts) {
    const auto score = [&](size_t query, size_t key) {
      auto a = q, b = k;
      RopeRotate(layout, RopeDirection::kForward, tables.c(), tables.s(), query, 1,
                 {a.data(), 1, width});
      RopeRotate(layout, RopeDirection::kForward, tables.c(), tables.s(), key, 1,
                 {b.data(), 1, width});
      double sum = 0.0;
      for (size_t i = 0; i < width; ++i) sum += double{a[i]} * double{b[i]};
      return sum;
    };
    CHECK(std::abs(score(17, 5) - score(517, 505)) < 1e-5);
    CHECK(std::abs(score(17, 5) - score(18, 5)) > 1e-3);
  }
}

}  // namespace
}  // namespace heed::test
