// SPDX-License-Identifier: MIT
#include "train/config.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

namespace heed {
namespace {

// Ranges of the real options. The upper ends of the rates keep every update finite as long as the
// gradient is (see Trainer): a rate of 1e6 is already far beyond any use.
struct Range {
  const char* name;
  double low;
  double high;
  bool open_low;
  bool open_high;
};
constexpr Range kRanges[] = {
    {"learningRate", 0.0, 1e6, true, false},  {"minLearningRate", 0.0, 1e6, false, false},
    {"beta1", 0.0, 1.0, false, true},         {"beta2", 0.0, 1.0, false, true},
    {"epsilon", 0.0, 1.0, true, false},       {"weightDecay", 0.0, 1e6, false, false},
    {"momentum", 0.0, 1.0, false, true},      {"clip", 0.0, 1e6, false, false},
    {"valFraction", 0.0, 1.0, false, true},   {"decayFraction", 0.0, 1.0, false, false},
    {"labelSmoothing", 0.0, 1.0, false, true},
};

Status CheckReal(const char* name, double value) {
  for (const Range& range : kRanges) {
    if (std::strcmp(range.name, name) != 0) continue;
    const bool low_ok = range.open_low ? value > range.low : value >= range.low;
    const bool high_ok = range.open_high ? value < range.high : value <= range.high;
    if (!(low_ok && high_ok)) {  // a NaN fails both
      return Status::Error(StatusCode::kInvalidArgument, "%s is %g; it must be %s %g and %s %g",
                           name, value, range.open_low ? "above" : "at least", range.low,
                           range.open_high ? "below" : "at most", range.high);
    }
  }
  return Status();
}

Status CheckWhole(const char* name, double value, double low, double high) {
  if (value < low || value > high) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "%s is %.0f; it must be a whole number from %.0f to %.0f", name, value,
                         low, high);
  }
  return Status();
}

}  // namespace

Status CheckTrainConfig(const TrainConfig& config) {
  Status status;
  ForEachTrainField(config, [&](const char* name, const auto& value) {
    if (!status.ok()) return;
    using Field = std::remove_cvref_t<decltype(value)>;
    if constexpr (std::is_enum_v<Field>) {
      if (!IsEnumValue(value)) {
        status = Status::Error(StatusCode::kInvalidArgument,
                               "%s has the unknown value number %u; see the documented names", name,
                               static_cast<unsigned>(value));
      }
    } else if constexpr (std::is_same_v<Field, double>) {
      status = CheckReal(name, value);
    }
  });
  HEED_RETURN_IF_ERROR(status);
  constexpr double kExact = 9007199254740991.0;  // 2^53 - 1, exact in JavaScript
  HEED_RETURN_IF_ERROR(CheckWhole("steps", static_cast<double>(config.steps), 1, 1e9));
  HEED_RETURN_IF_ERROR(CheckWhole("batch", config.batch, 1, 65536));
  HEED_RETURN_IF_ERROR(CheckWhole("accumulation", config.accumulation, 1, 65536));
  HEED_RETURN_IF_ERROR(CheckWhole("seed", static_cast<double>(config.seed), 0, kExact));
  HEED_RETURN_IF_ERROR(CheckWhole("warmup", static_cast<double>(config.warmup), 0, 1e9));
  if (config.min_learning_rate > config.learning_rate) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "minLearningRate (%g) is above learningRate (%g); the rate falls "
                         "from one to the other",
                         config.min_learning_rate, config.learning_rate);
  }
  if (config.learning_rate * config.weight_decay > 1.0) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "learningRate times weightDecay is %g; above 1 every step would flip the "
                         "sign of the weights; lower one of them",
                         config.learning_rate * config.weight_decay);
  }
  return Status();
}

double LearningRate(const TrainConfig& config, uint64_t step) {
  if (step < config.warmup) {
    return config.learning_rate * static_cast<double>(step + 1) /
           static_cast<double>(config.warmup + 1);
  }
  if (config.schedule == ScheduleKind::kConstant) return config.learning_rate;
  if (step >= config.steps || config.steps <= config.warmup) return config.min_learning_rate;
  const double end = static_cast<double>(config.steps);
  double begin = static_cast<double>(config.warmup);
  if (config.schedule == ScheduleKind::kWsd) {
    begin = std::max(begin, end - config.decay_fraction * end);
  }
  const double at = static_cast<double>(step);
  if (config.schedule == ScheduleKind::kWsd && at <= begin) return config.learning_rate;
  const double progress = (at - begin) / (end - begin);
  constexpr double kPi = 3.14159265358979323846;
  const double left =
      config.schedule == ScheduleKind::kCosine ? 0.5 * (1.0 + std::cos(kPi * progress))
                                               : 1.0 - progress;
  return config.min_learning_rate + left * (config.learning_rate - config.min_learning_rate);
}

}  // namespace heed
