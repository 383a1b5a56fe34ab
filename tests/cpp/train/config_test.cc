// SPDX-License-Identifier: MIT
#include "train/config.h"

#include <cmath>
#include <limits>
#include <string>

#include "catch2/catch_test_macros.hpp"

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

}  // namespace
}  // namespace heed::test
