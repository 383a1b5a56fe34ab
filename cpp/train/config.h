// SPDX-License-Identifier: MIT
// How a model is trained. ForEachField is the one list of options, as in model/config.h.
#ifndef HEED_TRAIN_CONFIG_H_
#define HEED_TRAIN_CONFIG_H_

#include <cstdint>

#include "base/enum_names.h"
#include "base/status.h"

namespace heed {

// muon: the matrices inside layers; everything else as adamw.
enum class OptimizerKind : uint8_t { kAdamW, kSgd, kLion, kMuon };
enum class ScheduleKind : uint8_t { kConstant, kCosine, kLinear, kWsd };

template <>
inline constexpr const char* kEnumNames<OptimizerKind>[] = {"adamw", "sgd", "lion", "muon"};
template <>
inline constexpr const char* kEnumNames<ScheduleKind>[] = {"constant", "cosine", "linear", "wsd"};

struct TrainConfig {
  uint64_t steps = 2000;      // planned steps; falling schedules end there
  uint32_t batch = 12;        // B, sequences per micro-batch
  uint32_t accumulation = 1;  // micro-batches per step
  uint64_t seed = 1337;
  OptimizerKind optimizer = OptimizerKind::kAdamW;
  double learning_rate = 1e-3;
  double min_learning_rate = 1e-4;
  ScheduleKind schedule = ScheduleKind::kCosine;
  uint64_t warmup = 100;
  double decay_fraction = 0.2;  // wsd: share of the planned steps in which the rate falls
  double beta1 = 0.9;
  double beta2 = 0.99;
  double epsilon = 1e-8;
  double weight_decay = 0.1;
  double momentum = 0.9;
  double clip = 1.0;  // 0 switches it off
  double label_smoothing = 0.0;  // kernels/cross_entropy.h; of training, not of evaluation
  double val_fraction = 0.1;
};

// visit(name, field&) for each option under its public name. Field types: uint32_t, uint64_t, double
// and the enumerations above.
template <typename Config, typename Visitor>
void ForEachTrainField(Config& config, Visitor&& visit) {
  visit("steps", config.steps);
  visit("batch", config.batch);
  visit("accumulation", config.accumulation);
  visit("seed", config.seed);
  visit("optimizer", config.optimizer);
  visit("learningRate", config.learning_rate);
  visit("minLearningRate", config.min_learning_rate);
  visit("schedule", config.schedule);
  visit("warmup", config.warmup);
  visit("decayFraction", config.decay_fraction);
  visit("beta1", config.beta1);
  visit("beta2", config.beta2);
  visit("epsilon", config.epsilon);
  visit("weightDecay", config.weight_decay);
  visit("momentum", config.momentum);
  visit("clip", config.clip);
  visit("labelSmoothing", config.label_smoothing);
  visit("valFraction", config.val_fraction);
}

// kInvalidArgument naming the option, its value, the range and what to do.
Status CheckTrainConfig(const TrainConfig& config);

// Learning rate of a step (0 is the first): warm-up (step + 1) / (warmup + 1), then the schedule.
// cosine (Loshchilov, Hutter 2017) and linear fall from the end of the warm-up to the last planned
// step. wsd, warm-up, stable, decay (Hu et al. 2024), stays at the peak and falls linearly over the
// last decay_fraction of the planned steps. All end at min_learning_rate and stay there.
double LearningRate(const TrainConfig& config, uint64_t step);

}  // namespace heed

#endif  // HEED_TRAIN_CONFIG_H_
