// SPDX-License-Identifier: MIT
#include "kernels/lion.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "reference/lion.h"
#include "support/guarded.h"
#include "support/near.h"
#include "support/random.h"

namespace heed::test {
namespace {

constexpr double kUnit = 0x1p-24;  // rounding unit of float

TEST_CASE("lion: every length and misalignment follows double over five steps") {
  Random random(1);
  ForEachLength([&](size_t n, size_t offset) {
    const auto start = random.NormalVector(n, 0.1);
    Guarded p(start, offset), m(n, offset + 1);
    auto p64 = Convert<double>(start);
    std::vector<double> m64(n);
    for (size_t step = 1; step <= 5; ++step) {
      const LionStep s{0.01f, 0.9f, 0.99f, step % 2 == 0 ? 0.0f : 0.1f, 0.5f};
      const reference::LionStep s64{s.learning_rate, s.beta1, s.beta2, s.weight_decay,
                                    s.gradient_scale};
      auto gradient = random.NormalVector(n);
      for (size_t i = 0; i < n; ++i) {
        // A sign near 0 is anybody's guess: no such direction here.
        while (std::abs(reference::LionDirection(s64, gradient[i], m64[i])) < 1e-4) {
          gradient[i] += 0.25f;
        }
      }
      Guarded g(gradient, offset + 3);
      LionUpdate(s, g.span(), p.span(), m.span());
      const auto g64 = Convert<double>(gradient);
      reference::LionUpdate(s64, n, g64.data(), p64.data(), m64.data());
      CHECK(SameBits(g.Values(), gradient));
      CHECK(g.Intact());
    }
    // docs/numerics.md: 1 - beta is off by half a unit of 1, and each step rounds three times.
    HEED_CHECK_NEAR(Near("m", m64, m.Values(), {5 * 4 * kUnit, 0}));
    HEED_CHECK_NEAR(Near("p", p64, p.Values(), {5 * 3 * kUnit, 0}));
    CHECK((p.Intact() && m.Intact()));
  });
}

TEST_CASE("lion: known values") {
  ForEachTarget([](const char* target) {
    INFO(target);
    std::vector<float> p = {1.0f, 1.0f, 1.0f}, g = {0.5f, -0.5f, 0.0f}, m = {-0.01f, 0.2f, 0.0f};
    LionUpdate({0.1f, 0.9f, 0.99f, 0.5f, 2.0f}, {g.data(), 3}, {p.data(), 3}, {m.data(), 3});
    // Directions -0.009 + 0.1, 0.18 - 0.1 and 0; p loses 0.05 to the decay.
    const std::vector<double> expected = {0.85, 0.85, 0.95}, momentum = {0.0001, 0.188, 0.0};
    HEED_CHECK_NEAR(Near("p", expected, p, {2e-7, 0}));
    HEED_CHECK_NEAR(Near("m", momentum, m, {2e-8, 0}));
  });
}

TEST_CASE("R084 lion: without gradient and momentum only decaying tensors change") {
  ForEachTarget([](const char* target) {
    INFO(target);
    const std::vector<float> start = {1.0f, -0.0f, -2.5f, 1e-42f, 7.0f}, zeros(5, 0.0f);
    auto p = start, m = zeros;
    LionUpdate({0.1f, 0.9f, 0.99f, 0.0f, 1.0f}, {zeros.data(), 5}, {p.data(), 5}, {m.data(), 5});
    CHECK(SameBits(p, start));
    LionUpdate({0.1f, 0.9f, 0.99f, 0.1f, 1.0f}, {zeros.data(), 5}, {p.data(), 5}, {m.data(), 5});
    HEED_CHECK_NEAR(Near("p", std::vector<double>{0.99, 0.0, -2.475, 1e-42, 6.93}, p,
                         {1e-43, 4 * kUnit}));
  });
}

TEST_CASE("R154 lion: subnormal momenta become 0, NaN stays") {
  ForEachTarget([](const char* target) {
    INFO(target);
    const size_t n = 37;
    std::vector<float> p(n, 1.0f), g(n, 0.0f), m(n, 1e-39f);
    g[5] = std::numeric_limits<float>::quiet_NaN();
    g[36] = 1.0f;
    LionUpdate({0.1f, 0.9f, 0.99f, 0.0f, 1.0f}, {g.data(), n}, {p.data(), n}, {m.data(), n});
    for (size_t i = 0; i < n; ++i) {
      if (i == 5) {
        CHECK(std::isnan(m[i]));
        CHECK(std::isnan(p[i]));
      } else {
        CHECK(m[i] == (i == 36 ? 1.0f - 0.99f : 0.0f));
      }
    }
  });
}

}  // namespace
}  // namespace heed::test
