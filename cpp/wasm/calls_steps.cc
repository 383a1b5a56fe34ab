// SPDX-License-Identifier: MIT
// A step in parts, groups of tensors, a run's examples.
#include "wasm/call_support.h"
#include "wasm/calls.h"

namespace heed::calls {
namespace {

Status ScratchTrainAndTask(size_t first, TrainConfig* train, TaskConfig* task) {
  HEED_RETURN_IF_ERROR(ScratchConfig(first, TrainFieldCount(), train));
  return ScratchConfig(first + TrainFieldCount(), TaskFieldCount(), task);
}

StageReply Failed(const Status& status) { return {Keep(status), false, 0.0}; }

}  // namespace

HandleReply CreateTaskTrainer(double model) {
  TrainConfig train;
  TaskConfig task;
  const Status status = ScratchTrainAndTask(0, &train, &task);
  if (!status.ok()) return Reply(Result<Handle>(status));
  return Reply(TheEngine().CreateTrainer(ToHandle(model), train, TrainingData(task)));
}

RunReply CreateTaskRun() {
  ModelConfig model;
  TrainConfig train;
  TaskConfig task;
  Status status = ScratchConfig(0, ModelFieldCount(), &model);
  if (status.ok()) status = ScratchTrainAndTask(ModelFieldCount(), &train, &task);
  if (!status.ok()) return Reply(Result<RunHandles>(status));
  return Reply(TheEngine().CreateRun(model, train, TrainingData(task)));
}

RunReply ResumeTaskTrainer(double file, bool named) {
  if (!named) return Reply(TheEngine().ResumeTrainer(ToHandle(file), nullptr));
  TaskConfig task;
  const Status status = ScratchConfig(0, TaskFieldCount(), &task);
  if (!status.ok()) return Reply(Result<RunHandles>(status));
  const TrainingData data = task;
  return Reply(TheEngine().ResumeTrainer(ToHandle(file), &data));
}

DataReply ReadData(double trainer) {
  DataReply reply = {};
  const Result<Trainer*> found = TheEngine().FindTrainer(ToHandle(trainer));
  reply.status = Keep(found.status());
  if (!found.ok()) return reply;
  const ExampleSource& examples = *(*found)->examples();
  const uint64_t fingerprint = examples.fingerprint();
  reply.high = static_cast<uint32_t>(fingerprint >> 32);
  reply.low = static_cast<uint32_t>(fingerprint);
  reply.time = static_cast<double>(examples.time());
  reply.generated = examples.task() != nullptr;
  if (reply.generated) {
    ValuesFromConfig(examples.task()->config(), ScratchDoubles(0, TaskFieldCount()));
  }
  return reply;
}

HandleReply ReadExample(double trainer, Split split, double number) {
  const Result<uint64_t> whole = WholeNumber("the example's number", number, kExactNumber);
  if (!whole.ok()) return Reply(Result<Handle>(whole.status()));
  return Reply(TheEngine().ReadExample(ToHandle(trainer), split, *whole));
}

HandleReply ReadBatch(double trainer, double step) {
  const Result<uint64_t> whole = WholeNumber("step", step, kExactNumber);
  if (!whole.ok()) return Reply(Result<Handle>(whole.status()));
  return Reply(TheEngine().ReadBatch(ToHandle(trainer), *whole));
}

HandleReply ListGroups(double trainer) { return Reply(TheEngine().ListGroups(ToHandle(trainer))); }

StatusCode SetFrozen(double trainer, double names) {
  return Keep(TheEngine().SetFrozen(ToHandle(trainer), ToHandle(names)));
}

StepReply UpdateGroups(double trainer, double names) {
  StepReply reply = {};
  reply.status = Keep(TheEngine().UpdateGroups(ToHandle(trainer), ToHandle(names)));
  if (reply.status != StatusCode::kOk) return reply;
  return StepOf(**TheEngine().FindTrainer(ToHandle(trainer)), Trainer::Progress::kStepDone);
}

LossReply TryUpdate(double trainer, double names) {
  return Reply(TheEngine().TryUpdate(ToHandle(trainer), ToHandle(names)), true);
}

StageReply AdvanceForward(double trainer, double budget_ms) {
  const Result<Trainer*> found = TheEngine().FindTrainer(ToHandle(trainer));
  if (!found.ok()) return Failed(found.status());
  const Result<bool> done = (*found)->AdvanceForward(budget_ms);
  if (!done.ok()) return Failed(done.status());
  return {StatusCode::kOk, *done, *done ? (*found)->forward_loss() : 0.0};
}

StageReply AdvanceBackward(double trainer, double budget_ms) {
  const Result<Trainer*> found = TheEngine().FindTrainer(ToHandle(trainer));
  if (!found.ok()) return Failed(found.status());
  const Result<bool> done = (*found)->AdvanceBackward(budget_ms);
  if (!done.ok()) return Failed(done.status());
  if (!*done) return {StatusCode::kOk, false, 0.0};
  const Result<double> norm = (*found)->GradientNorm();
  if (!norm.ok()) return Failed(norm.status());
  return {StatusCode::kOk, true, *norm};
}

StatusCode KeepUndo(double trainer) {
  const Result<Trainer*> found = TheEngine().FindTrainer(ToHandle(trainer));
  return Keep(found.ok() ? (*found)->KeepUndo() : found.status());
}

StatusCode Undo(double trainer) {
  const Result<Trainer*> found = TheEngine().FindTrainer(ToHandle(trainer));
  return Keep(found.ok() ? (*found)->Undo() : found.status());
}

HandleReply ReadReports(double trainer) {
  return Reply(TheEngine().ReadReports(ToHandle(trainer)));
}

HandleReply ReadNorms(double trainer) {
  return Reply(TheEngine().ReadNorms(ToHandle(trainer)));
}

}  // namespace heed::calls
