// SPDX-License-Identifier: MIT
#include "wasm/call_support.h"
#include "wasm/calls.h"

namespace heed::calls {

HandleReply CreateTimeline(double trainer, double every, double max_bytes) {
  const Result<uint64_t> steps = WholeNumber("every", every, kExactNumber);
  if (!steps.ok()) return Reply(Result<Handle>(steps.status()));
  const Result<uint64_t> bytes = WholeNumber("maxBytes", max_bytes, kExactNumber);
  if (!bytes.ok()) return Reply(Result<Handle>(bytes.status()));
  return Reply(TheEngine().CreateTimeline(ToHandle(trainer), *steps, *bytes));
}

TimelineReply ReadTimeline(double timeline) {
  const Result<Timeline*> found = TheEngine().FindTimeline(ToHandle(timeline));
  const StatusCode code = Keep(found.status());
  if (!found.ok()) return {code, 0.0, 0.0};
  return {code, static_cast<double>((*found)->first()), static_cast<double>((*found)->last())};
}

HandleReply ListSnapshots(double timeline) {
  return Reply(TheEngine().ListSnapshots(ToHandle(timeline)));
}

RunReply CreateReplay(double timeline) {
  return Reply(TheEngine().CreateReplay(ToHandle(timeline)));
}

StageReply AdvanceReplay(double timeline, double replay, double step, double budget_ms) {
  const Result<Timeline*> found = TheEngine().FindTimeline(ToHandle(timeline));
  if (!found.ok()) return {Keep(found.status()), false, 0.0};
  const Result<Trainer*> onto = TheEngine().FindTrainer(ToHandle(replay));
  if (!onto.ok()) return {Keep(onto.status()), false, 0.0};
  const Result<uint64_t> whole = WholeNumber("step", step, kExactNumber);
  if (!whole.ok()) return {Keep(whole.status()), false, 0.0};
  const Result<bool> done = (*found)->AdvanceReplay(*onto, *whole, budget_ms);
  if (!done.ok()) return {Keep(done.status()), false, 0.0};
  return {StatusCode::kOk, *done, static_cast<double>((*onto)->step())};
}

RunReply Branch(double timeline, double replay) {
  TrainConfig config;
  const Status status = ScratchConfig(0, TrainFieldCount(), &config);
  if (!status.ok()) return Reply(Result<RunHandles>(status));
  return Reply(TheEngine().Branch(ToHandle(timeline), ToHandle(replay), config));
}

}  // namespace heed::calls
