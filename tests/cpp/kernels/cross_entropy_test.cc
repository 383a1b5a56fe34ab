// SPDX-License-Identifier: MIT
#include "kernels/cross_entropy.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "reference/cross_entropy.h"
#include "support/gradient_check.h"
#include "support/guarded.h"
#include "support/near.h"
#include "support/random.h"

namespace heed::test {
namespace {

constexpr double kUnit = 0x1p-24;  // rounding unit of float

Span<const int32_t> View(const std::vector<int32_t>& targets) {
  return {targets.data(), targets.size()};
}

TEST_CASE("cross-entropy: the gradient of a sure answer is exact to its own size") {
  for (const size_t vocab : {2, 14, 65, 3000}) {
    for (const double gap : {1.0, 5.0, 10.0, 16.0}) {
      std::vector<float> logits(vocab, 0.0f);
      for (size_t i = 0; i < vocab; ++i) logits[i] = 0.01f * static_cast<float>(i % 7);
      const size_t target = vocab / 2;
      logits[target] = static_cast<float>(gap + std::log(static_cast<double>(vocab)));
      const std::vector<int32_t> targets = {static_cast<int32_t>(target)};
      std::vector<double> expected(vocab);
      reference::CrossEntropyBackward(1, vocab, Convert<double>(logits).data(), targets.data(), 0.5,
                                      expected.data());
      CrossEntropyForwardBackward({logits.data(), 1, vocab}, View(targets), 0.5f, 0.0f, {});
      CAPTURE(vocab, gap);
      double sum = 0.0;
      for (const float g : logits) sum += g;
      // The reference, too, takes p - 1: in double that is good to 1e-15 here.
      CHECK(std::abs(logits[target] - expected[target]) <=
            4e-6 * std::abs(expected[target]) + 1e-15);
      CHECK(std::abs(sum) <= 1e-6 * std::abs(expected[target]));
    }
  }
}

TEST_CASE("cross-entropy: every length and misalignment matches double") {
  Random random(1);
  ForEachLength([&](size_t vocab, size_t offset) {
    if (vocab == 0) return;
    const size_t rows = 5;
    const float scale = 0.25f, smoothing = (vocab + offset) % 2 == 0 ? 0.0f : 0.2f;
    const auto logits = random.NormalVector(rows * vocab, 3.0);
    auto targets = random.Tokens(rows, vocab);
    targets[1] = -1;
    const auto logits64 = Convert<double>(logits);
    std::vector<double> losses64(rows), smoothed64(rows), d_logits64(rows * vocab);
    const auto expected = reference::CrossEntropyForward(rows, vocab, logits64.data(),
                                                         targets.data(), losses64.data());
    const auto smoothed =
        reference::CrossEntropyForward(rows, vocab, logits64.data(), targets.data(),
                                       smoothed64.data(), double{smoothing});
    reference::CrossEntropyBackward(rows, vocab, logits64.data(), targets.data(), double{scale},
                                    d_logits64.data(), double{smoothing});

    Guarded in(rows, vocab, vocab + 3, offset, logits), losses(rows, offset + 1);
    const LossSum forward = CrossEntropyForward(in.matrix(), View(targets), losses.span());
    // docs/numerics.md: relative error of the sum of exponentials 12 roundings plus those of
    // x - max, up to 25 here; the rest of a loss is double.
    const Tolerance loss_tolerance{48 * kUnit, 2 * kUnit};
    CHECK(forward.count == expected.count);
    CHECK(std::abs(forward.sum - expected.sum) <= rows * 48 * kUnit);
    HEED_CHECK_NEAR(Near("losses", losses64, losses.Values(), loss_tolerance));
    CHECK(losses.Values()[1] == 0.0f);
    CHECK(SameBits(in.Values(), logits));

    const auto forward_losses = losses.Values();
    const LossSum both =
        CrossEntropyForwardBackward(in.matrix(), View(targets), scale, smoothing, losses.span());
    CHECK(both.count == forward.count);
    if (smoothing == 0.0f) {
      CHECK(both.sum == forward.sum);
      CHECK(SameBits(losses.Values(), forward_losses));
    }
    CHECK(std::abs(both.sum - smoothed.sum) <= rows * 48 * kUnit);
    HEED_CHECK_NEAR(Near("smoothed losses", smoothed64, losses.Values(), loss_tolerance));
    HEED_CHECK_NEAR(Near("d_logits", d_logits64, in.Values(), {48 * kUnit * scale, 0}));
    CHECK((in.Intact() && losses.Intact()));

    Guarded again(rows, vocab, vocab, offset, logits);
    const LossSum without =
        CrossEntropyForwardBackward(again.matrix(), View(targets), scale, smoothing, {});
    CHECK(without.sum == both.sum);
    CHECK(SameBits(again.Values(), in.Values()));
  });
}

TEST_CASE("cross-entropy: gradient matches the complex step") {
  Random random(2);
  const size_t rows = 4, vocab = 65;
  const auto logits = random.NormalVector(rows * vocab, 2.0);
  auto targets = random.Tokens(rows, vocab);
  targets[2] = -1;
  const double scale = 1.0 / 3.0;
  ForEachTarget([&](const char* target) {
    for (const float smoothing : {0.0f, 0.125f}) {
      INFO(target << ", smoothing " << smoothing);
      auto d_logits = logits;
      (void)CrossEntropyForwardBackward({d_logits.data(), rows, vocab}, View(targets),
                                        static_cast<float>(scale), smoothing, {});
      CheckGradients({{"logits", Convert<double>(logits), Convert<double>(d_logits)}},
                     kKernelGradientError, [&](const ComplexArguments& point) {
                       return scale * reference::CrossEntropyForward<Complex>(
                                          rows, vocab, point[0].data(), targets.data(), nullptr,
                                          double{smoothing})
                                          .sum;
                     });
    }
  });
}

TEST_CASE("R073 cross-entropy: no counted row gives no loss and no gradient") {
  Random random(3);
  ForEachTarget([&](const char* target) {
    INFO(target);
    const std::vector<int32_t> targets(6, -1);
    auto logits = random.NormalVector(6 * 9);
    logits[20] = std::numeric_limits<float>::quiet_NaN();  // not counted, so not looked at
    std::vector<float> losses(6, 7.0f);
    const LossSum forward = CrossEntropyForward({logits.data(), 6, 9}, View(targets), {});
    CHECK(forward.sum == 0.0);
    CHECK(forward.count == 0);
    const LossSum both = CrossEntropyForwardBackward({logits.data(), 6, 9}, View(targets), 1.0f,
                                                     0.0f, {losses.data(), 6});
    CHECK(both.sum == 0.0);
    CHECK(both.count == 0);
    CHECK(logits == std::vector<float>(6 * 9, 0.0f));
    CHECK(losses == std::vector<float>(6, 0.0f));
    CHECK(CrossEntropyForward({nullptr, 0, 9}, {}, {}).count == 0);
  });
}

TEST_CASE("R074 cross-entropy: twenty million losses of one do not lose count") {
  // log(1 + e^x) = 1 for x = log(e - 1): each row's loss is 1 to the last bit of a float. A running
  // f32 sum stops at 2^24 and would give a mean of 0.8388608.
  const float x = static_cast<float>(std::log(std::exp(1.0) - 1.0));
  const size_t rows = 200000, calls = 100;
  std::vector<float> logits(2 * rows);
  for (size_t row = 0; row < rows; ++row) logits[2 * row + 1] = x;
  const std::vector<int32_t> targets(rows, 0);
  LossSum total;
  for (size_t call = 0; call < calls; ++call) {
    const LossSum part = CrossEntropyForward({logits.data(), rows, 2}, View(targets), {});
    total.sum += part.sum;
    total.count += part.count;
  }
  CHECK(total.count == 20000000);
  CHECK(std::abs(total.sum / static_cast<double>(total.count) - 1.0) < 1e-7);
}

TEST_CASE("R075 cross-entropy: large logits do not overflow") {
  ForEachTarget([](const char* target) {
    INFO(target);
    const std::vector<float> row = {1000.0f, 0.0f, -1000.0f};
    const double expected[] = {0.0, 1000.0, 2000.0};
    for (int32_t k = 0; k < 3; ++k) {
      CHECK(CrossEntropyForward({row.data(), 1, 3}, {&k, 1}, {}).sum == expected[k]);
      auto d_row = row;
      (void)CrossEntropyForwardBackward({d_row.data(), 1, 3}, {&k, 1}, 1.0f, 0.0f, {});
      std::vector<float> gradient = {1.0f, 0.0f, 0.0f};
      gradient[static_cast<size_t>(k)] -= 1.0f;
      CHECK(d_row == gradient);
    }
    const std::vector<float> uniform(65, 1e4f);
    const int32_t last = 64;
    CHECK(std::abs(CrossEntropyForward({uniform.data(), 1, 65}, {&last, 1}, {}).sum -
                   4.1743873) < 1e-6);
  });
}

TEST_CASE("cross-entropy: a vocabulary of 50257") {
  Random random(4);
  const size_t vocab = 50257;
  const auto logits = random.NormalVector(vocab, 2.0);
  const auto logits64 = Convert<double>(logits);
  const int32_t token = 50256;
  const double expected =
      reference::CrossEntropyForward<double>(1, vocab, logits64.data(), &token, nullptr).sum;
  ForEachTarget([&](const char* target) {
    INFO(target);
    const double actual = CrossEntropyForward({logits.data(), 1, vocab}, {&token, 1}, {}).sum;
    CHECK(std::abs(actual - expected) < 1e-6);
  });
}

TEST_CASE("R066 cross-entropy: one bad logit makes loss and gradient non-finite at each place") {
  ForEachTarget([](const char* target) {
    for (size_t n = 1; n <= 67; ++n) {
      const int32_t token = static_cast<int32_t>(n / 2);
      for (size_t at = 0; at < n; ++at) {
        for (const float bad : {std::numeric_limits<float>::quiet_NaN(),
                                std::numeric_limits<float>::infinity()}) {
          INFO(target << ", n " << n << ", at " << at << ", value " << bad);
          std::vector<float> row(n, 0.5f);
          row[at] = bad;
          REQUIRE(std::isnan(CrossEntropyForward({row.data(), 1, n}, {&token, 1}, {}).sum));
          (void)CrossEntropyForwardBackward({row.data(), 1, n}, {&token, 1}, 1.0f, 0.0f, {});
          for (const float value : row) REQUIRE(std::isnan(value));
          std::vector<float> smoothed(n, 0.5f);
          smoothed[at] = bad;
          const LossSum loss =
              CrossEntropyForwardBackward({smoothed.data(), 1, n}, {&token, 1}, 1.0f, 0.1f, {});
          REQUIRE(std::isnan(loss.sum));
          for (const float value : smoothed) REQUIRE(std::isnan(value));
        }
      }
    }
  });
}

}  // namespace
}  // namespace heed::test
