// SPDX-License-Identifier: MIT
// One training step in double: accumulation, clipping, schedule, AdamW, SGD, Lion or Muon.
#ifndef HEED_TESTS_REFERENCE_TRAINER_H_
#define HEED_TESTS_REFERENCE_TRAINER_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "reference/adamw.h"
#include "reference/clip.h"
#include "reference/lion.h"
#include "reference/model.h"
#include "reference/muon.h"
#include "reference/schedule.h"
#include "reference/sgd.h"

namespace heed::reference {

enum class OptimizerKind { kAdamW, kSgd, kLion, kMuon };

struct TrainConfig {
  OptimizerKind optimizer = OptimizerKind::kAdamW;
  Schedule schedule;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0.0;  // 2-D tensors only
  double momentum = 0.0;
  double clip = 0.0;
  double label_smoothing = 0.0;
};

struct MicroBatch {
  size_t rows = 1;               // B
  std::vector<int32_t> tokens;   // (B, T)
  std::vector<int32_t> targets;  // (B, T), -1 does not count
};

struct StepResult {
  double loss = 0.0;  // mean over the step's counted tokens, before the update
  double norm = 0.0;  // of the gradient, before clipping
  size_t count = 0;   // counted tokens; with none the step changes nothing
};

class Trainer {
 public:
  Trainer(const ModelConfig& model, const TrainConfig& train, Tensors<double> parameters)
      : model_(model), train_(train), parameters_(std::move(parameters)), first_(model),
        second_(model) {}

  const Tensors<double>& parameters() const { return parameters_; }

  StepResult Step(const std::vector<MicroBatch>& batches) {
    StepResult result;
    for (const MicroBatch& batch : batches) {
      for (const int32_t target : batch.targets) result.count += target != -1 ? 1 : 0;
    }
    const size_t index = steps_++;
    if (result.count == 0) return result;
    const double share = 1.0 / static_cast<double>(result.count);
    Tensors<double> gradients(model_);
    for (const MicroBatch& batch : batches) {
      ModelSaved<double> saved;
      const LossSum<double> loss = ModelForward(model_, parameters_, batch.rows, batch.tokens,
                                                batch.targets, DropoutMasks{}, saved,
                                                train_.label_smoothing);
      result.loss += loss.sum * share;
      ModelBackward(model_, parameters_, batch.rows, batch.tokens, batch.targets, DropoutMasks{},
                    saved, share, gradients, train_.label_smoothing);
    }
    double squares = 0.0;
    for (const auto& [name, gradient] : gradients) {
      squares += SumOfSquares(gradient.size(), gradient.data());
    }
    result.norm = std::sqrt(squares);
    const double scale = ClipScale(result.norm, train_.clip);
    const double rate = LearningRate(train_.schedule, index);
    for (const TensorInfo& info : TensorTable(model_)) {
      const double decay = info.Decays() ? train_.weight_decay : 0.0;
      const double* gradient = gradients.Get(info.name);
      double* parameter = parameters_.Get(info.name);
      double* first = first_.Get(info.name);
      if (train_.optimizer == OptimizerKind::kSgd) {
        SgdUpdate({rate, train_.momentum, decay, scale}, info.Count(), gradient, parameter, first);
      } else if (train_.optimizer == OptimizerKind::kLion) {
        LionUpdate({rate, train_.beta1, train_.beta2, decay, scale}, info.Count(), gradient,
                   parameter, first);
      } else if (train_.optimizer == OptimizerKind::kMuon && info.shape.size() == 2 &&
                 info.name.starts_with("layers.")) {
        MuonUpdate({rate, train_.momentum, decay, scale}, info.shape[0], info.shape[1], gradient,
                   parameter, first);
      } else {
        AdamWUpdate({index + 1, rate, train_.beta1, train_.beta2, train_.epsilon, decay, scale},
                    info.Count(), gradient, parameter, first, second_.Get(info.name));
      }
    }
    return result;
  }

 private:
  ModelConfig model_;
  TrainConfig train_;
  Tensors<double> parameters_;
  Tensors<double> first_;   // first moments, or velocities
  Tensors<double> second_;  // second moments
  size_t steps_ = 0;
};

}  // namespace heed::reference

#endif  // HEED_TESTS_REFERENCE_TRAINER_H_
