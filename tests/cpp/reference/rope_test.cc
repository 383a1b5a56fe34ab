// SPDX-License-Identifier: MIT
#include "reference/rope.h"

#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "support/gradient_check.h"

namespace heed::reference {
namespace {

using test::Complex;
using test::ComplexArguments;

TEST_CASE("reference RoPE: both layouts at position 1 (R095)", "[reference][rope]") {
  std::vector<double> x = {1, 2, 3, 4};
  RopeRotate({RopeLayout::kInterleaved, 10000.0, 1, 1}, RopeDirection::kForward, 1, 1, 4,
             x.data());
  HEED_CHECK_NEAR(test::Near("interleaved",
                             std::vector<double>{-1.14264, 1.92208, 2.95985, 4.02980}, x,
                             {5e-6, 0}));
  x = {1, 2, 3, 4};
  RopeRotate({RopeLayout::kHalves, 10000.0, 1, 1}, RopeDirection::kForward, 1, 1, 4, x.data());
  HEED_CHECK_NEAR(test::Near("halves", std::vector<double>{-1.98411, 1.95990, 2.46238, 4.01980},
                             x, {5e-6, 0}));
}

TEST_CASE("reference RoPE: backward matches a complex step and undoes forward",
          "[reference][rope]") {
  test::Random random(9);
  for (const RopeLayout layout : {RopeLayout::kHalves, RopeLayout::kInterleaved}) {
    for (size_t D = 2; D <= 22; D += 2) {
      const size_t period = 1 + random.Below(5), rows = period * (1 + random.Below(3));
      const size_t heads = 1 + random.Below(3);
      const RopeOptions options{layout, 50.0, random.Below(4), period};
      const auto x = random.NormalVector<double>(rows * heads * D);
      const auto d_y = random.NormalVector<double>(x.size());
      std::vector<double> d_x = d_y;
      RopeRotate(options, RopeDirection::kBackward, rows, heads, D, d_x.data());
      INFO("D " << D << " rows " << rows << " heads " << heads);
      test::CheckGradients({{"x", x, d_x}}, test::kReferenceGradientError,
                           [&](const ComplexArguments& point) {
                             std::vector<Complex> y = point[0];
                             RopeRotate(options, RopeDirection::kForward, rows, heads, D,
                                        y.data());
                             return test::Dot(d_y, y);
                           });
      std::vector<double> back = x;
      RopeRotate(options, RopeDirection::kForward, rows, heads, D, back.data());
      RopeRotate(options, RopeDirection::kBackward, rows, heads, D, back.data());
      HEED_CHECK_NEAR(test::Near("round trip", x, back, {1e-14, 0}));
    }
  }
}

}  // namespace
}  // namespace heed::reference
