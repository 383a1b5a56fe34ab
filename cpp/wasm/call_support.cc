// SPDX-License-Identifier: MIT
#include "wasm/call_support.h"

#include "base/arena.h"

namespace heed::calls {
namespace {

Status g_last;
alignas(kAlignment) char g_scratch[4096];

}  // namespace

Engine& TheEngine() {
  static Engine engine;
  return engine;
}

Span<char> ScratchArea() { return Span<char>(g_scratch, sizeof(g_scratch)); }

Span<double> ScratchDoubles(size_t first, size_t count) {
  return Span<double>(reinterpret_cast<double*>(g_scratch) + first, count);
}

std::string_view ScratchText(uint32_t length) {
  return {g_scratch, length < sizeof(g_scratch) ? length : sizeof(g_scratch)};
}

Status ScratchConfigs(ModelConfig* model, TrainConfig* train) {
  HEED_RETURN_IF_ERROR(ScratchConfig(0, ModelFieldCount(), model));
  return ScratchConfig(ModelFieldCount(), TrainFieldCount(), train);
}

StatusCode Keep(const Status& status) {
  if (!status.ok()) g_last = status;
  return status.code();
}

const char* KeptMessage() { return g_last.message(); }

Handle ToHandle(double number) {
  const Result<uint64_t> whole = WholeNumber("handle", number, kExactNumber);
  return whole.ok() ? *whole : 0;
}

HandleReply Reply(const Result<Handle>& result) {
  const StatusCode code = Keep(result.status());
  return {code, result.ok() ? static_cast<double>(*result) : 0.0};
}

RunReply Reply(const Result<RunHandles>& result) {
  const StatusCode code = Keep(result.status());
  if (!result.ok()) return {code, 0.0, 0.0};
  return {code, static_cast<double>(result->model), static_cast<double>(result->trainer)};
}

LossReply Reply(const Result<Evaluation>& result, bool done) {
  LossReply reply = {};
  reply.status = Keep(result.status());
  if (!result.ok()) return reply;
  reply.done = done;
  reply.tokens = static_cast<double>(result->loss.count);
  reply.sequences = static_cast<double>(result->sequences);
  if (result->loss.count == 0) return reply;
  reply.loss = result->loss.sum / reply.tokens;
  reply.accuracy = static_cast<double>(result->correct) / reply.tokens;
  reply.exact = static_cast<double>(result->exact) / reply.sequences;
  return reply;
}

StepReply StepOf(const Trainer& trainer, Trainer::Progress progress) {
  const StepMetrics& metrics = trainer.metrics();
  StepReply reply = {};
  reply.progress = progress;
  reply.step = static_cast<double>(trainer.step());
  reply.loss = metrics.loss;
  reply.learning_rate = metrics.learning_rate;
  reply.gradient_norm = metrics.gradient_norm;
  reply.tokens = static_cast<double>(metrics.tokens);
  reply.step_tokens =
      static_cast<double>(trainer.step_rows()) * static_cast<double>(trainer.time());
  reply.milliseconds = metrics.milliseconds;
  return reply;
}

}  // namespace heed::calls
