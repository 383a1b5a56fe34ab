// SPDX-License-Identifier: MIT
// The only file that knows Embind, and all it does is give names: what the functions do stands in
// calls.h. web/lib/bindings-types.mjs reads the lists below to write the TypeScript declarations.
#include <emscripten/bind.h>

#include "wasm/calls.h"
#include "wasm/calls_explain.h"
#include "wasm/replies.h"

namespace heed {

using emscripten::enum_;
using emscripten::function;
using emscripten::value_object;

EMSCRIPTEN_BINDINGS(heed) {
  enum_<StatusCode>("StatusCode")
      .value("ok", StatusCode::kOk)
      .value("invalidArgument", StatusCode::kInvalidArgument)
      .value("outOfMemory", StatusCode::kOutOfMemory)
      .value("nonFinite", StatusCode::kNonFinite)
      .value("disposed", StatusCode::kDisposed)
      .value("badData", StatusCode::kBadData)
      .value("badState", StatusCode::kBadState);
  enum_<Trainer::Progress>("Progress")
      .value("working", Trainer::Progress::kWorking)
      .value("stepDone", Trainer::Progress::kStepDone)
      .value("finished", Trainer::Progress::kFinished);
  enum_<Split>("Split")
      .value("train", Split::kTrain)
      .value("validation", Split::kValidation);

  enum_<TracePart>("TracePart")
      .value("values", TracePart::kValues)
      .value("gradients", TracePart::kGradients)
      .value("parameters", TracePart::kParameters)
      .value("parameterGradients", TracePart::kParameterGradients);
  enum_<Projection>("Projection")
      .value("W_Q", Projection::kQuery)
      .value("W_K", Projection::kKey)
      .value("W_V", Projection::kValue);
  enum_<PassPoint>("PassPoint")
      .value("stream", PassPoint::kStream)
      .value("head", PassPoint::kHeads)
      .value("attention", PassPoint::kAttention)
      .value("feedForward", PassPoint::kFeedForward);

  value_object<HandleReply>("HandleReply")
      .field("status", &HandleReply::status)
      .field("handle", &HandleReply::handle);
  value_object<RunReply>("RunReply")
      .field("status", &RunReply::status)
      .field("model", &RunReply::model)
      .field("trainer", &RunReply::trainer);
  value_object<BytesReply>("BytesReply")
      .field("status", &BytesReply::status)
      .field("pointer", &BytesReply::pointer)
      .field("bytes", &BytesReply::bytes);
  value_object<LossReply>("LossReply")
      .field("status", &LossReply::status)
      .field("done", &LossReply::done)
      .field("loss", &LossReply::loss)
      .field("tokens", &LossReply::tokens)
      .field("accuracy", &LossReply::accuracy)
      .field("exact", &LossReply::exact)
      .field("sequences", &LossReply::sequences);
  value_object<StageReply>("StageReply")
      .field("status", &StageReply::status)
      .field("done", &StageReply::done)
      .field("value", &StageReply::value);
  value_object<DataReply>("DataReply")
      .field("status", &DataReply::status)
      .field("high", &DataReply::high)
      .field("low", &DataReply::low)
      .field("time", &DataReply::time)
      .field("generated", &DataReply::generated);
  value_object<TimelineReply>("TimelineReply")
      .field("status", &TimelineReply::status)
      .field("first", &TimelineReply::first)
      .field("last", &TimelineReply::last);
  value_object<StepReply>("StepReply")
      .field("status", &StepReply::status)
      .field("progress", &StepReply::progress)
      .field("step", &StepReply::step)
      .field("loss", &StepReply::loss)
      .field("learningRate", &StepReply::learning_rate)
      .field("gradientNorm", &StepReply::gradient_norm)
      .field("tokens", &StepReply::tokens)
      .field("stepTokens", &StepReply::step_tokens)
      .field("milliseconds", &StepReply::milliseconds);
  value_object<TokenReply>("TokenReply")
      .field("status", &TokenReply::status)
      .field("done", &TokenReply::done)
      .field("token", &TokenReply::token);
  value_object<HashReply>("HashReply")
      .field("status", &HashReply::status)
      .field("high", &HashReply::high)
      .field("low", &HashReply::low);
  value_object<ForecastReply>("ForecastReply")
      .field("status", &ForecastReply::status)
      .field("parameters", &ForecastReply::parameters)
      .field("parameterBytes", &ForecastReply::parameter_bytes)
      .field("gradientBytes", &ForecastReply::gradient_bytes)
      .field("optimizerBytes", &ForecastReply::optimizer_bytes)
      .field("activationBytes", &ForecastReply::activation_bytes)
      .field("totalBytes", &ForecastReply::total_bytes)
      .field("flopsPerStep", &ForecastReply::flops_per_step)
      .field("tokensPerStep", &ForecastReply::tokens_per_step);
  value_object<TraceReply>("TraceReply")
      .field("status", &TraceReply::status)
      .field("handle", &TraceReply::handle)
      .field("loss", &TraceReply::loss)
      .field("counted", &TraceReply::counted);
  value_object<MemoryReply>("MemoryReply")
      .field("liveHandles", &MemoryReply::live_handles)
      .field("bytesInUse", &MemoryReply::bytes_in_use)
      .field("peakBytes", &MemoryReply::peak_bytes);

  function("scratch", &calls::Scratch);
  function("lastMessage", &calls::LastMessage);
  function("describeModel", &calls::DescribeModel);
  function("describeTrain", &calls::DescribeTrain);
  function("describeTask", &calls::DescribeTask);
  function("createBuffer", &calls::CreateBuffer);
  function("bufferBytes", &calls::BufferBytes);
  function("dispose", &calls::Dispose);
  function("memory", &calls::Memory);
  function("knownAnswer", &calls::RunKnownAnswer);
  function("createModel", &calls::CreateModel);
  function("readModelConfig", &calls::ReadModelConfig);
  function("parameterCount", &calls::ParameterCount);
  function("listTensors", &calls::ListTensors);
  function("readTensor", &calls::ReadTensor);
  function("writeTensor", &calls::WriteTensor);
  function("weightsHash", &calls::WeightsHash);
  function("forward", &calls::Forward);
  function("loss", &calls::Loss);
  function("batchLoss", &calls::BatchLoss);
  function("attention", &calls::Attention);
  function("saveModel", &calls::SaveModel);
  function("loadModel", &calls::LoadModel);
  function("readMetadata", &calls::ReadMetadata);
  function("createGenerator", &calls::CreateGenerator);
  function("advanceGenerator", &calls::AdvanceGenerator);
  function("readPool", &calls::ReadPool);
  function("createTrainer", &calls::CreateTrainer);
  function("changeTrainer", &calls::ChangeTrainer);
  function("createRun", &calls::CreateRun);
  function("saveTrainer", &calls::SaveTrainer);
  function("resumeTrainer", &calls::ResumeTrainer);
  function("readTrainConfig", &calls::ReadTrainConfig);
  function("readProgress", &calls::ReadProgress);
  function("advanceTrainer", &calls::AdvanceTrainer);
  function("abandonTrainer", &calls::AbandonTrainer);
  function("resetTrainer", &calls::ResetTrainer);
  function("beginEvaluation", &calls::BeginEvaluation);
  function("advanceEvaluation", &calls::AdvanceEvaluation);
  function("forecast", &calls::Forecast);
  function("createTrace", &calls::CreateTrace);
  function("traceFloats", &calls::TraceFloats);
  function("listTrace", &calls::ListTrace);
  function("traceContributions", &calls::TraceContributions);
  function("traceLogitParts", &calls::TraceLogitParts);
  function("sweepTrace", &calls::SweepTrace);
  function("cutTraceEdges", &calls::CutTraceEdges);
  function("cutTraceHeads", &calls::CutTraceHeads);
  function("patchTrace", &calls::PatchTrace);
  function("readTraceLens", &calls::ReadTraceLens);
  function("attend", &calls::Attend);
  function("attendBackward", &calls::AttendBackward);
  function("createTaskTrainer", &calls::CreateTaskTrainer);
  function("createTaskRun", &calls::CreateTaskRun);
  function("resumeTaskTrainer", &calls::ResumeTaskTrainer);
  function("readData", &calls::ReadData);
  function("readExample", &calls::ReadExample);
  function("readBatch", &calls::ReadBatch);
  function("listGroups", &calls::ListGroups);
  function("setFrozen", &calls::SetFrozen);
  function("updateGroups", &calls::UpdateGroups);
  function("tryUpdate", &calls::TryUpdate);
  function("advanceForward", &calls::AdvanceForward);
  function("advanceBackward", &calls::AdvanceBackward);
  function("keepUndo", &calls::KeepUndo);
  function("undo", &calls::Undo);
  function("readReports", &calls::ReadReports);
  function("readNorms", &calls::ReadNorms);
  function("createTimeline", &calls::CreateTimeline);
  function("readTimeline", &calls::ReadTimeline);
  function("listSnapshots", &calls::ListSnapshots);
  function("createReplay", &calls::CreateReplay);
  function("advanceReplay", &calls::AdvanceReplay);
  function("branch", &calls::Branch);
}

}  // namespace heed
