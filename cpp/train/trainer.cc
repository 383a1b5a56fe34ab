// SPDX-License-Identifier: MIT
#include "train/trainer.h"

#include <algorithm>
#include <cmath>
#include <new>

#include "base/clock.h"
#include "base/philox.h"
#include "kernels/reduce.h"
#include "train/non_finite.h"

namespace heed {
namespace {

// Squares of gradients must stay in float: AdamW's second moment of 1e18 is 1e36.
constexpr double kLargestGradientNorm = 1e18;

struct BatchViews {
  Span<float> gradients;
  Span<int32_t> tokens;
  Span<int32_t> targets;
};

BatchViews PlanBatch(uint64_t gradient_floats, const ModelConfig& model, const TrainConfig& config,
                     Planner* planner) {
  const uint64_t rows = CheckedMul(config.batch, model.context);
  BatchViews views;
  views.gradients = planner->Floats(gradient_floats);
  views.tokens = planner->Take<int32_t>(rows);
  views.targets = planner->Take<int32_t>(rows);
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
  PlanBatch(0, model, config, &planner);
  TrainerBytes bytes;
  bytes.parameters = CheckedMul(floats, sizeof(float));
  bytes.gradients = bytes.parameters;
  bytes.optimizer = CheckedMul(bytes.parameters, Optimizer::Slots(config.optimizer));
  bytes.activations =
      CheckedAdd(planner.bytes(),
                 Transformer::Bytes(model, config.batch, model.context, PassKind::kTraining));
  bytes.total = CheckedAdd(CheckedAdd(bytes.parameters, bytes.gradients),
                           CheckedAdd(bytes.optimizer, bytes.activations));
  return bytes;
}

Result<std::unique_ptr<Trainer>> Trainer::Create(Model* model, const TrainConfig& config,
                                                 Span<const int32_t> tokens,
                                                 Span<const uint8_t> mask) {
  HEED_RETURN_IF_ERROR(CheckTrainConfig(config));
  std::unique_ptr<Trainer> trainer(new (std::nothrow) Trainer());
  if (trainer == nullptr) {
    return Status::Error(StatusCode::kOutOfMemory,
                         "the trainer: no memory left; dispose something");
  }
  const ModelConfig& model_config = model->config();
  trainer->model_ = model;
  trainer->config_ = config;
  HEED_RETURN_IF_ERROR(trainer->dataset_.Init(tokens, mask, model_config.vocab,
                                              model_config.context, config.val_fraction));
  HEED_RETURN_IF_ERROR(trainer->optimizer_.Init(config, &model->table()));
  HEED_RETURN_IF_ERROR(trainer->transformer_.Init(model, config.batch, model_config.context,
                                                  PassKind::kTraining));
  Planner measure;
  PlanBatch(model->table().floats(), model_config, config, &measure);
  HEED_RETURN_IF_ERROR(
      trainer->arena_.Allocate(measure.bytes(), "the gradients and the batch"));
  Planner planner(&trainer->arena_);
  const BatchViews views = PlanBatch(model->table().floats(), model_config, config, &planner);
  trainer->gradients_ = views.gradients;
  trainer->batch_tokens_ = views.tokens;
  trainer->batch_targets_ = views.targets;
  return trainer;
}

Result<Trainer::Progress> Trainer::Advance(double budget_ms) {
  if (evaluating_) {
    return Status::Error(StatusCode::kBadState,
                         "an evaluation is under way; finish it before the next step");
  }
  const double start = NowMs();
  double last = start;
  do {
    if (stage_ == 0) {
      if (step_ >= config_.steps) return Progress::kFinished;
      BeginStep();
    }
    const size_t per_micro_batch = stages_per_micro_batch();
    const size_t micro_batch = stage_ / per_micro_batch;
    const bool last_stage = micro_batch == config_.accumulation;
    const Status status =
        last_stage ? FinishStep() : RunStage(micro_batch, stage_ % per_micro_batch);
    if (!status.ok()) {
      AbandonStep();
      return status;
    }
    const double now = NowMs();
    step_ms_ += now - last;
    last = now;
    if (last_stage) {
      metrics_.milliseconds = step_ms_;
      stage_ = 0;
      return Progress::kStepDone;
    }
    ++stage_;
  } while (last - start < budget_ms);
  return Progress::kWorking;
}

void Trainer::AbandonStep() { stage_ = 0; }

void Trainer::Reset() {
  AbandonStep();
  evaluating_ = false;
  model_->Initialize(config_.seed);
  optimizer_.Reset();
  RestoreProgress(0, 0);
  metrics_ = StepMetrics();
}

void Trainer::RestoreProgress(uint64_t step, uint64_t tokens_seen) {
  AbandonStep();
  step_ = step;
  tokens_seen_ = tokens_seen;
}

uint64_t Trainer::LoadMicroBatch(uint64_t micro_batch) {
  const size_t time = model_->config().context;
  for (size_t b = 0; b < config_.batch; ++b) {
    dataset_.DrawWindow(config_.seed, step_, micro_batch * config_.batch + b,
                        batch_tokens_.Slice(b * time, time), batch_targets_.Slice(b * time, time));
  }
  return static_cast<uint64_t>(
      std::count_if(batch_targets_.begin(), batch_targets_.end(), [](int32_t t) { return t >= 0; }));
}

void Trainer::BeginStep() {
  std::fill(gradients_.begin(), gradients_.end(), 0.0f);
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
    transformer_.Embed(batch_tokens_, config_.batch, model_->config().context,
                       DropoutOf(model_->config(), config_.seed, step_, micro_batch));
  } else if (stage <= layers) {
    transformer_.BlockForward(stage - 1);
  } else if (stage == layers + 1) {
    const double count = static_cast<double>(std::max<uint64_t>(step_count_, 1));
    const LossSum loss = transformer_.LossForwardBackward(
        batch_targets_, static_cast<float>(1.0 / count), gradients);
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

Status Trainer::FinishStep() {
  const ModelTensors<const float> gradients{&model_->table(), gradients_};
  double squares = 0.0;
  for (const TensorTable::Entry& entry : model_->table().entries()) {
    squares += SumOfSquares(gradients_.Slice(entry.offset, entry.spec.size()));
  }
  if (!std::isfinite(squares)) return NonFiniteGradient(step_ + 1, gradients);
  const double norm = std::sqrt(squares);
  const double scale = config_.clip > 0.0 ? config_.clip / std::max(norm, config_.clip) : 1.0;
  if (norm * scale > kLargestGradientNorm) return GradientTooLarge(step_ + 1, norm);

  const double rate = LearningRate(config_, step_);
  // A step without a single counted token has no gradient; even decay must not move the weights.
  if (step_loss_.count > 0) {
    const ModelTensors<float> weights{&model_->table(), model_->mutable_parameters()};
    optimizer_.Update(step_ + 1, rate, scale, gradients, weights);
  }
  ++step_;
  tokens_seen_ += uint64_t{config_.accumulation} * batch_tokens_.size;
  metrics_.step = step_;
  metrics_.loss =
      step_loss_.count > 0 ? step_loss_.sum / static_cast<double>(step_loss_.count) : 0.0;
  metrics_.learning_rate = rate;
  metrics_.gradient_norm = norm;
  metrics_.tokens = tokens_seen_;
  return Status();
}

Status Trainer::BeginEvaluation(Dataset::Split split, uint64_t max_windows) {
  if (stage_ != 0) {
    return Status::Error(StatusCode::kBadState,
                         "a training step is under way; finish or abandon it before evaluating");
  }
  const uint64_t windows = dataset_.windows(split);
  if (windows == 0) {
    return Status::Error(StatusCode::kBadData,
                         "the %s part has %llu tokens; one window needs %u; raise valFraction or "
                         "use a longer text",
                         split == Dataset::Split::kTrain ? "training" : "validation",
                         static_cast<unsigned long long>(dataset_.tokens(split)),
                         model_->config().context + 1);
  }
  evaluating_ = true;
  evaluation_split_ = split;
  evaluation_windows_ = max_windows > 0 ? std::min(max_windows, windows) : windows;
  evaluation_next_ = 0;
  evaluation_sum_ = LossSum();
  return Status();
}

Result<bool> Trainer::AdvanceEvaluation(double budget_ms) {
  if (!evaluating_) {
    return Status::Error(StatusCode::kBadState, "no evaluation is under way; begin one first");
  }
  const double start = NowMs();
  const size_t time = model_->config().context;
  const uint64_t all = dataset_.windows(evaluation_split_);
  do {
    const auto batch = static_cast<size_t>(
        std::min<uint64_t>(config_.batch, evaluation_windows_ - evaluation_next_));
    for (size_t b = 0; b < batch; ++b) {
      const uint64_t window = (evaluation_next_ + b) * all / evaluation_windows_;
      dataset_.FixedWindow(evaluation_split_, window, batch_tokens_.Slice(b * time, time),
                           batch_targets_.Slice(b * time, time));
    }
    transformer_.Forward(batch_tokens_.Slice(0, batch * time), batch, time, PassDropout());
    const LossSum loss =
        transformer_.Loss(batch_targets_.Slice(0, batch * time), Span<float>());
    evaluation_sum_.sum += loss.sum;
    evaluation_sum_.count += loss.count;
    evaluation_next_ += batch;
    evaluating_ = evaluation_next_ < evaluation_windows_;
  } while (evaluating_ && NowMs() - start < budget_ms);
  return !evaluating_;
}

void Trainer::AbandonEvaluation() { evaluating_ = false; }

}  // namespace heed
