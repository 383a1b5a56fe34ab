// SPDX-License-Identifier: MIT
// Trains a model on examples. A step is a list of stages, so that whoever drives it can stop between
// two of them; nothing but the last stage changes a weight.
#ifndef HEED_TRAIN_TRAINER_H_
#define HEED_TRAIN_TRAINER_H_

#include <cstdint>
#include <memory>
#include <string_view>

#include "base/arena.h"
#include "base/status.h"
#include "model/evaluation.h"
#include "model/groups.h"
#include "model/model.h"
#include "model/plan.h"
#include "model/transformer.h"
#include "train/config.h"
#include "train/examples.h"
#include "train/optimizer.h"
#include "train/step_metrics.h"
#include "train/trainer_state.h"

namespace heed {

class SnapshotRing;

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

  // What Create would allocate for sequences of the model's whole context; configurations are
  // checked. Needs nothing allocated.
  static Result<TrainerBytes> Forecast(const ModelConfig& model, const TrainConfig& config);

  // The model must outlive the trainer. A text is copied, a source that exists already is shared.
  // Errors: kInvalidArgument, kBadData (tokens out of range, too few for one window; a model too
  // small for a task), kOutOfMemory.
  static Result<std::unique_ptr<Trainer>> Create(Model* model, const TrainConfig& config,
                                                 const TrainingData& data);
  static Result<std::unique_ptr<Trainer>> Create(Model* model, const TrainConfig& config,
                                                 SharedExamples examples);
  static Result<std::unique_ptr<Trainer>> Create(Model* model, const TrainConfig& config,
                                                 Span<const int32_t> tokens,
                                                 Span<const uint8_t> mask) {
    return Create(model, config, TextData{tokens, mask});
  }

  // A trainer of the same model that goes on where `run` stands, under other options: weights,
  // moments, step, what is frozen and the data stay; a step under way is forgotten. Moments of another
  // optimizer start at zero. `run` is of no use afterwards. Errors, which leave it as it was:
  // kInvalidArgument (fewer steps than are done, another validation share), kBadState (a timeline
  // records it), kOutOfMemory.
  static Result<std::unique_ptr<Trainer>> Continue(const Trainer& run, const TrainConfig& config);

  // Runs stages until a step is complete or budget_ms have passed (at least one stage), from
  // wherever the stages stand. kNonFinite: the step changed nothing, the message names step and
  // tensor; calling again tries the same step. kBadState during an evaluation.
  Result<Progress> Advance(double budget_ms);
  // Forgets the stages of an unfinished step; the next Advance starts it anew with the same batch.
  void AbandonStep();
  // Initial weights of config.seed, zero moments, step 0. What is frozen stays so.
  void Reset();
  // After the caller has changed weights: a step under way over the old ones is forgotten.
  void WeightsWritten();

  const Model& model() const { return *model_; }
  Model* mutable_model() { return model_; }
  const TrainConfig& config() const { return config_; }
  const SharedExamples& examples() const { return examples_; }
  uint64_t step() const { return step_; }
  uint64_t tokens_seen() const { return tokens_seen_; }
  const StepMetrics& metrics() const { return metrics_; }
  // Rows of one step and tokens of each.
  uint64_t step_rows() const { return uint64_t{config_.accumulation} * config_.batch; }
  size_t time() const { return time_; }

  // A frozen group has no gradient: no share in the norm, no decay, no change to its weights or
  // moments, and its bias corrections do not count the step (as with requires_grad = False in
  // PyTorch). Allowed at any time; a step under way is completed under the new setting. `names` as
  // in GroupTable::Mark, whose errors leave everything as it was.
  Status SetFrozen(std::string_view names);
  Span<const uint8_t> frozen() const { return frozen_; }  // one flag a group
  Span<uint8_t> mutable_frozen() { return frozen_; }
  const GroupTable& groups() const { return groups_; }

  // Slow motion: the same stages in three calls, each of which first runs what is missing before
  // it; true when its part is complete. With several micro-batches the forward part of the last one
  // ends the first call, so that the whole step's loss is known. kBadState after the last step.
  Result<bool> AdvanceForward(double budget_ms);
  Result<bool> AdvanceBackward(double budget_ms);
  // Mean loss of the step, after AdvanceForward.
  double forward_loss() const;
  // Global norm of the gradient, after AdvanceBackward; kNonFinite, kBadState.
  Result<double> GradientNorm();
  // Completes the step after AdvanceBackward, moving only the groups with a flag (empty: all).
  // Moments of the others stay. Clipping is by the norm of all groups, moved or not.
  Status Update(Span<const uint8_t> groups);
  // Bit for bit back to before the last step, if that was made after KeepUndo (slow motion calls
  // it); kBadState otherwise. Which groups are frozen is a setting and stays.
  Status Undo();
  // From now on every step keeps what Undo and reports() need. kOutOfMemory.
  Status KeepUndo();
  // One a group, of the last step (after KeepUndo) or trial.
  Span<const GroupReport> reports() const { return reports_; }
  // One a group, of the last step. kBadState when its gradient is not there any more: before the first
  // step of this trainer, inside a step, after Undo and Reset.
  Status Norms(Span<GroupNorms> norms) const;
  // After AdvanceBackward: the loss of the step's rows, without dropout (BatchLoss), as if only the
  // groups with a flag had taken the step. Everything but reports() is restored bit for bit.
  Result<Evaluation> TryUpdate(Span<const uint8_t> groups);

  // Row `row` < step_rows() of step number `step` (from 1).
  void StepExample(uint64_t step, uint64_t row, Span<int32_t> tokens,
                   Span<int32_t> targets) const;

  // For saved runs: everything a bit-for-bit continuation needs is the weights, this state, step(),
  // updates(), frozen() and the data. State floats are laid out like the parameters; `slot` <
  // optimizer().slots(). updates() counts each tensor's updates: step() but for the steps in which
  // it did not take part.
  const Optimizer& optimizer() const { return optimizer_; }
  Optimizer* mutable_optimizer() { return &optimizer_; }
  Span<const uint64_t> updates() const { return updates_; }
  Span<uint64_t> mutable_updates() { return updates_; }
  // Every tensor counts as updated in every step.
  void RestoreProgress(uint64_t step, uint64_t tokens_seen);

  // Who is told of every change, or nullptr. The ring must outlive its time here.
  void set_recorder(SnapshotRing* recorder) { recorder_ = recorder; }
  const SnapshotRing* recorder() const { return recorder_; }

  // Loss and accuracy without dropout over the numbered examples of one split (of a text: windows
  // that do not overlap); max_examples > 0 takes that many, evenly spread. Resumable like Advance.
  // An evaluation may run between steps only (kBadState inside one).
  Status BeginEvaluation(Split split, uint64_t max_examples);
  // True when the evaluation is complete and evaluation() holds its result.
  Result<bool> AdvanceEvaluation(double budget_ms);
  const Evaluation& evaluation() const { return evaluation_sum_; }
  void AbandonEvaluation();

 private:
  friend class TrainerState;

  Trainer() = default;
  Status Allocate();
  Status AllocateTables();
  size_t stages_per_micro_batch() const { return 2 * model_->config().layers + 3; }
  size_t forward_end() const { return backward_end() - model_->config().layers - 1; }
  size_t backward_end() const { return config_.accumulation * stages_per_micro_batch(); }
  // Runs stages up to `end`; true when there. An error abandons the step.
  Result<bool> RunStages(size_t end, double budget_ms);
  Result<bool> AdvanceTo(size_t end, double budget_ms);
  void BeginStep();
  // Examples of a micro-batch into batch_tokens_ and batch_targets_; returns counted targets.
  uint64_t LoadMicroBatch(uint64_t micro_batch);
  Status RunStage(size_t micro_batch, size_t stage);

  // The gradient's norm and the factor that clips it.
  struct Clipping {
    double norm = 0.0;
    double scale = 1.0;
  };
  Result<Clipping> CheckGradient();
  bool moves(size_t tensor, Span<const uint8_t> groups) const;
  void MoveWeights(double scale, Span<const uint8_t> groups);
  // Fills reports_ from the gradient and the weights before and now.
  void Report(Span<const float> before, Span<const uint8_t> groups);
  Status FinishStep(Span<const uint8_t> groups);

  Model* model_ = nullptr;
  TrainConfig config_;
  SharedExamples examples_;
  size_t time_ = 0;
  Optimizer optimizer_;
  GroupTable groups_;
  Arena arena_;
  Span<float> gradients_;
  Span<int32_t> batch_tokens_;     // (B * T)
  Span<int32_t> batch_targets_;    // (B * T)
  Span<int32_t> batch_likeliest_;  // (B * T)
  Arena tables_;
  Span<uint64_t> updates_;     // one a tensor
  Span<uint64_t> numbers_;     // one a tensor: scratch of MoveWeights
  Span<GroupReport> reports_;  // one a group
  Span<uint8_t> frozen_;       // one a group
  Span<uint8_t> marked_;       // one a group: scratch of SetFrozen
  Transformer transformer_;

  uint64_t step_ = 0;
  uint64_t gradient_of_ = 0;  // the completed step whose gradient is in gradients_, or 0
  uint64_t tokens_seen_ = 0;
  size_t stage_ = 0;  // next stage of the current step, over all micro-batches; 0: none has run
  LossSum step_loss_;
  uint64_t step_count_ = 0;  // counted tokens of the whole step, known before its first stage
  double step_ms_ = 0.0;
  StepMetrics metrics_;

  TrainerState undo_;
  bool undo_valid_ = false;
  SnapshotRing* recorder_ = nullptr;

  bool evaluating_ = false;
  Split evaluation_split_ = Split::kValidation;
  uint64_t evaluation_examples_ = 0;
  uint64_t evaluation_next_ = 0;
  Evaluation evaluation_sum_;
};

}  // namespace heed

#endif  // HEED_TRAIN_TRAINER_H_
