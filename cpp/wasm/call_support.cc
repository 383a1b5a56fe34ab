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

LossReply Reply(const Result<LossSum>& result, bool done) {
  const StatusCode code = Keep(result.status());
  if (!result.ok()) return {code, false, 0.0, 0.0};
  const double tokens = static_cast<double>(result->count);
  return {code, done, result->count == 0 ? 0.0 : result->sum / tokens, tokens};
}

}  // namespace heed::calls
