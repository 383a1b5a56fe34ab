// SPDX-License-Identifier: MIT
#include "kernels/sgd.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "reference/sgd.h"
#include "support/guarded.h"
#include "support/near.h"
#include "support/random.h"

namespace heed::test {
namespace {

constexpr double kUnit = 0x1p-24;  // rounding unit of float

TEST_CASE("sgd: every length and misalignment follows double over five steps") {
  Random random(1);
  ForEachLength([&](size_t n, size_t offset) {
    const auto start = random.NormalVector(n, 0.1);
    Guarded p(start, offset), velocity(n, offset + 1);
    auto p64 = Convert<double>(start);
    std::vector<double> velocity64(n);
    for (size_t step = 1; step <= 5; ++step) {
      const SgdStep s{0.1f, 0.9f, step % 2 == 0 ? 0.0f : 0.1f, 0.5f};
      const auto gradient = random.NormalVector(n);
      Guarded g(gradient, offset + 3);
      SgdUpdate(s, g.span(), p.span(), velocity.span());
      const auto g64 = Convert<double>(gradient);
      reference::SgdUpdate({s.learning_rate, s.momentum, s.weight_decay, s.gradient_scale}, n,
                           g64.data(), p64.data(), velocity64.data());
      CHECK(SameBits(g.Values(), gradient));
      CHECK(g.Intact());
    }
    // docs/numerics.md: the velocity stays below 10 and rounds twice a step; it enters p times 0.1.
    HEED_CHECK_NEAR(Near("velocity", velocity64, velocity.Values(), {5 * 2 * 10 * kUnit, 0}));
    HEED_CHECK_NEAR(Near("p", p64, p.Values(), {5 * 3 * 10 * kUnit, 0}));
    CHECK((p.Intact() && velocity.Intact()));
  });
}

TEST_CASE("sgd: known values") {
  ForEachTarget([](const char* target) {
    INFO(target);
    float p = 1.0f, g = 0.5f, velocity = 0.25f;
    SgdUpdate({0.1f, 0.9f, 0.5f, 2.0f}, {&g, 1}, {&p, 1}, {&velocity, 1});
    // velocity 0.9 * 0.25 + 2 * 0.5; p 1 - 0.1 * 0.5 - 0.1 * 1.225.
    CHECK(std::abs(velocity - 1.225f) < 1e-6f);
    CHECK(std::abs(p - 0.8275f) < 1e-6f);
  });
}

TEST_CASE("R084 sgd: without gradient only decaying tensors change") {
  ForEachTarget([](const char* target) {
    INFO(target);
    const std::vector<float> start = {1.0f, -0.0f, -2.5f, 1e-42f, 7.0f}, zeros(5, 0.0f);
    auto p = start, velocity = zeros;
    SgdUpdate({0.1f, 0.9f, 0.0f, 1.0f}, {zeros.data(), 5}, {p.data(), 5}, {velocity.data(), 5});
    CHECK(SameBits(p, start));
    SgdUpdate({0.1f, 0.9f, 0.1f, 1.0f}, {zeros.data(), 5}, {p.data(), 5}, {velocity.data(), 5});
    HEED_CHECK_NEAR(Near("p", std::vector<double>{0.99, 0.0, -2.475, 1e-42, 6.93}, p,
                         {1e-43, 4 * kUnit}));
  });
}

TEST_CASE("R154 sgd: subnormal velocities become 0, NaN stays") {
  ForEachTarget([](const char* target) {
    INFO(target);
    const size_t n = 37;
    std::vector<float> p(n, 1.0f), g(n, 0.0f), velocity(n, 1e-39f);
    g[5] = std::numeric_limits<float>::quiet_NaN();
    g[36] = 1.0f;
    SgdUpdate({0.1f, 0.9f, 0.0f, 1.0f}, {g.data(), n}, {p.data(), n}, {velocity.data(), n});
    for (size_t i = 0; i < n; ++i) {
      if (i == 5) {
        CHECK(std::isnan(velocity[i]));
        CHECK(std::isnan(p[i]));
      } else {
        CHECK(velocity[i] == (i == 36 ? 1.0f : 0.0f));
      }
    }
  });
}

}  // namespace
}  // namespace heed::test
