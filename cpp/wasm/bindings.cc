// SPDX-License-Identifier: MIT
// The only file that knows Embind. Functions on numbers and handles, coarse calls, no state but the
// last message and a small scratch area; what they do is engine.h's business.
#include <emscripten/bind.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/arena.h"
#include "wasm/config_values.h"
#include "wasm/engine.h"
#include "wasm/known_answer.h"
#include "wasm/replies.h"

namespace heed {
namespace {

using emscripten::enum_;
using emscripten::function;
using emscripten::value_object;

Status g_last;
// Configurations, names and descriptions pass through here.
alignas(kAlignment) char g_scratch[4096];

Engine& TheEngine() {
  static Engine engine;
  return engine;
}

StatusCode Keep(const Status& status) {
  if (!status.ok()) g_last = status;
  return status.code();
}

// A number that cannot be a handle becomes 0, which names nothing.
Handle ToHandle(double number) {
  const Result<uint64_t> whole = WholeNumber("handle", number, kExactNumber);
  return whole.ok() ? *whole : 0;
}

HandleReply Reply(const Result<Handle>& result) {
  const StatusCode code = Keep(result.status());
  return {code, result.ok() ? static_cast<double>(*result) : 0.0};
}

template <typename T>
BytesReply Reply(const Result<Span<T>>& result) {
  const StatusCode code = Keep(result.status());
  if (!result.ok()) return {code, 0, 0.0};
  return {code, static_cast<uint32_t>(reinterpret_cast<uintptr_t>(result->data)),
          static_cast<double>(result->size * sizeof(T))};
}

LossReply Reply(const LossSum& loss, bool done) {
  const double tokens = static_cast<double>(loss.count);
  return {StatusCode::kOk, done, loss.count == 0 ? 0.0 : loss.sum / tokens, tokens};
}

std::string_view ScratchText(uint32_t length) {
  return {g_scratch, length < sizeof(g_scratch) ? length : sizeof(g_scratch)};
}

template <typename Config>
Status ScratchConfig(size_t first, size_t count, Config* config) {
  const double* const values = reinterpret_cast<const double*>(g_scratch);
  return ConfigFromValues(Span<const double>(values + first, count), config);
}

Status ScratchConfigs(ModelConfig* model, TrainConfig* train) {
  HEED_RETURN_IF_ERROR(ScratchConfig(0, ModelFieldCount(), model));
  return ScratchConfig(ModelFieldCount(), TrainFieldCount(), train);
}

// --- Messages, scratch, buffers

BytesReply Scratch() {
  return Reply(Result<Span<char>>(Span<char>(g_scratch, sizeof(g_scratch))));
}

BytesReply LastMessage() {
  const char* const text = g_last.message();
  return Reply(Result<Span<const char>>(Span<const char>(text, std::strlen(text))));
}

// Both leave their text in the scratch area and return its length.
uint32_t DescribeModel() {
  return static_cast<uint32_t>(DescribeModelFields(Span<char>(g_scratch, sizeof(g_scratch))));
}
uint32_t DescribeTrain() {
  return static_cast<uint32_t>(DescribeTrainFields(Span<char>(g_scratch, sizeof(g_scratch))));
}

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
  const Span<float> answers(reinterpret_cast<float*>(g_scratch), kKnownAnswerFloats);
  const Status status = KnownAnswer(answers);
  if (!status.ok()) return Reply(Result<Span<float>>(status));
  return Reply(Result<Span<float>>(answers));
}

// --- Models; a configuration's values lie in the scratch area

HandleReply CreateModel(double seed) {
  ModelConfig config;
  const Status status = ScratchConfig(0, ModelFieldCount(), &config);
  if (!status.ok()) return Reply(Result<Handle>(status));
  const Result<uint64_t> whole = WholeNumber("seed", seed, kExactNumber);
  if (!whole.ok()) return Reply(Result<Handle>(whole.status()));
  return Reply(TheEngine().CreateModel(config, *whole));
}

// Leaves the configuration's values in the scratch area.
StatusCode ReadModelConfig(double model) {
  const Result<Model*> found = TheEngine().FindModel(ToHandle(model));
  if (found.ok()) {
    ValuesFromConfig((*found)->config(), Span<double>(reinterpret_cast<double*>(g_scratch),
                                                      ModelFieldCount()));
  }
  return Keep(found.status());
}

double ParameterCount(double model) {
  const Result<Model*> found = TheEngine().FindModel(ToHandle(model));
  return found.ok() ? static_cast<double>((*found)->parameter_count()) : 0.0;
}

HandleReply ListTensors(double model) { return Reply(TheEngine().ListTensors(ToHandle(model))); }

BytesReply ReadTensor(double model, uint32_t name_length) {
  return Reply(TheEngine().ReadTensor(ToHandle(model), ScratchText(name_length)));
}

StatusCode WriteTensor(double model, uint32_t name_length, double values) {
  return Keep(TheEngine().WriteTensor(ToHandle(model), ScratchText(name_length),
                                      ToHandle(values)));
}

HashReply WeightsHash(double model) {
  const Result<Model*> found = TheEngine().FindModel(ToHandle(model));
  const StatusCode code = Keep(found.status());
  if (!found.ok()) return {code, 0, 0};
  const uint64_t hash = (*found)->WeightsHash();
  return {code, static_cast<uint32_t>(hash >> 32), static_cast<uint32_t>(hash)};
}

HandleReply Forward(double model, double tokens) {
  return Reply(TheEngine().Forward(ToHandle(model), ToHandle(tokens)));
}

LossReply Loss(double model, double tokens, double targets) {
  const Result<LossSum> loss =
      TheEngine().Loss(ToHandle(model), ToHandle(tokens), ToHandle(targets));
  if (!loss.ok()) return {Keep(loss.status()), false, 0.0, 0.0};
  return Reply(*loss, true);
}

HandleReply Attention(double model, double tokens) {
  return Reply(TheEngine().Attention(ToHandle(model), ToHandle(tokens)));
}

HandleReply SaveModel(double model, double metadata) {
  return Reply(TheEngine().SaveModel(ToHandle(model), ToHandle(metadata)));
}

HandleReply LoadModel(double file) { return Reply(TheEngine().LoadModel(ToHandle(file))); }

HandleReply ReadMetadata(double file) { return Reply(TheEngine().ReadMetadata(ToHandle(file))); }

HandleReply CreateGenerator(double model, double prompt, double temperature, double top_k,
                            double top_p, double seed) {
  const Result<uint64_t> kept = WholeNumber("topK", top_k, UINT32_MAX);
  if (!kept.ok()) return Reply(Result<Handle>(kept.status()));
  const Result<uint64_t> whole = WholeNumber("seed", seed, kExactNumber);
  if (!whole.ok()) return Reply(Result<Handle>(whole.status()));
  const SamplingConfig sampling = {temperature, static_cast<uint32_t>(*kept), top_p, *whole};
  return Reply(TheEngine().CreateGenerator(ToHandle(model), sampling, ToHandle(prompt)));
}

TokenReply AdvanceGenerator(double generator, double budget_ms) {
  const Result<Generator*> found = TheEngine().FindGenerator(ToHandle(generator));
  if (!found.ok()) return {Keep(found.status()), false, 0};
  const Result<bool> done = (*found)->Advance(budget_ms);
  if (!done.ok()) return {Keep(done.status()), false, 0};
  return {StatusCode::kOk, *done, *done ? (*found)->token() : 0};
}

// --- Training

HandleReply CreateTrainer(double model, double tokens, double mask) {
  TrainConfig config;
  const Status status = ScratchConfig(0, TrainFieldCount(), &config);
  if (!status.ok()) return Reply(Result<Handle>(status));
  return Reply(TheEngine().CreateTrainer(ToHandle(model), config, ToHandle(tokens),
                                         ToHandle(mask)));
}

HandleReply SaveTrainer(double trainer, double metadata) {
  return Reply(TheEngine().SaveTrainer(ToHandle(trainer), ToHandle(metadata)));
}

RunReply Reply(const Result<RunHandles>& run) {
  if (!run.ok()) return {Keep(run.status()), 0.0, 0.0};
  return {StatusCode::kOk, static_cast<double>(run->model), static_cast<double>(run->trainer)};
}

// The model's values lie in the scratch area, the training's behind them.
RunReply CreateRun(double tokens, double mask) {
  ModelConfig model;
  TrainConfig train;
  const Status status = ScratchConfigs(&model, &train);
  if (!status.ok()) return Reply(Result<RunHandles>(status));
  return Reply(TheEngine().CreateRun(model, train, ToHandle(tokens), ToHandle(mask)));
}

RunReply ResumeTrainer(double file, double tokens, double mask) {
  return Reply(TheEngine().ResumeTrainer(ToHandle(file), ToHandle(tokens), ToHandle(mask)));
}

// Leaves the configuration's values in the scratch area.
StatusCode ReadTrainConfig(double trainer) {
  const Result<Trainer*> found = TheEngine().FindTrainer(ToHandle(trainer));
  if (found.ok()) {
    ValuesFromConfig((*found)->config(), Span<double>(reinterpret_cast<double*>(g_scratch),
                                                      TrainFieldCount()));
  }
  return Keep(found.status());
}

StepReply StepOf(const Trainer& trainer, Trainer::Progress progress) {
  const StepMetrics& metrics = trainer.metrics();
  const TrainConfig& config = trainer.config();
  StepReply reply = {};
  reply.progress = progress;
  reply.step = static_cast<double>(trainer.step());
  reply.loss = metrics.loss;
  reply.learning_rate = metrics.learning_rate;
  reply.gradient_norm = metrics.gradient_norm;
  reply.tokens = static_cast<double>(metrics.tokens);
  reply.step_tokens = static_cast<double>(config.batch) * config.accumulation *
                      trainer.model().config().context;
  reply.milliseconds = metrics.milliseconds;
  return reply;
}

// Where the trainer stands; runs nothing.
StepReply ReadProgress(double trainer) {
  const Result<Trainer*> found = TheEngine().FindTrainer(ToHandle(trainer));
  StepReply reply = {};
  if (found.ok()) reply = StepOf(**found, Trainer::Progress::kWorking);
  reply.status = Keep(found.status());
  return reply;
}

StepReply AdvanceTrainer(double trainer, double budget_ms) {
  StepReply reply = {};
  const Result<Trainer*> found = TheEngine().FindTrainer(ToHandle(trainer));
  reply.status = Keep(found.status());
  if (!found.ok()) return reply;
  const Result<Trainer::Progress> progress = (*found)->Advance(budget_ms);
  if (progress.ok()) reply = StepOf(**found, *progress);
  reply.status = Keep(progress.status());
  return reply;
}

// Forgets an unfinished step or evaluation.
StatusCode AbandonTrainer(double trainer) {
  const Result<Trainer*> found = TheEngine().FindTrainer(ToHandle(trainer));
  if (found.ok()) {
    (*found)->AbandonStep();
    (*found)->AbandonEvaluation();
  }
  return Keep(found.status());
}

StatusCode ResetTrainer(double trainer) {
  const Result<Trainer*> found = TheEngine().FindTrainer(ToHandle(trainer));
  if (found.ok()) (*found)->Reset();
  return Keep(found.status());
}

StatusCode BeginEvaluation(double trainer, Dataset::Split split, double max_windows) {
  const Result<Trainer*> found = TheEngine().FindTrainer(ToHandle(trainer));
  if (!found.ok()) return Keep(found.status());
  const Result<uint64_t> windows = WholeNumber("maxWindows", max_windows, kExactNumber);
  if (!windows.ok()) return Keep(windows.status());
  return Keep((*found)->BeginEvaluation(split, *windows));
}

LossReply AdvanceEvaluation(double trainer, double budget_ms) {
  const Result<Trainer*> found = TheEngine().FindTrainer(ToHandle(trainer));
  if (!found.ok()) return {Keep(found.status()), false, 0.0, 0.0};
  const Result<bool> done = (*found)->AdvanceEvaluation(budget_ms);
  if (!done.ok()) return {Keep(done.status()), false, 0.0, 0.0};
  return Reply((*found)->evaluation(), *done);
}

// The model's values lie in the scratch area, the training's behind them.
ForecastReply Forecast() {
  ForecastReply reply = {};
  ModelConfig model;
  TrainConfig train;
  reply.status = Keep(ScratchConfigs(&model, &train));
  if (reply.status != StatusCode::kOk) return reply;
  const Result<EngineForecast> forecast = Engine::Forecast(model, train);
  reply.status = Keep(forecast.status());
  if (!forecast.ok()) return reply;
  reply.parameters = static_cast<double>(forecast->parameters);
  reply.parameter_bytes = static_cast<double>(forecast->bytes.parameters);
  reply.gradient_bytes = static_cast<double>(forecast->bytes.gradients);
  reply.optimizer_bytes = static_cast<double>(forecast->bytes.optimizer);
  reply.activation_bytes = static_cast<double>(forecast->bytes.activations);
  reply.total_bytes = static_cast<double>(forecast->bytes.total);
  reply.flops_per_step = forecast->flops_per_step;
  reply.tokens_per_step = forecast->tokens_per_step;
  return reply;
}

}  // namespace

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
  enum_<Dataset::Split>("Split")
      .value("train", Dataset::Split::kTrain)
      .value("validation", Dataset::Split::kValidation);

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
      .field("tokens", &LossReply::tokens);
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
  value_object<MemoryReply>("MemoryReply")
      .field("liveHandles", &MemoryReply::live_handles)
      .field("bytesInUse", &MemoryReply::bytes_in_use)
      .field("peakBytes", &MemoryReply::peak_bytes);

  function("scratch", &Scratch);
  function("lastMessage", &LastMessage);
  function("describeModel", &DescribeModel);
  function("describeTrain", &DescribeTrain);
  function("createBuffer", &CreateBuffer);
  function("bufferBytes", &BufferBytes);
  function("dispose", &Dispose);
  function("memory", &Memory);
  function("knownAnswer", &RunKnownAnswer);
  function("createModel", &CreateModel);
  function("readModelConfig", &ReadModelConfig);
  function("parameterCount", &ParameterCount);
  function("listTensors", &ListTensors);
  function("readTensor", &ReadTensor);
  function("writeTensor", &WriteTensor);
  function("weightsHash", &WeightsHash);
  function("forward", &Forward);
  function("loss", &Loss);
  function("attention", &Attention);
  function("saveModel", &SaveModel);
  function("loadModel", &LoadModel);
  function("readMetadata", &ReadMetadata);
  function("createGenerator", &CreateGenerator);
  function("advanceGenerator", &AdvanceGenerator);
  function("createTrainer", &CreateTrainer);
  function("createRun", &CreateRun);
  function("saveTrainer", &SaveTrainer);
  function("resumeTrainer", &ResumeTrainer);
  function("readTrainConfig", &ReadTrainConfig);
  function("readProgress", &ReadProgress);
  function("advanceTrainer", &AdvanceTrainer);
  function("abandonTrainer", &AbandonTrainer);
  function("resetTrainer", &ResetTrainer);
  function("beginEvaluation", &BeginEvaluation);
  function("advanceEvaluation", &AdvanceEvaluation);
  function("forecast", &Forecast);
}

}  // namespace heed
