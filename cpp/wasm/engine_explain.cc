// SPDX-License-Identifier: MIT
// Traces and what is asked of them.
#include <algorithm>
#include <utility>

#include "wasm/config_values.h"
#include "wasm/engine.h"
#include "wasm/text.h"

namespace heed {
namespace {

constexpr size_t kWhatIfFields = 6;

Result<WhatIf> WhatIfFrom(Span<const double> fields) {
  WhatIf what_if;
  uint32_t* const whole[] = {&what_if.layer, &what_if.head, &what_if.row, &what_if.column};
  const char* const names[] = {"layer", "head", "row", "column"};
  const Result<uint64_t> kind =
      WholeNumber("a what-if's kind", fields[0], static_cast<double>(WhatIfKind::kCount) - 1);
  if (!kind.ok()) return kind.status();
  what_if.kind = static_cast<WhatIfKind>(*kind);
  for (size_t i = 0; i < 4; ++i) {
    const Result<uint64_t> number = WholeNumber(names[i], fields[1 + i], UINT32_MAX);
    if (!number.ok()) return number.status();
    *whole[i] = static_cast<uint32_t>(*number);
  }
  what_if.value = static_cast<float>(fields[5]);
  return what_if;
}

// In an arena: their number is the caller's.
Result<Span<WhatIf>> WhatIfsFrom(Span<const double> fields, Arena* arena) {
  const size_t count = fields.size / kWhatIfFields;
  HEED_RETURN_IF_ERROR(arena->Allocate(CheckedMul(count, sizeof(WhatIf)), "the what-ifs"));
  const Span<WhatIf> what_ifs = arena->Slice<WhatIf>(0, count);
  for (size_t i = 0; i < count; ++i) {
    const Result<WhatIf> what_if =
        WhatIfFrom(fields.Slice(i * kWhatIfFields, kWhatIfFields));
    if (!what_if.ok()) return what_if.status();
    what_ifs[i] = *what_if;
  }
  return what_ifs;
}

void WriteNumbers(TextWriter* writer, std::initializer_list<uint64_t> numbers) {
  for (const uint64_t number : numbers) {
    writer->Append(" ");
    writer->AppendNumber(number);
  }
}

size_t WriteList(const Trace& trace, Span<char> text) {
  TextWriter writer(text);
  const ModelConfig& config = trace.model().config();
  const auto offset = [](Span<const float> floats, const Matrix<float>& m) {
    return static_cast<uint64_t>(m.data - floats.data);
  };
  ForEachTraceMatrix(
      config, trace.time(),
      [&](const TraceMatrixInfo& info, Matrix<float> TraceMatrices::* of_model,
          Matrix<float> TraceLayer::* of_layer) {
        const auto in = [&](const TraceMatrices& matrices) {
          return of_model != nullptr
                     ? matrices.*of_model
                     : matrices.layers[static_cast<size_t>(info.layer)].*of_layer;
        };
        const bool gradient = trace.has_gradients() && info.has_gradient;
        writer.Append("matrix");
        WriteNumbers(&writer, {static_cast<uint64_t>(info.layer + 1)});
        writer.Append(" ");
        writer.Append(info.name);
        WriteNumbers(&writer,
                     {info.rows, info.cols, static_cast<uint64_t>(info.heads),
                      offset(trace.value_floats(), in(trace.values())),
                      gradient ? 1 + offset(trace.gradient_floats(), in(trace.gradients())) : 0});
        writer.Append("\n");
      });
  for (const TensorTable::Entry& entry : trace.model().table().entries()) {
    char name[kMaxTensorName];
    TensorName(entry.spec, name);
    writer.Append("tensor ");
    writer.Append(name);
    WriteNumbers(&writer, {entry.spec.rank, entry.spec.rows, entry.spec.cols, entry.offset});
    writer.Append("\n");
  }
  return writer.length();
}

}  // namespace

Result<Handle> Engine::CreateTrace(Handle model, Handle tokens, Handle targets, Handle what_ifs,
                                   bool gradients) {
  Result<Model*> found = FindModel(model);
  if (!found.ok()) return found.status();
  Result<Span<int32_t>> ids = Elements<int32_t>(tokens, "the tokens");
  if (!ids.ok()) return ids.status();
  Result<Span<int32_t>> wanted = Elements<int32_t>(targets, "the targets");
  if (!wanted.ok()) return wanted.status();
  Result<Span<double>> fields = Elements<double>(what_ifs, "the what-ifs");
  if (!fields.ok()) return fields.status();
  Arena arena;
  Result<Span<WhatIf>> parsed = WhatIfsFrom(*fields, &arena);
  if (!parsed.ok()) return parsed.status();
  Result<std::unique_ptr<Trace>> trace =
      Trace::Create(**found, *ids, *wanted, *parsed, gradients);
  if (!trace.ok()) return trace.status();
  return Add(std::move(*trace), model, "the trace");
}

Result<Trace*> Engine::FindTrace(Handle trace) {
  Result<std::unique_ptr<Trace>*> found = Find<std::unique_ptr<Trace>>(trace, "trace");
  if (!found.ok()) return found.status();
  return (*found)->get();
}

Result<Span<const float>> Engine::TraceFloats(Handle trace, TracePart part) {
  Result<Trace*> found = FindTrace(trace);
  if (!found.ok()) return found.status();
  switch (part) {
    case TracePart::kValues:
      return (*found)->value_floats();
    case TracePart::kGradients:
      return (*found)->gradient_floats();
    case TracePart::kParameters:
      return (*found)->model().parameters();
    case TracePart::kParameterGradients:
      break;
  }
  return (*found)->parameter_gradients().floats;
}

Result<Handle> Engine::ListTrace(Handle trace) {
  Result<Trace*> found = FindTrace(trace);
  if (!found.ok()) return found.status();
  const size_t length = WriteList(**found, Span<char>());
  Result<Handle> buffer = CreateBuffer(length);
  if (!buffer.ok()) return buffer;
  WriteList(**found, Span<char>(reinterpret_cast<char*>(Buffer(*buffer)->data), length));
  return buffer;
}

Result<Handle> Engine::DoublesBuffer(uint64_t count) {
  return CreateBuffer(CheckedMul(count, sizeof(double)));
}

Span<double> Engine::Doubles(Handle buffer) {
  const Span<uint8_t> bytes = *Buffer(buffer);
  return {reinterpret_cast<double*>(bytes.data), bytes.size / sizeof(double)};
}

Result<Handle> Engine::TraceContributions(Handle trace, Projection projection, size_t layer,
                                          size_t head) {
  Result<Trace*> found = FindTrace(trace);
  if (!found.ok()) return found.status();
  const size_t time = (*found)->time();
  Result<Handle> buffer = DoublesBuffer(2 + time + uint64_t{time} * time);
  if (!buffer.ok()) return buffer;
  const Span<double> reply = Doubles(*buffer);
  const Result<ContributionSums> sums =
      Contributions(**found, projection, layer, head, reply.Slice(2, time),
                    reply.Slice(2 + time, time * time));
  if (!sums.ok()) {
    Dispose(*buffer);
    return sums.status();
  }
  reply[0] = sums->squared_norm;
  reply[1] = sums->meaningful ? 1.0 : 0.0;
  return buffer;
}

Result<Handle> Engine::TraceLogitParts(Handle trace, const LogitQuestion& question) {
  Result<Trace*> found = FindTrace(trace);
  if (!found.ok()) return found.status();
  const ModelConfig& config = (*found)->model().config();
  const size_t edges = config.heads * (*found)->time(), layers = config.layers;
  Result<Handle> buffer = DoublesBuffer(3 + edges + 2 * layers);
  if (!buffer.ok()) return buffer;
  const Span<double> reply = Doubles(*buffer);
  const Result<LogitPartSums> sums =
      LogitParts(**found, question, reply.Slice(3, edges), reply.Slice(3 + edges, layers),
                 reply.Slice(3 + edges + layers, layers));
  if (!sums.ok()) {
    Dispose(*buffer);
    return sums.status();
  }
  reply[0] = sums->difference;
  reply[1] = sums->embedding;
  reply[2] = sums->bias;
  return buffer;
}

Result<Handle> Engine::SweepTrace(Handle trace, const WhatIf& score, Handle by) {
  Result<Trace*> found = FindTrace(trace);
  if (!found.ok()) return found.status();
  HEED_RETURN_IF_ERROR(CheckWhatIfs((*found)->model(), (*found)->time(),
                                    Span<const WhatIf>(&score, 1)));
  Result<Span<double>> steps = Elements<double>(by, "the steps");
  if (!steps.ok()) return steps.status();
  Arena arena;
  HEED_RETURN_IF_ERROR(arena.Allocate(CheckedMul(steps->size, sizeof(float)), "the steps"));
  const Span<float> floats = arena.Slice<float>(0, steps->size);
  for (size_t i = 0; i < steps->size; ++i) floats[i] = static_cast<float>((*steps)[i]);
  Result<Handle> buffer = DoublesBuffer(steps->size);
  if (!buffer.ok()) return buffer;
  const Status status = SweepScore(*found, score, floats, Doubles(*buffer));
  if (status.ok()) return buffer;
  Dispose(*buffer);
  return status;
}

Result<Handle> Engine::CutTraceEdges(Handle trace, const EdgeRow& at, bool renormalise) {
  Result<Trace*> found = FindTrace(trace);
  if (!found.ok()) return found.status();
  Result<Handle> buffer = DoublesBuffer((*found)->time());
  if (!buffer.ok()) return buffer;
  const Status status = CutEdges(*found, at, renormalise, Doubles(*buffer));
  if (status.ok()) return buffer;
  Dispose(*buffer);
  return status;
}

}  // namespace heed
