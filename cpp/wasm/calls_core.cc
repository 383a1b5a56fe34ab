// SPDX-License-Identifier: MIT
#include "wasm/calls.h"

#include <cstring>

#include "base/arena.h"
#include "wasm/call_support.h"
#include "wasm/config_values.h"
#include "wasm/known_answer.h"

namespace heed::calls {

BytesReply Scratch() { return Reply(Result<Span<char>>(ScratchArea())); }

BytesReply LastMessage() {
  const char* const text = KeptMessage();
  return Reply(Result<Span<const char>>(Span<const char>(text, std::strlen(text))));
}

uint32_t DescribeModel() { return static_cast<uint32_t>(DescribeModelFields(ScratchArea())); }

uint32_t DescribeTrain() { return static_cast<uint32_t>(DescribeTrainFields(ScratchArea())); }

uint32_t DescribeTask() { return static_cast<uint32_t>(DescribeTaskFields(ScratchArea())); }

HandleReply CreateBuffer(double bytes) {
  const Result<uint64_t> size = WholeNumber("the size of a buffer", bytes, kExactNumber);
  if (!size.ok()) return Reply(Result<Handle>(size.status()));
  return Reply(TheEngine().CreateBuffer(*size));
}

BytesReply BufferBytes(double buffer) { return Reply(TheEngine().Buffer(ToHandle(buffer))); }

bool Dispose(double handle) { return TheEngine().Dispose(ToHandle(handle)); }

MemoryReply Memory() {
  const ArenaTotals totals = GetArenaTotals();
  return {static_cast<double>(TheEngine().live_handles()),
          static_cast<double>(totals.bytes_in_use), static_cast<double>(totals.peak_bytes)};
}

BytesReply RunKnownAnswer() {
  const Span<float> answers(reinterpret_cast<float*>(ScratchArea().data), kKnownAnswerFloats);
  const Status status = KnownAnswer(answers);
  if (!status.ok()) return Reply(Result<Span<float>>(status));
  return Reply(Result<Span<float>>(answers));
}

}  // namespace heed::calls
