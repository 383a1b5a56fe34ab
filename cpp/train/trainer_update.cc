// SPDX-License-Identifier: MIT
// The end of a step: what moves, by how much, what that was predicted to do; taken back, and tried
// without being made.
#include <algorithm>
#include <cmath>

#include "base/clock.h"
#include "kernels/reduce.h"
#include "train/non_finite.h"
#include "train/snapshot_ring.h"
#include "train/trainer.h"

namespace heed {
namespace {

// Squares of gradients must stay in float: AdamW's second moment of 1e18 is 1e36.
constexpr double kLargestGradientNorm = 1e18;

Status NoBackward() {
  return Status::Error(StatusCode::kBadState,
                       "the backward part of the step is not complete; run it first");
}

}  // namespace

Status Trainer::SetFrozen(std::string_view names) {
  HEED_RETURN_IF_ERROR(groups_.Mark(names, marked_));
  if (std::equal(marked_.begin(), marked_.end(), frozen_.begin())) return Status();
  std::copy(marked_.begin(), marked_.end(), frozen_.begin());
  if (recorder_ != nullptr) recorder_->Anchor(*this);
  return Status();
}

Result<bool> Trainer::AdvanceTo(size_t end, double budget_ms) {
  if (evaluating_) {
    return Status::Error(StatusCode::kBadState,
                         "an evaluation is under way; finish it before the next step");
  }
  if (stage_ == 0 && step_ >= config_.steps) {
    return Status::Error(StatusCode::kBadState,
                         "all %llu steps are done; create a trainer with more steps, or reset",
                         static_cast<unsigned long long>(config_.steps));
  }
  HEED_RETURN_IF_ERROR(KeepUndo());
  return RunStages(end, budget_ms);
}

Result<bool> Trainer::AdvanceForward(double budget_ms) {
  return AdvanceTo(forward_end(), budget_ms);
}

Result<bool> Trainer::AdvanceBackward(double budget_ms) {
  return AdvanceTo(backward_end(), budget_ms);
}

double Trainer::forward_loss() const {
  return step_loss_.count > 0 ? step_loss_.sum / static_cast<double>(step_loss_.count) : 0.0;
}

Result<double> Trainer::GradientNorm() {
  if (stage_ != backward_end()) return NoBackward();
  const Result<Clipping> clipping = CheckGradient();
  if (!clipping.ok()) return clipping.status();
  return clipping->norm;
}

Status Trainer::Update(Span<const uint8_t> groups) {
  if (stage_ != backward_end()) return NoBackward();
  return FinishStep(groups);
}

Status Trainer::KeepUndo() { return undo_.empty() ? undo_.Init(*this) : Status(); }

Status Trainer::Undo() {
  if (evaluating_) {
    return Status::Error(StatusCode::kBadState,
                         "an evaluation is under way; finish it before undoing a step");
  }
  if (!undo_valid_) {
    return Status::Error(StatusCode::kBadState,
                         "there is no step to undo: undo takes back the last update, or the last "
                         "step run after one, once");
  }
  undo_.Restore(this);
  undo_valid_ = false;
  gradient_of_ = 0;
  if (recorder_ != nullptr) recorder_->TakeBack(*this);
  return Status();
}

Result<Evaluation> Trainer::TryUpdate(Span<const uint8_t> groups) {
  if (stage_ != backward_end()) return NoBackward();
  const Result<Clipping> clipping = CheckGradient();
  if (!clipping.ok()) return clipping.status();
  const auto rows = static_cast<size_t>(step_rows());
  ArenaPlan plan;
  const uint64_t tokens_at = plan.Add<int32_t>(CheckedMul(rows, time_));
  const uint64_t targets_at = plan.Add<int32_t>(CheckedMul(rows, time_));
  Arena arena;
  HEED_RETURN_IF_ERROR(arena.Allocate(plan.bytes(), "the rows of a step"));
  const auto tokens = arena.Slice<int32_t>(tokens_at, rows * time_);
  const auto targets = arena.Slice<int32_t>(targets_at, rows * time_);
  for (size_t row = 0; row < rows; ++row) {
    StepExample(step_ + 1, row, tokens.Slice(row * time_, time_),
                targets.Slice(row * time_, time_));
  }
  TrainerState before;
  HEED_RETURN_IF_ERROR(before.Init(*this));
  before.Save(*this);
  if (step_loss_.count > 0) MoveWeights(clipping->scale, groups);
  Report(before.weights(), groups);
  Result<Evaluation> result = BatchLoss(*model_, rows, tokens, targets);
  before.RestoreFloats(this);
  return result;
}

Result<Trainer::Clipping> Trainer::CheckGradient() {
  const ModelTensors<const float> gradients{&model_->table(), gradients_};
  const Span<const TensorTable::Entry> entries = model_->table().entries();
  double squares = 0.0;
  for (size_t i = 0; i < entries.size; ++i) {
    if (!moves(i, Span<const uint8_t>())) continue;
    squares += SumOfSquares(gradients_.Slice(entries[i].offset, entries[i].spec.size()));
  }
  if (!std::isfinite(squares)) return NonFiniteGradient(step_ + 1, gradients);
  Clipping clipping;
  clipping.norm = std::sqrt(squares);
  if (config_.clip > 0.0) clipping.scale = config_.clip / std::max(clipping.norm, config_.clip);
  if (clipping.norm * clipping.scale > kLargestGradientNorm) {
    return GradientTooLarge(step_ + 1, clipping.norm);
  }
  return clipping;
}

bool Trainer::moves(size_t tensor, Span<const uint8_t> groups) const {
  const uint32_t group = groups_.of_tensor()[tensor];
  return frozen_[group] == 0 && (groups.empty() || groups[group] != 0);
}

void Trainer::MoveWeights(double scale, Span<const uint8_t> groups) {
  for (size_t i = 0; i < updates_.size; ++i) {
    numbers_[i] = moves(i, groups) ? ++updates_[i] : 0;
  }
  const ModelTensors<const float> gradients{&model_->table(), gradients_};
  const ModelTensors<float> weights{&model_->table(), model_->mutable_parameters()};
  optimizer_.Update(numbers_, LearningRate(config_, step_), scale, gradients, weights);
}

void Trainer::Report(Span<const float> before, Span<const uint8_t> groups) {
  std::fill(reports_.begin(), reports_.end(), GroupReport());
  const Span<const TensorTable::Entry> entries = model_->table().entries();
  const Span<const float> after = model_->parameters();
  for (size_t i = 0; i < entries.size; ++i) {
    if (!moves(i, groups)) continue;
    GroupReport& report = reports_[groups_.of_tensor()[i]];
    const auto start = static_cast<size_t>(entries[i].offset);
    const auto end = start + static_cast<size_t>(entries[i].spec.size());
    report.gradient_norm += SumOfSquares(gradients_.Slice(start, end - start));
    for (size_t w = start; w < end; ++w) {
      const double change = double{after[w]} - double{before[w]};
      report.change += change * change;
      report.predicted += double{gradients_[w]} * change;
    }
  }
  for (GroupReport& report : reports_) {
    report.gradient_norm = std::sqrt(report.gradient_norm);
    report.change = std::sqrt(report.change);
  }
}

Status Trainer::Norms(Span<GroupNorms> norms) const {
  HEED_DCHECK(norms.size == groups_.size());
  if (gradient_of_ == 0) {
    return Status::Error(StatusCode::kBadState,
                         "there is no gradient of a whole step; make a step first");
  }
  std::fill(norms.begin(), norms.end(), GroupNorms());
  const Span<const TensorTable::Entry> entries = model_->table().entries();
  const Span<const float> weights = model_->parameters();
  for (size_t i = 0; i < entries.size; ++i) {
    GroupNorms& group = norms[groups_.of_tensor()[i]];
    const auto start = static_cast<size_t>(entries[i].offset);
    const auto size = static_cast<size_t>(entries[i].spec.size());
    group.weights += SumOfSquares(weights.Slice(start, size));
    if (moves(i, Span<const uint8_t>())) {
      group.gradient += SumOfSquares(gradients_.Slice(start, size));
    }
  }
  for (GroupNorms& group : norms) {
    group.gradient = std::sqrt(group.gradient);
    group.weights = std::sqrt(group.weights);
  }
  return Status();
}

Status Trainer::FinishStep(Span<const uint8_t> groups) {
  const Result<Clipping> clipping = CheckGradient();
  if (!clipping.ok()) {
    AbandonStep();
    return clipping.status();
  }
  const double start = NowMs();
  undo_valid_ = !undo_.empty();
  if (undo_valid_) undo_.Save(*this);
  metrics_.learning_rate = LearningRate(config_, step_);
  metrics_.loss = forward_loss();
  metrics_.gradient_norm = clipping->norm;
  // A step without a single counted token has no gradient; even decay must not move the weights.
  if (step_loss_.count > 0) MoveWeights(clipping->scale, groups);
  if (undo_valid_) Report(undo_.weights(), groups);
  ++step_;
  gradient_of_ = step_;
  tokens_seen_ += step_rows() * time_;
  metrics_.step = step_;
  metrics_.tokens = tokens_seen_;
  metrics_.milliseconds = step_ms_ + (NowMs() - start);
  stage_ = 0;
  if (recorder_ != nullptr) recorder_->StepDone(*this, groups.empty());
  return Status();
}

}  // namespace heed
