// SPDX-License-Identifier: MIT
// The calls as JavaScript makes them: plain numbers, whatever they are.
#include "wasm/calls.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "wasm/config_values.h"

namespace heed {
namespace {

using Catch::Matchers::ContainsSubstring;

char* At(double pointer) {
  return reinterpret_cast<char*>(static_cast<uintptr_t>(pointer));
}

std::string Message() {
  const BytesReply reply = calls::LastMessage();
  return std::string(At(reply.pointer), static_cast<size_t>(reply.bytes));
}

void WriteModel(uint32_t vocab) {
  ModelConfig config;
  config.vocab = vocab;
  config.context = 4;
  config.layers = 1;
  config.heads = 1;
  config.kv_heads = 1;
  config.width = 8;
  config.head_width = 8;
  config.ffn = 8;
  double* const scratch = reinterpret_cast<double*>(At(calls::Scratch().pointer));
  ValuesFromConfig(config, Span<double>(scratch, ModelFieldCount()));
  TrainConfig train;
  train.steps = 2;
  train.batch = 2;
  ValuesFromConfig(train, Span<double>(scratch + ModelFieldCount(), TrainFieldCount()));
}

double TokenBuffer(const std::vector<int32_t>& tokens) {
  const HandleReply buffer =
      calls::CreateBuffer(static_cast<double>(tokens.size() * sizeof(int32_t)));
  REQUIRE(buffer.status == StatusCode::kOk);
  std::memcpy(At(calls::BufferBytes(buffer.handle).pointer), tokens.data(),
              tokens.size() * sizeof(int32_t));
  return buffer.handle;
}

TEST_CASE("a run by calls: made, advanced, evaluated, freed", "[wasm][calls]") {
  std::vector<int32_t> ids(100);
  for (size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<int32_t>(i % 5);
  const double tokens = TokenBuffer(ids);
  WriteModel(5);
  const ForecastReply forecast = calls::Forecast();
  REQUIRE(forecast.status == StatusCode::kOk);
  REQUIRE(forecast.tokens_per_step == 8.0);
  WriteModel(5);
  const RunReply run = calls::CreateRun(tokens, 0.0);
  REQUIRE(run.status == StatusCode::kOk);
  REQUIRE(calls::ParameterCount(run.model) == forecast.parameters);
  REQUIRE(calls::ReadProgress(run.trainer).step == 0.0);

  StepReply step = calls::AdvanceTrainer(run.trainer, 1e9);
  REQUIRE(step.status == StatusCode::kOk);
  REQUIRE(step.progress == Trainer::Progress::kStepDone);
  REQUIRE(step.step == 1.0);
  REQUIRE(step.step_tokens == 8.0);
  REQUIRE(std::isfinite(step.loss));
  step = calls::AdvanceTrainer(run.trainer, 1e9);
  step = calls::AdvanceTrainer(run.trainer, 1e9);
  REQUIRE(step.progress == Trainer::Progress::kFinished);

  REQUIRE(calls::BeginEvaluation(run.trainer, Split::kValidation, 0.0) ==
          StatusCode::kOk);
  const LossReply loss = calls::AdvanceEvaluation(run.trainer, 1e9);
  REQUIRE(loss.done);
  REQUIRE(loss.tokens == 8.0);
  REQUIRE(calls::ResetTrainer(run.trainer) == StatusCode::kOk);
  REQUIRE(calls::ReadProgress(run.trainer).step == 0.0);

  REQUIRE(calls::Dispose(run.model));
  REQUIRE_FALSE(calls::Dispose(run.trainer));
  REQUIRE(calls::Dispose(tokens));
  REQUIRE(calls::Memory().live_handles == 0.0);
}

TEST_CASE("an evaluation over weights that are not finite is an error", "[wasm][calls]") {
  const double tokens = TokenBuffer(std::vector<int32_t>(100, 1));
  WriteModel(5);
  const RunReply run = calls::CreateRun(tokens, 0.0);
  const char* const name = "norm.weight";
  std::memcpy(At(calls::Scratch().pointer), name, std::strlen(name));
  const double values = TokenBuffer(std::vector<int32_t>(8, 0x7FC00000));  // NaN as a float
  REQUIRE(calls::WriteTensor(run.model, 11, values) == StatusCode::kOk);
  REQUIRE(calls::BeginEvaluation(run.trainer, Split::kTrain, 0.0) == StatusCode::kOk);
  REQUIRE(calls::AdvanceEvaluation(run.trainer, 1e9).status == StatusCode::kNonFinite);
  REQUIRE_THAT(Message(), ContainsSubstring("not finite"));
  // It has ended: a step may run, and finds the same.
  REQUIRE(calls::AdvanceTrainer(run.trainer, 1e9).status == StatusCode::kNonFinite);
  calls::Dispose(run.model);
  calls::Dispose(values);
  calls::Dispose(tokens);
}

TEST_CASE("numbers that are no handles are dead handles (K04 R020)", "[wasm][calls]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double wrong : {0.0, -1.0, 0.5, 1.0, 1e15, 1e300, nan, infinity, -infinity}) {
    CAPTURE(wrong);
    REQUIRE(calls::BufferBytes(wrong).status == StatusCode::kDisposed);
    REQUIRE(calls::ReadModelConfig(wrong) == StatusCode::kDisposed);
    REQUIRE(calls::ReadTensor(wrong, 4).status == StatusCode::kDisposed);
    REQUIRE(calls::WriteTensor(wrong, 4, wrong) == StatusCode::kDisposed);
    REQUIRE(calls::WeightsHash(wrong).status == StatusCode::kDisposed);
    REQUIRE(calls::Forward(wrong, wrong).status == StatusCode::kDisposed);
    REQUIRE(calls::Loss(wrong, wrong, wrong).status == StatusCode::kDisposed);
    REQUIRE(calls::Attention(wrong, wrong).status == StatusCode::kDisposed);
    REQUIRE(calls::ListTensors(wrong).status == StatusCode::kDisposed);
    REQUIRE(calls::SaveModel(wrong, wrong).status == StatusCode::kDisposed);
    REQUIRE(calls::LoadModel(wrong).status == StatusCode::kDisposed);
    REQUIRE(calls::ReadMetadata(wrong).status == StatusCode::kDisposed);
    REQUIRE(calls::CreateGenerator(wrong, wrong, 1, 0, 1, 0, 0).status == StatusCode::kDisposed);
    REQUIRE(calls::AdvanceGenerator(wrong, 1).status == StatusCode::kDisposed);
    REQUIRE(calls::ReadPool(wrong).status == StatusCode::kDisposed);
    REQUIRE(calls::AdvanceTrainer(wrong, 1).status == StatusCode::kDisposed);
    REQUIRE(calls::AbandonTrainer(wrong) == StatusCode::kDisposed);
    REQUIRE(calls::ResetTrainer(wrong) == StatusCode::kDisposed);
    REQUIRE(calls::ReadProgress(wrong).status == StatusCode::kDisposed);
    REQUIRE(calls::SaveTrainer(wrong, wrong).status == StatusCode::kDisposed);
    REQUIRE(calls::BeginEvaluation(wrong, Split::kTrain, 0) == StatusCode::kDisposed);
    REQUIRE(calls::AdvanceEvaluation(wrong, 1).status == StatusCode::kDisposed);
    REQUIRE_FALSE(calls::Dispose(wrong));
    REQUIRE(calls::ParameterCount(wrong) == 0.0);
  }
  REQUIRE_THAT(Message(), ContainsSubstring("disposed"));
}

TEST_CASE("sizes, seeds and counts that are no whole numbers are refused", "[wasm][calls]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  WriteModel(5);
  const double model = calls::CreateModel(1.0).handle;
  const double prompt = TokenBuffer({1});
  for (const double wrong : {-1.0, 0.5, 1e300, nan}) {
    CAPTURE(wrong);
    REQUIRE(calls::CreateBuffer(wrong).status == StatusCode::kInvalidArgument);
    WriteModel(5);
    REQUIRE(calls::CreateModel(wrong).status == StatusCode::kInvalidArgument);
    REQUIRE(calls::CreateGenerator(model, prompt, 1, wrong, 1, 0, 0).status ==
            StatusCode::kInvalidArgument);
    REQUIRE(calls::CreateGenerator(model, prompt, 1, 0, 1, wrong, 0).status ==
            StatusCode::kInvalidArgument);
    REQUIRE(calls::CreateGenerator(model, prompt, 1, 0, 1, 0, wrong).status ==
            StatusCode::kInvalidArgument);
  }
  REQUIRE(calls::CreateBuffer(9e15).status == StatusCode::kOutOfMemory);
  calls::Dispose(model);
  calls::Dispose(prompt);
  REQUIRE(calls::Memory().live_handles == 0.0);
}

}  // namespace
}  // namespace heed
