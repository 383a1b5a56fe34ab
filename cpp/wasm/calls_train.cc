// SPDX-License-Identifier: MIT
#include "wasm/calls.h"

#include <cmath>

#include "wasm/call_support.h"
#include "wasm/config_values.h"

namespace heed::calls {
HandleReply CreateTrainer(double model, double tokens, double mask) {
  TrainConfig config;
  const Status status = ScratchConfig(0, TrainFieldCount(), &config);
  if (!status.ok()) return Reply(Result<Handle>(status));
  return Reply(TheEngine().CreateTrainer(ToHandle(model), config, ToHandle(tokens),
                                         ToHandle(mask)));
}

StatusCode ChangeTrainer(double trainer) {
  TrainConfig config;
  const Status status = ScratchConfig(0, TrainFieldCount(), &config);
  if (!status.ok()) return Keep(status);
  return Keep(TheEngine().ChangeTrainer(ToHandle(trainer), config));
}

HandleReply SaveTrainer(double trainer, double metadata) {
  return Reply(TheEngine().SaveTrainer(ToHandle(trainer), ToHandle(metadata)));
}

RunReply CreateRun(double tokens, double mask) {
  ModelConfig model;
  TrainConfig train;
  const Status status = ScratchConfigs(&model, &train);
  if (!status.ok()) return Reply(Result<RunHandles>(status));
  return Reply(TheEngine().CreateRun(model, train, ToHandle(tokens), ToHandle(mask)));
}

RunReply ResumeTrainer(double file, double tokens, double mask) {
  return Reply(TheEngine().ResumeTrainer(ToHandle(file), ToHandle(tokens), ToHandle(mask)));
}

StatusCode ReadTrainConfig(double trainer) {
  const Result<Trainer*> found = TheEngine().FindTrainer(ToHandle(trainer));
  if (found.ok()) {
    ValuesFromConfig((*found)->config(), ScratchDoubles(0, TrainFieldCount()));
  }
  return Keep(found.status());
}

StepReply ReadProgress(double trainer) {
  const Result<Trainer*> found = TheEngine().FindTrainer(ToHandle(trainer));
  StepReply reply = {};
  if (found.ok()) reply = StepOf(**found, Trainer::Progress::kWorking);
  reply.status = Keep(found.status());
  return reply;
}

StepReply AdvanceTrainer(double trainer, double budget_ms) {
  StepReply reply = {};
  const Result<Trainer*> found = TheEngine().FindTrainer(ToHandle(trainer));
  reply.status = Keep(found.status());
  if (!found.ok()) return reply;
  const Result<Trainer::Progress> progress = (*found)->Advance(budget_ms);
  if (progress.ok()) reply = StepOf(**found, *progress);
  reply.status = Keep(progress.status());
  return reply;
}

StatusCode AbandonTrainer(double trainer) {
  const Result<Trainer*> found = TheEngine().FindTrainer(ToHandle(trainer));
  if (found.ok()) {
    (*found)->AbandonStep();
    (*found)->AbandonEvaluation();
  }
  return Keep(found.status());
}

StatusCode ResetTrainer(double trainer) {
  const Result<Trainer*> found = TheEngine().FindTrainer(ToHandle(trainer));
  if (found.ok()) (*found)->Reset();
  return Keep(found.status());
}

StatusCode BeginEvaluation(double trainer, Split split, double max_windows) {
  const Result<Trainer*> found = TheEngine().FindTrainer(ToHandle(trainer));
  if (!found.ok()) return Keep(found.status());
  const Result<uint64_t> windows = WholeNumber("maxWindows", max_windows, kExactNumber);
  if (!windows.ok()) return Keep(windows.status());
  return Keep((*found)->BeginEvaluation(split, *windows));
}

LossReply AdvanceEvaluation(double trainer, double budget_ms) {
  const Result<Trainer*> found = TheEngine().FindTrainer(ToHandle(trainer));
  if (!found.ok()) return Reply(Result<Evaluation>(found.status()), false);
  const Result<bool> done = (*found)->AdvanceEvaluation(budget_ms);
  if (!done.ok()) return Reply(Result<Evaluation>(done.status()), false);
  const Evaluation& sum = (*found)->evaluation();
  if (!std::isfinite(sum.loss.sum)) {
    (*found)->AbandonEvaluation();
    return Reply(Result<Evaluation>(Status::Error(
                     StatusCode::kNonFinite,
                     "the evaluation's loss is not finite, because a weight is not or has grown "
                     "too large; reset the run or resume an earlier one")),
                 false);
  }
  return Reply(Result<Evaluation>(sum), *done);
}

ForecastReply Forecast() {
  ForecastReply reply = {};
  ModelConfig model;
  TrainConfig train;
  reply.status = Keep(ScratchConfigs(&model, &train));
  if (reply.status != StatusCode::kOk) return reply;
  const Result<EngineForecast> forecast = Engine::Forecast(model, train);
  reply.status = Keep(forecast.status());
  if (!forecast.ok()) return reply;
  reply.parameters = static_cast<double>(forecast->parameters);
  reply.parameter_bytes = static_cast<double>(forecast->bytes.parameters);
  reply.gradient_bytes = static_cast<double>(forecast->bytes.gradients);
  reply.optimizer_bytes = static_cast<double>(forecast->bytes.optimizer);
  reply.activation_bytes = static_cast<double>(forecast->bytes.activations);
  reply.total_bytes = static_cast<double>(forecast->bytes.total);
  reply.flops_per_step = forecast->flops_per_step;
  reply.tokens_per_step = forecast->tokens_per_step;
  return reply;
}

}  // namespace heed::calls
