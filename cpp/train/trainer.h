// SPDX-License-Identifier: MIT
// Trains a model on tokens. A step is a list of stages, so that whoever drives it can stop between
// two of them; nothing but the last stage changes a weight.
#ifndef HEED_TRAIN_TRAINER_H_
#define HEED_TRAIN_TRAINER_H_

#include <cstdint>
#include <memory>

#include "base/arena.h"
#include "base/status.h"
#include "model/model.h"
#include "model/transformer.h"
#include "train/config.h"
#include "train/dataset.h"
#include "train/optimizer.h"

namespace heed {

struct StepMetrics {
  uint64_t step = 0;  // completed steps, this one included
  double loss = 0.0;  // mean over the step's counted tokens, nats
  double learning_rate = 0.0;
  double gradient_norm = 0.0;  // before clipping
  uint64_t tokens = 0;         // seen since the run began
  double milliseconds = 0.0;   // compute time of the step's stages
};

// Bytes a trainer needs beside the model's weights.
struct TrainerBytes {
  uint64_t parameters = 0;  // of the model
  uint64_t gradients = 0;
  uint64_t optimizer = 0;
  uint64_t activations = 0;  // with scratch and the batch
  uint64_t total = 0;        // UINT64_MAX when beyond 64 bits
};

class Trainer {
 public:
  enum class Progress : uint8_t {
    kWorking,   // budget used up inside a step
    kStepDone,  // a step has just been completed; metrics() is its account
    kFinished,  // config.steps are done; nothing was run
  };

  // What Create would allocate; configurations are checked. Needs nothing allocated.
  static Result<TrainerBytes> Forecast(const ModelConfig& model, const TrainConfig& config);

  // The model must outlive the trainer. `tokens` and `mask` (empty: all count) are copied.
  // Errors: kInvalidArgument, kBadData (tokens out of range, too few for one window), kOutOfMemory.
  static Result<std::unique_ptr<Trainer>> Create(Model* model, const TrainConfig& config,
                                                 Span<const int32_t> tokens,
                                                 Span<const uint8_t> mask);

  // Runs stages until a step is complete or budget_ms have passed (at least one stage). kNonFinite:
  // the step changed nothing, the message names step and tensor; calling again tries the same step.
  // kBadState during an evaluation.
  Result<Progress> Advance(double budget_ms);
  // Forgets the stages of an unfinished step; the next Advance starts it anew with the same batch.
  void AbandonStep();
  // Initial weights of config.seed, zero moments, step 0.
  void Reset();

  const Model& model() const { return *model_; }
  Model* mutable_model() { return model_; }
  const TrainConfig& config() const { return config_; }
  const Dataset& dataset() const { return dataset_; }
  uint64_t step() const { return step_; }
  uint64_t tokens_seen() const { return tokens_seen_; }
  const StepMetrics& metrics() const { return metrics_; }

  // For saved runs: everything a bit-for-bit continuation needs is the weights, this state, step()
  // and the data. State floats are laid out like the parameters; `slot` < optimizer().slots().
  const Optimizer& optimizer() const { return optimizer_; }
  Optimizer* mutable_optimizer() { return &optimizer_; }
  void RestoreProgress(uint64_t step, uint64_t tokens_seen);

  // Mean loss without dropout over windows of one context, consecutive and non-overlapping, of one
  // split; max_windows > 0 takes that many, evenly spread. Resumable like Advance. An evaluation may
  // run between steps only (kBadState inside one).
  Status BeginEvaluation(Dataset::Split split, uint64_t max_windows);
  // True when the evaluation is complete and evaluation() holds its result.
  Result<bool> AdvanceEvaluation(double budget_ms);
  LossSum evaluation() const { return evaluation_sum_; }
  void AbandonEvaluation();

 private:
  Trainer() = default;
  size_t stages_per_micro_batch() const { return 2 * model_->config().layers + 3; }
  void BeginStep();
  // Windows of a micro-batch into batch_tokens_ and batch_targets_; returns counted targets.
  uint64_t LoadMicroBatch(uint64_t micro_batch);
  Status RunStage(size_t micro_batch, size_t stage);
  Status FinishStep();

  Model* model_ = nullptr;
  TrainConfig config_;
  Dataset dataset_;
  Optimizer optimizer_;
  Arena arena_;
  Span<float> gradients_;
  Span<int32_t> batch_tokens_;   // (B * T)
  Span<int32_t> batch_targets_;  // (B * T)
  Transformer transformer_;

  uint64_t step_ = 0;
  uint64_t tokens_seen_ = 0;
  size_t stage_ = 0;  // next stage of the current step, over all micro-batches; 0: none has run
  LossSum step_loss_;
  uint64_t step_count_ = 0;  // counted tokens of the whole step, known before its first stage
  double step_ms_ = 0.0;
  StepMetrics metrics_;

  bool evaluating_ = false;
  Dataset::Split evaluation_split_ = Dataset::Split::kValidation;
  uint64_t evaluation_windows_ = 0;
  uint64_t evaluation_next_ = 0;
  LossSum evaluation_sum_;
};

}  // namespace heed

#endif  // HEED_TRAIN_TRAINER_H_
