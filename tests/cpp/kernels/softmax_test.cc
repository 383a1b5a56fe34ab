// SPDX-License-Identifier: MIT
#include "kernels/softmax.h"

#include "reference/softmax.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "support/guarded.h"
#include "support/near.h"
#include "support/random.h"

namespace heed::test {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr double kUnit = 0x1p-24;  // rounding unit of float

TEST_CASE("softmax: every length and misalignment, in place too, matches double") {
  Random random(1);
  ForEachLength([&](size_t n, size_t offset) {
    const auto x = random.UniformVector(n, -10.0, 10.0);
    const auto x64 = Convert<double>(x);
    std::vector<double> y(n);
    reference::Softmax(n, x64.data(), y.data());
    Guarded in(x, offset), out(n, offset + 1);
    Softmax(in.span(), out.span());
    // docs/numerics.md, softmax: 20 u from rounding x - max, 4 u exp, 13 u the sum, 2 u the
    // quotient.
    HEED_CHECK_NEAR(Near("y", y, out.Values(), {0, 40 * kUnit}));
    const auto values = out.Values();
    Softmax(in.span(), in.span());
    CHECK(SameBits(in.Values(), values));
    CHECK((in.Intact() && out.Intact()));
  });
}

TEST_CASE("softmax: rows sum to 1 within 1e-6 up to a large vocabulary") {
  ForEachTarget([&](const char* target) {
    for (const size_t n : {1, 65, 1000, 4096, 50257, 128000}) {
      for (const double spread : {0.0, 1.0, 30.0}) {
        INFO("target " << target << ", n " << n << ", spread " << spread);
        Random random(2);
        auto x = random.NormalVector(n, spread);
        Softmax({x.data(), n}, {x.data(), n});
        double sum = 0.0;
        for (const float y : x) sum += double{y};
        CHECK(std::abs(sum - 1.0) <= 1e-6);
      }
    }
  });
}

TEST_CASE("softmax: a NaN anywhere makes the whole row NaN (R059, R066)") {
  ForEachTarget([&](const char* target) {
    std::vector<float> three = {kNan, 0.0f, 0.0f};
    Softmax({three.data(), 3}, {three.data(), 3});
    for (const float y : three) CHECK(std::isnan(y));
    for (size_t n = 1; n <= 67; ++n) {
      for (size_t place = 0; place < n; ++place) {
        std::vector<float> x(n, 0.5f);
        x[place] = kNan;
        Softmax({x.data(), n}, {x.data(), n});
        size_t nans = 0;
        for (const float y : x) nans += std::isnan(y);
        INFO("target " << target << ", n " << n << ", NaN at " << place);
        CHECK(nans == n);
      }
    }
  });
}

TEST_CASE("softmax: logits of any size; an infinite one is no probability") {
  ForEachTarget([&](const char* target) {
    INFO("target " << target);
    std::vector<float> x = {1e6f, 1e6f - 1.0f, -1e6f, 3e38f, -3e38f};
    Softmax({x.data(), 3}, {x.data(), 3});
    CHECK(std::abs(x[0] - 0.731058579f) <= 1e-6f);
    CHECK(std::abs(x[1] - 0.268941421f) <= 1e-6f);
    CHECK(x[2] == 0.0f);
    Softmax({x.data() + 3, 2}, {x.data() + 3, 2});
    CHECK((x[3] == 1.0f && x[4] == 0.0f));
    std::vector<float> infinite = {0.0f, std::numeric_limits<float>::infinity()};
    Softmax({infinite.data(), 2}, {infinite.data(), 2});
    CHECK(std::isnan(infinite[1]));
    std::vector<float> excluded = {0.0f, -std::numeric_limits<float>::infinity()};
    Softmax({excluded.data(), 2}, {excluded.data(), 2});
    CHECK((excluded[0] == 1.0f && excluded[1] == 0.0f));
  });
}

}  // namespace
}  // namespace heed::test
