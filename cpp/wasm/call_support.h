// SPDX-License-Identifier: MIT
// What the calls share: the one engine, the last message, the scratch area, replies.
#ifndef HEED_WASM_CALL_SUPPORT_H_
#define HEED_WASM_CALL_SUPPORT_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/span.h"
#include "base/status.h"
#include "wasm/config_values.h"
#include "wasm/engine.h"
#include "wasm/replies.h"

namespace heed::calls {

Engine& TheEngine();

// Configurations, names and descriptions pass through here.
Span<char> ScratchArea();
Span<double> ScratchDoubles(size_t first, size_t count);
std::string_view ScratchText(uint32_t length);
template <typename Config>
Status ScratchConfig(size_t first, size_t count, Config* config) {
  return ConfigFromValues(ScratchDoubles(first, count), config);
}
// A model's values and, behind them, a training's.
Status ScratchConfigs(ModelConfig* model, TrainConfig* train);

// Remembers the message of a failure.
StatusCode Keep(const Status& status);
const char* KeptMessage();

// A number that cannot be a handle becomes 0, which names nothing.
Handle ToHandle(double number);

HandleReply Reply(const Result<Handle>& result);
RunReply Reply(const Result<RunHandles>& result);
LossReply Reply(const Result<Evaluation>& result, bool done);
StepReply StepOf(const Trainer& trainer, Trainer::Progress progress);
template <typename T>
BytesReply Reply(const Result<Span<T>>& result) {
  const StatusCode code = Keep(result.status());
  if (!result.ok()) return {code, 0.0, 0.0};
  return {code, static_cast<double>(reinterpret_cast<uintptr_t>(result->data)),
          static_cast<double>(result->size * sizeof(T))};
}

}  // namespace heed::calls

#endif  // HEED_WASM_CALL_SUPPORT_H_
