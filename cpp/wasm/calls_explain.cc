// SPDX-License-Identifier: MIT
#include "wasm/calls_explain.h"

#include "wasm/call_support.h"
#include "wasm/config_values.h"

namespace heed::calls {
namespace {

struct Named {
  const char* name;
  double value;
  uint32_t* whole;
};

Status ReadWhole(std::initializer_list<Named> numbers) {
  for (const Named& number : numbers) {
    const Result<uint64_t> whole = WholeNumber(number.name, number.value, UINT32_MAX);
    if (!whole.ok()) return whole.status();
    *number.whole = static_cast<uint32_t>(*whole);
  }
  return Status();
}

HandleReply Refuse(const Status& status) { return Reply(Result<Handle>(status)); }

Result<Engine::AttentionSizes> SizesOf(double time, double width, double head_width,
                                       double value_width, double scale) {
  uint32_t whole[4] = {};
  HEED_RETURN_IF_ERROR(ReadWhole({{"rows of x", time, &whole[0]},
                                  {"columns of x", width, &whole[1]},
                                  {"columns of wQ", head_width, &whole[2]},
                                  {"columns of wV", value_width, &whole[3]}}));
  return Engine::AttentionSizes{whole[0], whole[1], whole[2], whole[3],
                                static_cast<float>(scale)};
}

}  // namespace

TraceReply CreateTrace(double model, double tokens, double targets, double what_ifs,
                       bool gradients) {
  const Result<Handle> made = TheEngine().CreateTrace(ToHandle(model), ToHandle(tokens),
                                                      ToHandle(targets), ToHandle(what_ifs),
                                                      gradients);
  TraceReply reply = {};
  reply.status = Keep(made.status());
  if (!made.ok()) return reply;
  const LossSum loss = (*TheEngine().FindTrace(*made))->loss();
  reply.handle = static_cast<double>(*made);
  reply.counted = static_cast<double>(loss.count);
  reply.loss = loss.count > 0 ? loss.sum / static_cast<double>(loss.count) : 0.0;
  return reply;
}

BytesReply TraceFloats(double trace, TracePart part) {
  return Reply(TheEngine().TraceFloats(ToHandle(trace), part));
}

HandleReply ListTrace(double trace) { return Reply(TheEngine().ListTrace(ToHandle(trace))); }

HandleReply TraceContributions(double trace, Projection projection, double layer, double head) {
  uint32_t l = 0, h = 0;
  const Status status = ReadWhole({{"layer", layer, &l}, {"head", head, &h}});
  if (!status.ok()) return Refuse(status);
  return Reply(TheEngine().TraceContributions(ToHandle(trace), projection, l, h));
}

HandleReply TraceLogitParts(double trace, double layer, double row, double target, double rival) {
  uint32_t l = 0, i = 0, t = 0, r = 0;
  const Status status = ReadWhole(
      {{"layer", layer, &l}, {"row", row, &i}, {"target", target, &t}, {"rival", rival, &r}});
  if (!status.ok()) return Refuse(status);
  const LogitQuestion question = {l, i, static_cast<int32_t>(t), static_cast<int32_t>(r)};
  return Reply(TheEngine().TraceLogitParts(ToHandle(trace), question));
}

HandleReply SweepTrace(double trace, double layer, double head, double row, double column,
                       double by) {
  WhatIf score;
  score.kind = WhatIfKind::kAddToScore;
  const Status status = ReadWhole({{"layer", layer, &score.layer},
                                   {"head", head, &score.head},
                                   {"row", row, &score.row},
                                   {"column", column, &score.column}});
  if (!status.ok()) return Refuse(status);
  return Reply(TheEngine().SweepTrace(ToHandle(trace), score, ToHandle(by)));
}

HandleReply CutTraceEdges(double trace, double layer, double head, double row, bool renormalise) {
  uint32_t l = 0, h = 0, i = 0;
  const Status status = ReadWhole({{"layer", layer, &l}, {"head", head, &h}, {"row", row, &i}});
  if (!status.ok()) return Refuse(status);
  return Reply(TheEngine().CutTraceEdges(ToHandle(trace), {l, h, i}, renormalise));
}

HandleReply CutTraceHeads(double trace, double layer, bool mean) {
  uint32_t l = 0;
  const Status status = ReadWhole({{"layer", layer, &l}});
  if (!status.ok()) return Refuse(status);
  return Reply(TheEngine().CutTraceHeads(ToHandle(trace), l, mean));
}

HandleReply PatchTrace(double trace, double from, PassPoint point, double layer, double first,
                       double count, double row, double target, double rival) {
  uint32_t l = 0, f = 0, n = 0, i = 0, t = 0, r = 0;
  const Status status = ReadWhole({{"layer", layer, &l},
                                   {"the first place", first, &f},
                                   {"the number of places", count, &n},
                                   {"row", row, &i},
                                   {"target", target, &t},
                                   {"rival", rival, &r}});
  if (!status.ok()) return Refuse(status);
  const PatchQuestion question = {point, i, static_cast<int32_t>(t), static_cast<int32_t>(r)};
  return Reply(TheEngine().PatchTrace(ToHandle(trace), ToHandle(from), question, l, f, n));
}

HandleReply ReadTraceLens(double trace, double place, double top) {
  uint32_t p = 0, n = 0;
  const Status status = ReadWhole({{"place", place, &p}, {"top", top, &n}});
  if (!status.ok()) return Refuse(status);
  return Reply(TheEngine().ReadTraceLens(ToHandle(trace), p, n));
}

HandleReply Attend(double matrices, double visible, double time, double width, double head_width,
                   double value_width, double scale) {
  const Result<Engine::AttentionSizes> sizes = SizesOf(time, width, head_width, value_width, scale);
  if (!sizes.ok()) return Refuse(sizes.status());
  return Reply(TheEngine().Attend(*sizes, ToHandle(matrices), ToHandle(visible)));
}

HandleReply AttendBackward(double matrices, double visible, double d_out, double time,
                           double width, double head_width, double value_width, double scale) {
  const Result<Engine::AttentionSizes> sizes = SizesOf(time, width, head_width, value_width, scale);
  if (!sizes.ok()) return Refuse(sizes.status());
  return Reply(TheEngine().AttendBackward(*sizes, ToHandle(matrices), ToHandle(visible),
                                          ToHandle(d_out)));
}

}  // namespace heed::calls
