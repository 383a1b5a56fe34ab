// SPDX-License-Identifier: MIT
#include "model/sampler.h"

#include <cmath>
#include <limits>
#include <vector>

#include "catch2/catch_test_macros.hpp"

namespace heed::test {
namespace {

Result<int32_t> SampleToken(const SamplingConfig& config, uint64_t draw, ConstSpan logits,
                            Span<float> probabilities, Span<int32_t> order) {
  const Result<SamplingPool> pool = PoolOf(config, logits, probabilities, order);
  if (!pool.ok()) return pool.status();
  return DrawToken(config, draw, *pool, probabilities, order);
}

struct Sampler {
  std::vector<float> logits;
  int32_t Draw(const SamplingConfig& config, uint64_t draw) {
    std::vector<float> probabilities(logits.size());
    std::vector<int32_t> order(logits.size());
    const Result<int32_t> token =
        SampleToken(config, draw, {logits.data(), logits.size()},
                    {probabilities.data(), probabilities.size()}, {order.data(), order.size()});
    REQUIRE(token.ok());
    return *token;
  }
  std::vector<double> Frequencies(const SamplingConfig& config, int draws = 20000) {
    std::vector<double> counts(logits.size(), 0.0);
    for (int i = 0; i < draws; ++i) counts[static_cast<size_t>(Draw(config, i))] += 1.0 / draws;
    return counts;
  }
};

TEST_CASE("temperature 0 takes the likeliest token, a negative one is refused, R129") {
  Sampler sampler{{0.5f, 2.0f, 2.0f, -1.0f}};
  SamplingConfig config;
  config.temperature = 0.0;
  CHECK(sampler.Draw(config, 0) == 1);
  config.temperature = -1.0;
  CHECK(CheckSampling(config).code() == StatusCode::kInvalidArgument);
  config.temperature = std::numeric_limits<double>::quiet_NaN();
  CHECK(CheckSampling(config).code() == StatusCode::kInvalidArgument);
  config.temperature = 1e-30;
  REQUIRE(CheckSampling(config).ok());
  sampler.logits[2] = 1.9f;
  for (uint64_t draw = 0; draw < 100; ++draw) CHECK(sampler.Draw(config, draw) == 1);
}

TEST_CASE("top-k of 0 and beyond the vocabulary keeps all, R130") {
  Sampler sampler{{1.0f, 0.0f, 0.5f, -0.5f}};
  for (const uint32_t k : {0u, 4u, 5u, 1000000000u}) {
    SamplingConfig config;
    config.top_k = k;
    for (const double frequency : sampler.Frequencies(config, 4000)) CHECK(frequency > 0.05);
  }
  SamplingConfig config;
  config.top_k = 1;
  for (uint64_t draw = 0; draw < 100; ++draw) CHECK(sampler.Draw(config, draw) == 0);
  config.top_k = 2;
  const std::vector<double> two = sampler.Frequencies(config, 4000);
  CHECK(two[1] == 0.0);
  CHECK(two[3] == 0.0);
}

TEST_CASE("top-p keeps the fewest tokens that reach it") {
  // Probabilities 0.5, 0.25, 0.125, 0.125.
  Sampler sampler{{std::log(4.0f), std::log(2.0f), 0.0f, 0.0f}};
  SamplingConfig config;
  config.top_p = 0.74;
  std::vector<double> frequencies = sampler.Frequencies(config, 4000);
  CHECK(frequencies[2] == 0.0);
  CHECK(frequencies[1] > 0.25);
  config.top_p = 0.5;
  for (uint64_t draw = 0; draw < 1000; ++draw) CHECK(sampler.Draw(config, draw) == 0);
  config.top_p = 0.0;
  CHECK(CheckSampling(config).code() == StatusCode::kInvalidArgument);
  config.top_p = 1.5;
  CHECK(CheckSampling(config).code() == StatusCode::kInvalidArgument);
}

TEST_CASE("draws follow the probabilities and the seed") {
  Sampler sampler{{std::log(0.6f), std::log(0.3f), std::log(0.1f)}};
  SamplingConfig config;
  const std::vector<double> frequencies = sampler.Frequencies(config);
  // Five standard deviations of 20,000 draws.
  CHECK(std::abs(frequencies[0] - 0.6) < 0.018);
  CHECK(std::abs(frequencies[1] - 0.3) < 0.017);
  CHECK(std::abs(frequencies[2] - 0.1) < 0.011);
  SamplingConfig other = config;
  other.seed = 1;
  int different = 0;
  for (uint64_t draw = 0; draw < 200; ++draw) {
    CHECK(sampler.Draw(config, draw) == sampler.Draw(config, draw));
    different += sampler.Draw(config, draw) != sampler.Draw(other, draw) ? 1 : 0;
  }
  CHECK(different > 20);
}

TEST_CASE("a logit that is not finite chooses nothing") {
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(),
                          std::numeric_limits<float>::infinity()}) {
    for (size_t at = 0; at < 5; ++at) {
      std::vector<float> logits(5, 0.0f), probabilities(5);
      std::vector<int32_t> order(5);
      logits[at] = bad;
      const Result<int32_t> token = SampleToken(SamplingConfig(), 0, {logits.data(), 5},
                                                {probabilities.data(), 5}, {order.data(), 5});
      REQUIRE_FALSE(token.ok());
      CHECK(token.status().code() == StatusCode::kNonFinite);
    }
  }
}

}  // namespace
}  // namespace heed::test
