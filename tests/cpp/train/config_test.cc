// SPDX-License-Identifier: MIT
#include "train/config.h"

#include <cmath>
#include <limits>
#include <string>

#include "catch2/catch_test_macros.hpp"
#include "reference/schedule.h"

namespace heed::test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

template <typename Change>
void Refused(const char* option, Change&& change) {
  TrainConfig config;
  change(config);
  const Status status = CheckTrainConfig(config);
  CAPTURE(option, status.message());
  CHECK(status.code() == StatusCode::kInvalidArgument);
  CHECK(std::string(status.message()).find(option) != std::string::npos);
}

TEST_CASE("training options outside their ranges are refused by name") {
  REQUIRE(CheckTrainConfig(TrainConfig()).ok());
  Refused("steps", [](TrainConfig& c) { c.steps = 0; });
  Refused("batch", [](TrainConfig& c) { c.batch = 0; });
  Refused("accumulation", [](TrainConfig& c) { c.accumulation = 0; });
  Refused("seed", [](TrainConfig& c) { c.seed = uint64_t{1} << 60; });
  for (const double bad : {0.0, -1.0, kNan, 1e7, std::numeric_limits<double>::infinity()}) {
    Refused("learningRate", [&](TrainConfig& c) { c.learning_rate = bad; });
  }
  Refused("minLearningRate", [](TrainConfig& c) { c.min_learning_rate = 1.0; });
  Refused("beta1", [](TrainConfig& c) { c.beta1 = 1.0; });
  Refused("beta2", [](TrainConfig& c) { c.beta2 = kNan; });
  Refused("epsilon", [](TrainConfig& c) { c.epsilon = 0.0; });
  Refused("weightDecay", [](TrainConfig& c) { c.weight_decay = -0.1; });
  Refused("weightDecay", [](TrainConfig& c) { c.learning_rate = 10, c.weight_decay = 0.2; });
  Refused("momentum", [](TrainConfig& c) { c.momentum = 1.0; });
  Refused("clip", [](TrainConfig& c) { c.clip = kNan; });
  Refused("valFraction", [](TrainConfig& c) { c.val_fraction = 1.0; });
  for (const double bad : {-0.1, 1.1, kNan}) {
    Refused("decayFraction", [&](TrainConfig& c) { c.decay_fraction = bad; });
  }
  Refused("schedule", [](TrainConfig& c) { c.schedule = static_cast<ScheduleKind>(4); });
  Refused("optimizer", [](TrainConfig& c) { c.optimizer = static_cast<OptimizerKind>(7); });
}

TEST_CASE("warm-up starts above 0, R090") {
  TrainConfig config;
  config.learning_rate = 6e-4;
  config.min_learning_rate = 6e-5;
  config.warmup = 2000;
  config.steps = 10000;
  CHECK(std::abs(LearningRate(config, 0) - 2.9985007e-7) < 1e-13);
  CHECK(LearningRate(config, 1999) < 6e-4);
  CHECK(LearningRate(config, 2000) == 6e-4);
}

TEST_CASE("the cosine schedule ends at its minimum, the constant one stays") {
  TrainConfig config;
  CHECK(LearningRate(config, 1050) == 0.5 * (1e-3 + 1e-4));  // halfway between 100 and 2000
  CHECK(LearningRate(config, 2000) == 1e-4);
  CHECK(LearningRate(config, 5000) == 1e-4);
  config.warmup = config.steps;
  CHECK(LearningRate(config, config.steps) == 1e-4);
  config = TrainConfig();
  config.schedule = ScheduleKind::kConstant;
  CHECK(LearningRate(config, 1999) == 1e-3);
}

TEST_CASE("the linear schedule falls evenly from the warm-up's end to the last step") {
  TrainConfig config;
  config.schedule = ScheduleKind::kLinear;
  CHECK(LearningRate(config, 99) < 1e-3);
  CHECK(LearningRate(config, 100) == 1e-3);
  CHECK(std::abs(LearningRate(config, 1050) - 5.5e-4) <= 1e-18);
  CHECK(std::abs(LearningRate(config, 1999) - (1e-4 + 9e-4 / 1900)) <= 1e-18);
  CHECK(LearningRate(config, 2000) == 1e-4);
  CHECK(LearningRate(config, 5000) == 1e-4);
}

TEST_CASE("wsd stays at the peak and falls over its share of the steps") {
  TrainConfig config;
  config.schedule = ScheduleKind::kWsd;
  config.decay_fraction = 0.25;
  CHECK(LearningRate(config, 50) == 1e-3 * 51 / 101);
  for (const uint64_t step : {100, 1000, 1499, 1500}) CHECK(LearningRate(config, step) == 1e-3);
  CHECK(std::abs(LearningRate(config, 1750) - 5.5e-4) <= 1e-18);
  CHECK(LearningRate(config, 2000) == 1e-4);
  SECTION("no decay: at the peak until the end") {
    config.decay_fraction = 0.0;
    CHECK(LearningRate(config, 1999) == 1e-3);
    CHECK(LearningRate(config, 2000) == 1e-4);
  }
  SECTION("a decay longer than what the warm-up leaves begins with its end") {
    config.decay_fraction = 1.0;
    CHECK(LearningRate(config, 100) == 1e-3);
    CHECK(std::abs(LearningRate(config, 1050) - 5.5e-4) <= 1e-18);
  }
}

TEST_CASE("every schedule is the reference's at every step") {
  TrainConfig config;
  config.steps = 300;
  config.warmup = 20;
  for (const ScheduleKind kind : {ScheduleKind::kConstant, ScheduleKind::kCosine,
                                  ScheduleKind::kLinear, ScheduleKind::kWsd}) {
    for (const double decay : {0.0, 0.1, 0.5, 1.0}) {
      config.schedule = kind;
      config.decay_fraction = decay;
      const reference::Schedule expected = {static_cast<reference::ScheduleKind>(kind),
                                            config.learning_rate, config.min_learning_rate, 20,
                                            300, decay};
      for (uint64_t step = 0; step < config.steps; ++step) {
        CAPTURE(EnumName(kind), decay, step);
        CHECK(std::abs(LearningRate(config, step) - reference::LearningRate(expected, step)) <=
              1e-17);
      }
    }
  }
}

}  // namespace
}  // namespace heed::test
