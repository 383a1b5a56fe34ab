// SPDX-License-Identifier: MIT
#include "train/trainer.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include "base/clock.h"
#include "base/parallel.h"
#include "base/philox.h"
#include "train/non_finite.h"
#include "train/snapshot_ring.h"

namespace heed {
namespace {

struct BatchViews {
  Span<float> gradients;
  Span<int32_t> tokens;
  Span<int32_t> targets;
  Span<int32_t> likeliest;
};

BatchViews PlanBatch(uint64_t gradient_floats, uint64_t rows, Planner* planner) {
  BatchViews views;
  views.gradients = planner->Floats(gradient_floats);
  views.tokens = planner->Take<int32_t>(rows);
  views.targets = planner->Take<int32_t>(rows);
  views.likeliest = planner->Take<int32_t>(rows);
  return views;
}

PassDropout DropoutOf(const ModelConfig& model, uint64_t seed, uint64_t step,
                      uint64_t micro_batch) {
  const PhiloxBlock bits =
      RandomBits(seed, RandomStream::kDropout, static_cast<uint32_t>(micro_batch),
                 static_cast<uint32_t>(step), static_cast<uint32_t>(step >> 32));
  return {model.dropout, uint64_t{bits[1]} << 32 | bits[0]};
}

}  // namespace

Result<TrainerBytes> Trainer::Forecast(const ModelConfig& model, const TrainConfig& config) {
  HEED_RETURN_IF_ERROR(CheckConfig(model));
  HEED_RETURN_IF_ERROR(CheckTrainConfig(config));
  const uint64_t floats = MeasureTensors(model).floats;
  Planner planner;
  PlanBatch(0, CheckedMul(config.batch, model.context), &planner);
  TrainerBytes bytes;
  bytes.parameters = CheckedMul(floats, sizeof(float));
  bytes.gradients = bytes.parameters;
  const uint64_t scratch =
      CheckedMul(ParallelWorkers(), Optimizer::ScratchFloats(config.optimizer, model));
  bytes.optimizer = CheckedAdd(CheckedMul(bytes.parameters, Optimizer::Slots(config.optimizer)),
                               CheckedMul(scratch, sizeof(float)));
  bytes.activations =
      CheckedAdd(planner.bytes(),
                 Transformer::Bytes(model, config.batch, model.context, PassKind::kTraining));
  bytes.total = CheckedAdd(CheckedAdd(bytes.parameters, bytes.gradients),
                           CheckedAdd(bytes.optimizer, bytes.activations));
  return bytes;
}

Result<std::unique_ptr<Trainer>> Trainer::Create(Model* model, const TrainConfig& config,
                                                 const TrainingData& data) {
  HEED_RETURN_IF_ERROR(CheckTrainConfig(config));
  Result<SharedExamples> examples = SharedExamples::Create(data, model->config(), config);
  if (!examples.ok()) return examples.status();
  return Create(model, config, std::move(*examples));
}

Result<std::unique_ptr<Trainer>> Trainer::Create(Model* model, const TrainConfig& config,
                                                 SharedExamples examples) {
  HEED_RETURN_IF_ERROR(CheckTrainConfig(config));
  std::unique_ptr<Trainer> trainer(new (std::nothrow) Trainer());
  if (trainer == nullptr) {
    return Status::Error(StatusCode::kOutOfMemory,
                         "the trainer: no memory left; dispose something");
  }
  trainer->model_ = model;
  trainer->config_ = config;
  trainer->examples_ = std::move(examples);
  HEED_RETURN_IF_ERROR(trainer->Allocate());
  return trainer;
}

Result<std::unique_ptr<Trainer>> Trainer::Continue(const Trainer& run, const TrainConfig& config) {
  if (run.recorder_ != nullptr) {
    return Status::Error(StatusCode::kBadState,
                         "a timeline records this run under its options; dispose the timeline, or "
                         "branch from it");
  }
  if (config.steps < run.step_) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "steps is %llu, but %llu are done; it must be at least that",
                         static_cast<unsigned long long>(config.steps),
                         static_cast<unsigned long long>(run.step_));
  }
  if (config.val_fraction != run.config_.val_fraction) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "valFraction is %g, but the run's data is parted by %g already; leave it",
                         config.val_fraction, run.config_.val_fraction);
  }
  Result<std::unique_ptr<Trainer>> created = Create(run.model_, config, run.examples_);
  if (!created.ok()) return created.status();
  Trainer& next = **created;
  if (config.optimizer == run.config_.optimizer) {
    for (size_t slot = 0; slot < next.optimizer_.slots(); ++slot) {
      const Span<float> from = run.optimizer_.state(slot);
      std::copy(from.begin(), from.end(), next.optimizer_.state(slot).begin());
    }
    std::copy(run.updates_.begin(), run.updates_.end(), next.updates_.begin());
  }
  std::copy(run.frozen_.begin(), run.frozen_.end(), next.frozen_.begin());
  next.step_ = run.step_;
  next.tokens_seen_ = run.tokens_seen_;
  next.metrics_ = run.metrics_;
  return created;
}

Status Trainer::Allocate() {
  const TensorTable& table = model_->table();
  time_ = examples_->time();
  HEED_RETURN_IF_ERROR(optimizer_.Init(config_, model_->config(), &table));
  HEED_RETURN_IF_ERROR(transformer_.Init(model_, config_.batch, time_, PassKind::kTraining));
  const uint64_t rows = CheckedMul(config_.batch, time_);
  Planner measure;
  PlanBatch(table.floats(), rows, &measure);
  HEED_RETURN_IF_ERROR(arena_.Allocate(measure.bytes(), "the gradients and the batch"));
  Planner planner(&arena_);
  const BatchViews views = PlanBatch(table.floats(), rows, &planner);
  gradients_ = views.gradients;
  batch_tokens_ = views.tokens;
  batch_targets_ = views.targets;
  batch_likeliest_ = views.likeliest;
  return AllocateTables();
}

Status Trainer::AllocateTables() {
  HEED_RETURN_IF_ERROR(groups_.Build(model_->table()));
  const size_t tensors = model_->table().entries().size;
  ArenaPlan plan;
  const uint64_t updates_at = plan.Add<uint64_t>(tensors);
  const uint64_t numbers_at = plan.Add<uint64_t>(tensors);
  const uint64_t reports_at = plan.Add<GroupReport>(groups_.size());
  const uint64_t frozen_at = plan.Add<uint8_t>(groups_.size());
  const uint64_t marked_at = plan.Add<uint8_t>(groups_.size());
  HEED_RETURN_IF_ERROR(tables_.Allocate(plan.bytes(), "the account of tensors and groups"));
  updates_ = tables_.Slice<uint64_t>(updates_at, tensors);
  numbers_ = tables_.Slice<uint64_t>(numbers_at, tensors);
  reports_ = tables_.Slice<GroupReport>(reports_at, groups_.size());
  frozen_ = tables_.Slice<uint8_t>(frozen_at, groups_.size());
  marked_ = tables_.Slice<uint8_t>(marked_at, groups_.size());
  return Status();
}

Result<Trainer::Progress> Trainer::Advance(double budget_ms) {
  if (evaluating_) {
    return Status::Error(StatusCode::kBadState,
                         "an evaluation is under way; finish it before the next step");
  }
  if (stage_ == 0 && step_ >= config_.steps) return Progress::kFinished;
  const double start = NowMs();
  if (stage_ < backward_end()) {
    const Result<bool> complete = RunStages(backward_end(), budget_ms);
    if (!complete.ok()) return complete.status();
    if (!*complete || NowMs() - start >= budget_ms) return Progress::kWorking;
  }
  HEED_RETURN_IF_ERROR(FinishStep(Span<const uint8_t>()));
  return Progress::kStepDone;
}

Result<bool> Trainer::RunStages(size_t end, double budget_ms) {
  const double start = NowMs();
  double last = start;
  if (stage_ == 0) BeginStep();
  while (stage_ < end) {
    const Status status =
        RunStage(stage_ / stages_per_micro_batch(), stage_ % stages_per_micro_batch());
    if (!status.ok()) {
      AbandonStep();
      return status;
    }
    ++stage_;
    const double now = NowMs();
    step_ms_ += now - last;
    last = now;
    if (last - start >= budget_ms) break;
  }
  return stage_ >= end;
}

void Trainer::AbandonStep() { stage_ = 0; }

void Trainer::Reset() {
  AbandonStep();
  evaluating_ = false;
  undo_valid_ = false;
  model_->Initialize(config_.seed);
  optimizer_.Reset();
  RestoreProgress(0, 0);
  metrics_ = StepMetrics();
  if (recorder_ != nullptr) recorder_->Restart(*this);
}

void Trainer::WeightsWritten() {
  AbandonStep();
  if (recorder_ != nullptr) recorder_->Anchor(*this);
}

void Trainer::RestoreProgress(uint64_t step, uint64_t tokens_seen) {
  AbandonStep();
  step_ = step;
  gradient_of_ = 0;
  tokens_seen_ = tokens_seen;
  std::fill(updates_.begin(), updates_.end(), step);
}

void Trainer::StepExample(uint64_t step, uint64_t row, Span<int32_t> tokens,
                          Span<int32_t> targets) const {
  examples_->DrawExample(config_.seed, step - 1, row, tokens, targets);
}

uint64_t Trainer::LoadMicroBatch(uint64_t micro_batch) {
  for (size_t b = 0; b < config_.batch; ++b) {
    StepExample(step_ + 1, micro_batch * config_.batch + b,
                batch_tokens_.Slice(b * time_, time_), batch_targets_.Slice(b * time_, time_));
  }
  return static_cast<uint64_t>(
      std::count_if(batch_targets_.begin(), batch_targets_.end(), [](int32_t t) { return t >= 0; }));
}

void Trainer::BeginStep() {
  std::fill(gradients_.begin(), gradients_.end(), 0.0f);
  gradient_of_ = 0;
  step_loss_ = LossSum();
  step_ms_ = 0.0;
  step_count_ = 0;
  // The mean over the whole step's tokens needs their number before the first gradient.
  for (uint64_t i = 0; i < config_.accumulation; ++i) step_count_ += LoadMicroBatch(i);
}

Status Trainer::RunStage(size_t micro_batch, size_t stage) {
  const ModelTensors<float> gradients{&model_->table(), gradients_};
  const size_t layers = model_->config().layers;
  if (stage == 0) {
    if (config_.accumulation > 1) LoadMicroBatch(micro_batch);
    transformer_.Embed(batch_tokens_, config_.batch, time_,
                       DropoutOf(model_->config(), config_.seed, step_, micro_batch));
  } else if (stage <= layers) {
    transformer_.BlockForward(stage - 1);
  } else if (stage == layers + 1) {
    const double count = static_cast<double>(std::max<uint64_t>(step_count_, 1));
    const LossSum loss = transformer_.LossForwardBackward(
        batch_targets_, static_cast<float>(1.0 / count), gradients,
        static_cast<float>(config_.label_smoothing));
    if (!std::isfinite(loss.sum)) return NonFiniteLoss(step_ + 1, transformer_);
    step_loss_.sum += loss.sum;
    step_loss_.count += loss.count;
  } else if (stage <= 2 * layers + 1) {
    transformer_.BlockBackward(2 * layers + 1 - stage, gradients);
  } else {
    transformer_.EmbedBackward(gradients);
  }
  return Status();
}

}  // namespace heed
