// SPDX-License-Identifier: MIT
// What is asked of a trace with many passes of its own: heads cut, activations patched, the lens.
#include "wasm/engine.h"

namespace heed {

Result<Handle> Engine::CutTraceHeads(Handle trace, size_t layer, bool mean) {
  Result<Trace*> found = FindTrace(trace);
  if (!found.ok()) return found.status();
  Result<Handle> buffer = DoublesBuffer((*found)->model().config().heads);
  if (!buffer.ok()) return buffer;
  const Status status = CutHeads(*found, layer, mean, Doubles(*buffer));
  if (status.ok()) return buffer;
  Dispose(*buffer);
  return status;
}

Result<Handle> Engine::PatchTrace(Handle trace, Handle from, const PatchQuestion& question,
                                  size_t layer, size_t first, size_t count) {
  Result<Trace*> found = FindTrace(trace);
  if (!found.ok()) return found.status();
  Result<Trace*> other = FindTrace(from);
  if (!other.ok()) return other.status();
  Result<Handle> buffer = DoublesBuffer(2 + uint64_t{count});
  if (!buffer.ok()) return buffer;
  const Span<double> reply = Doubles(*buffer);
  const Result<LogitDifferences> unchanged =
      PatchActivations(*found, **other, question, layer, first, reply.Slice(2, count));
  if (!unchanged.ok()) {
    Dispose(*buffer);
    return unchanged.status();
  }
  reply[0] = unchanged->own;
  reply[1] = unchanged->from;
  return buffer;
}

Result<Handle> Engine::ReadTraceLens(Handle trace, size_t place, size_t top) {
  Result<Trace*> found = FindTrace(trace);
  if (!found.ok()) return found.status();
  const size_t time = (*found)->time();
  const uint64_t cells = CheckedMul(time, top);
  const uint64_t bytes_of_cells = CheckedMul(cells, sizeof(float) + sizeof(int32_t));
  Result<Handle> buffer = CreateBuffer(
      CheckedAdd(bytes_of_cells, uint64_t{time} * (2 * sizeof(double) + sizeof(int32_t))));
  if (!buffer.ok()) return buffer;
  const auto taken = static_cast<size_t>(cells);
  auto* const doubles = reinterpret_cast<double*>(Buffer(*buffer)->data);
  auto* const floats = reinterpret_cast<float*>(doubles + 2 * time);
  auto* const ids = reinterpret_cast<int32_t*>(floats + taken);
  LensRows rows;
  rows.target = {doubles, time};
  rows.entropy = {doubles + time, time};
  rows.probabilities = {floats, taken};
  rows.ids = {ids, taken};
  rows.rank = {ids + taken, time};
  const Status status = ReadLens(*found, place, top, rows);
  if (status.ok()) return buffer;
  Dispose(*buffer);
  return status;
}

}  // namespace heed
