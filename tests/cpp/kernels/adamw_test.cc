// SPDX-License-Identifier: MIT
#include "kernels/adamw.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "base/clock.h"
#include "kernels/reduce.h"
#include "reference/adamw.h"
#include "support/guarded.h"
#include "support/near.h"
#include "support/random.h"

namespace heed::test {
namespace {

constexpr double kUnit = 0x1p-24;  // rounding unit of float

AdamWStep Step(size_t step, float learning_rate, float beta1, float beta2, float decay,
               float gradient_scale = 1.0f) {
  AdamWStep s;
  s.learning_rate = learning_rate;
  s.beta1 = beta1;
  s.beta2 = beta2;
  s.epsilon = 1e-8f;
  s.weight_decay = decay;
  s.bias_correction1 = static_cast<float>(1.0 - std::pow(double{beta1}, double(step)));
  s.bias_correction2 = static_cast<float>(1.0 - std::pow(double{beta2}, double(step)));
  s.gradient_scale = gradient_scale;
  return s;
}

reference::AdamWStep Twin(size_t step, const AdamWStep& s) {
  return {step,          s.learning_rate, s.beta1,         s.beta2,
          s.epsilon, s.weight_decay,  s.gradient_scale};
}

TEST_CASE("adamw: every length and misalignment follows double over five steps") {
  Random random(1);
  ForEachLength([&](size_t n, size_t offset) {
    const auto start = random.NormalVector(n, 0.1);
    Guarded p(start, offset), m(n, offset + 1), v(n, offset + 2);
    auto p64 = Convert<double>(start);
    std::vector<double> m64(n), v64(n);
    for (size_t step = 1; step <= 5; ++step) {
      const AdamWStep s = Step(step, 1e-2f, 0.9f, 0.99f, step % 2 == 0 ? 0.0f : 0.1f, 0.5f);
      const auto gradient = random.NormalVector(n, 0.01);
      Guarded g(gradient, offset + 3);
      AdamWUpdate(s, g.span(), p.span(), m.span(), v.span());
      const auto g64 = Convert<double>(gradient);
      reference::AdamWUpdate(Twin(step, s), n, g64.data(), p64.data(), m64.data(), v64.data());
      CHECK(SameBits(g.Values(), gradient));
      CHECK(g.Intact());
    }
    // docs/numerics.md: m sums five rounded terms of at most 0.05; an update is at most about
    // learning_rate 5 / sqrt(5), off by some ten roundings; p itself rounds twice a step.
    HEED_CHECK_NEAR(Near("m", m64, m.Values(), {5 * 0.05 * kUnit, 8 * kUnit}));
    HEED_CHECK_NEAR(Near("v", v64, v.Values(), {0, 24 * kUnit}));
    HEED_CHECK_NEAR(Near("p", p64, p.Values(), {5 * 1e-2 * 40 * kUnit, 12 * kUnit}));
    CHECK((p.Intact() && m.Intact() && v.Intact()));
  });
}

TEST_CASE("R083 adamw: epsilon is added after the bias correction") {
  ForEachTarget([](const char* target) {
    INFO(target);
    float p = 0.0f, g = 1e-9f, m = 0.0f, v = 0.0f;
    AdamWUpdate(Step(1, 1e-3f, 0.9f, 0.999f, 0.0f), {&g, 1}, {&p, 1}, {&m, 1}, {&v, 1});
    CHECK(std::abs(p - -9.0909e-5f) < 1e-9f);
  });
}

TEST_CASE("R086 adamw: decay is decoupled") {
  ForEachTarget([](const char* target) {
    INFO(target);
    float p = 0.5f, m = 0.0f, v = 0.0f;
    const float gradients[] = {0.2f, -0.1f, 0.3f};
    const double expected[] = {0.4895000005, 0.4863471303, 0.4795075816};
    for (size_t i = 0; i < 3; ++i) {
      AdamWUpdate(Step(i + 1, 1e-2f, 0.9f, 0.999f, 0.1f), {&gradients[i], 1}, {&p, 1}, {&m, 1},
                  {&v, 1});
      CHECK(std::abs(p - expected[i]) < 1e-7);
    }
  });
}

TEST_CASE("R084 adamw: without gradient only decaying tensors change") {
  Random random(2);
  ForEachTarget([&](const char* target) {
    INFO(target);
    const size_t n = 67;
    auto start = random.NormalVector(n);
    start[0] = -0.0f;
    start[1] = 1e-42f;
    const std::vector<float> zeros(n, 0.0f);
    auto p = start, m = zeros, v = zeros;
    AdamWUpdate(Step(1, 0.1f, 0.9f, 0.999f, 0.0f), {zeros.data(), n}, {p.data(), n},
                {m.data(), n}, {v.data(), n});
    CHECK(SameBits(p, start));
    AdamWUpdate(Step(1, 0.1f, 0.9f, 0.999f, 0.1f), {zeros.data(), n}, {p.data(), n},
                {m.data(), n}, {v.data(), n});
    std::vector<double> decayed(n);
    for (size_t i = 0; i < n; ++i) decayed[i] = 0.99 * double{start[i]};
    HEED_CHECK_NEAR(Near("p", decayed, p, {1e-44, 4 * kUnit}));
  });
}

TEST_CASE("R085 adamw: clipping factor of a norm that f32 squares cannot hold") {
  ForEachTarget([](const char* target) {
    INFO(target);
    const std::vector<float> gradient(128, 1e19f);
    const double norm = std::sqrt(SumOfSquares({gradient.data(), gradient.size()}));
    CHECK(std::abs(norm / 1.1313708e20 - 1.0) < 1e-6);
    const float scale = static_cast<float>(1.0 / norm);
    // After one step from zero, m = (1 - beta1) g shows the gradient that was used.
    std::vector<float> p(128), m(128), v(128);
    AdamWUpdate(Step(1, 1e-3f, 0.5f, 0.999f, 0.0f, scale), {gradient.data(), 128},
                {p.data(), 128}, {m.data(), 128}, {v.data(), 128});
    for (const float value : m) CHECK(std::abs(2.0f * value - 0.0883883f) < 1e-7f);
  });
}

TEST_CASE("R154 adamw: subnormal moments become 0 and cost nothing afterwards") {
  Random random(3);
  ForEachTarget([&](const char* target) {
    INFO(target);
    const size_t n = 40003;
    // Gradients whose squares, and squares times 1 - beta2, lie around the subnormal range.
    std::vector<float> gradient(n), m(n), v(n), p = random.NormalVector(n, 0.02);
    for (size_t i = 0; i < n; ++i) {
      gradient[i] = static_cast<float>(std::pow(10.0, random.Uniform(-44.0, -17.0)));
      m[i] = i % 3 == 0 ? -2e-40f : 0.0f;
      v[i] = i % 10 != 0 ? 1e-39f : 1e-6f;
    }
    const AdamWStep step = Step(100, 1e-3f, 0.9f, 0.999f, 0.1f);
    const auto update = [&](const std::vector<float>& g, std::vector<float>& first,
                            std::vector<float>& second) {
      AdamWUpdate(step, {g.data(), n}, {p.data(), n}, {first.data(), n}, {second.data(), n});
    };
    update(gradient, m, v);
    for (size_t i = 0; i < n; ++i) {
      REQUIRE(std::fpclassify(m[i]) != FP_SUBNORMAL);
      REQUIRE(std::fpclassify(v[i]) != FP_SUBNORMAL);
    }
    CHECK(v[1] == 0.0f);
    CHECK(v[0] > 9e-7f);
    CHECK(std::all_of(p.begin(), p.end(), [](float x) { return std::isfinite(x); }));

    // Against ordinary numbers. A subnormal state is over 40 times as slow (docs/numerics.md); 3
    // leaves room for the noise of a busy machine in the shortest of 20 runs.
    gradient.assign(n, 1e-20f);  // its square is subnormal
    const std::vector<float> g_ordinary(n, 1e-3f);
    std::vector<float> m_ordinary(n, 1e-3f), v_ordinary(n, 1e-6f);
    double flushed_ms = 1e9, ordinary_ms = 1e9;
    for (int run = 0; run < 20; ++run) {
      const double start = NowMs();
      update(gradient, m, v);
      const double middle = NowMs();
      update(g_ordinary, m_ordinary, v_ordinary);
      flushed_ms = std::min(flushed_ms, middle - start);
      ordinary_ms = std::min(ordinary_ms, NowMs() - middle);
    }
    INFO("flushed " << flushed_ms << " ms, ordinary " << ordinary_ms << " ms");
    CHECK(flushed_ms <= 3.0 * ordinary_ms + 0.05);
  });
}

TEST_CASE("adamw: a NaN gradient is not hidden by the flush") {
  ForEachTarget([](const char* target) {
    INFO(target);
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(),
                            std::numeric_limits<float>::infinity()}) {
      float p = 1.0f, m = 0.0f, v = 0.0f;
      AdamWUpdate(Step(1, 1e-3f, 0.9f, 0.999f, 0.0f), {&bad, 1}, {&p, 1}, {&m, 1}, {&v, 1});
      CHECK_FALSE(std::isfinite(m));
      CHECK_FALSE(std::isfinite(v));
      CHECK_FALSE(std::isfinite(p));
    }
  });
}

}  // namespace
}  // namespace heed::test
