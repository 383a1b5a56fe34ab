// SPDX-License-Identifier: MIT
#include "wasm/engine.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "base/arena.h"

namespace heed {
namespace {

using Catch::Matchers::ContainsSubstring;

ModelConfig TinyModel() {
  ModelConfig config;
  config.vocab = 11;
  config.context = 8;
  config.layers = 2;
  config.heads = 2;
  config.kv_heads = 1;
  config.width = 12;
  config.head_width = 6;
  config.ffn = 20;
  return config;
}

TrainConfig TinyTraining() {
  TrainConfig config;
  config.steps = 5;
  config.batch = 2;
  config.warmup = 1;
  return config;
}

template <typename T>
Handle BufferOf(Engine& engine, const std::vector<T>& values) {
  const Result<Handle> buffer = engine.CreateBuffer(values.size() * sizeof(T));
  REQUIRE(buffer.ok());
  // An empty vector may have no address, which memcpy does not take.
  if (!values.empty()) {
    std::memcpy(engine.Buffer(*buffer)->data, values.data(), values.size() * sizeof(T));
  }
  return *buffer;
}

std::vector<float> TakeFloats(Engine& engine, Handle buffer) {
  const Span<uint8_t> bytes = *engine.Buffer(buffer);
  std::vector<float> values(bytes.size / sizeof(float));
  std::memcpy(values.data(), bytes.data, bytes.size);
  engine.Dispose(buffer);
  return values;
}

std::vector<int32_t> Tokens(size_t count) {
  std::vector<int32_t> tokens(count);
  for (size_t i = 0; i < count; ++i) tokens[i] = static_cast<int32_t>((i * i + 3 * i) % 11);
  return tokens;
}

Handle TinyTrainer(Engine& engine, Handle model) {
  const Handle tokens = BufferOf(engine, Tokens(200));
  const Result<Handle> trainer = engine.CreateTrainer(model, TinyTraining(), tokens, 0);
  REQUIRE(trainer.ok());
  engine.Dispose(tokens);
  return *trainer;
}

TEST_CASE("a model lists, reads and writes its tensors", "[wasm][engine]") {
  Engine engine;
  const Handle model = *engine.CreateModel(TinyModel(), 7);
  const Handle list = *engine.ListTensors(model);
  const Span<uint8_t> bytes = *engine.Buffer(list);
  const std::string text(reinterpret_cast<const char*>(bytes.data), bytes.size);
  REQUIRE_THAT(text, ContainsSubstring("embed.weight 2 11 12 1\n"));
  REQUIRE_THAT(text, ContainsSubstring("layers.1.attention.key.weight 2 12 6 1\n"));
  REQUIRE_THAT(text, ContainsSubstring("norm.weight 1 1 12 0\n"));
  engine.Dispose(list);

  REQUIRE(engine.ReadTensor(model, "norm.weight")->size == 12);
  REQUIRE((*engine.ReadTensor(model, "norm.weight"))[3] == 1.0f);
  const Handle values = BufferOf(engine, std::vector<float>(12, 2.5f));
  REQUIRE(engine.WriteTensor(model, "norm.weight", values).ok());
  REQUIRE((*engine.ReadTensor(model, "norm.weight"))[11] == 2.5f);

  REQUIRE(engine.ReadTensor(model, "norm.bias").status().code() == StatusCode::kInvalidArgument);
  const Status wrong = engine.WriteTensor(model, "embed.weight", values);
  REQUIRE(wrong.code() == StatusCode::kInvalidArgument);
  REQUIRE_THAT(wrong.message(), ContainsSubstring("132"));
  engine.Dispose(values);
  engine.Dispose(model);
  REQUIRE(engine.live_handles() == 0);
}

TEST_CASE("logits, loss and attention of one sequence agree", "[wasm][engine]") {
  Engine engine;
  const Handle model = *engine.CreateModel(TinyModel(), 7);
  const std::vector<int32_t> ids = {1, 4, 9, 2, 0};
  const std::vector<int32_t> wanted = {4, 9, -1, 0, 3};
  const Handle tokens = BufferOf(engine, ids);
  const Handle targets = BufferOf(engine, wanted);

  const std::vector<float> logits = TakeFloats(engine, *engine.Forward(model, tokens));
  REQUIRE(logits.size() == ids.size() * 11);
  double sum = 0.0;
  for (size_t t = 0; t < ids.size(); ++t) {
    if (wanted[t] < 0) continue;
    double total = 0.0;
    for (size_t v = 0; v < 11; ++v) total += std::exp(double{logits[t * 11 + v]});
    sum += std::log(total) - double{logits[t * 11 + static_cast<size_t>(wanted[t])]};
  }
  const LossSum loss = engine.Loss(model, tokens, targets)->loss;
  REQUIRE(loss.count == 4);
  REQUIRE(std::abs(loss.sum - sum) < 1e-5);

  const std::vector<float> maps = TakeFloats(engine, *engine.Attention(model, tokens));
  REQUIRE(maps.size() == 2 * 2 * 5 * 5);
  for (size_t row = 0; row < 2 * 2 * 5; ++row) {
    double total = 0.0;
    for (size_t j = 0; j < 5; ++j) {
      total += maps[row * 5 + j];
      if (j > row % 5) REQUIRE(maps[row * 5 + j] == 0.0f);
    }
    REQUIRE(std::abs(total - 1.0) < 1e-6);
  }
  engine.Dispose(tokens);
  engine.Dispose(targets);
  engine.Dispose(model);
  REQUIRE(engine.live_handles() == 0);
}

TEST_CASE("a NaN weight is reported, not computed with (K12 R059)", "[wasm][engine]") {
  Engine engine;
  const Handle model = *engine.CreateModel(TinyModel(), 7);
  std::vector<float> values(12, 1.0f);
  values[5] = std::numeric_limits<float>::quiet_NaN();
  const Handle poison = BufferOf(engine, values);
  REQUIRE(engine.WriteTensor(model, "layers.0.norm1.weight", poison).ok());
  const Handle tokens = BufferOf(engine, std::vector<int32_t>{1, 2, 3});
  const Handle targets = BufferOf(engine, std::vector<int32_t>{2, 3, 4});
  REQUIRE(engine.Forward(model, tokens).status().code() == StatusCode::kNonFinite);
  REQUIRE(engine.Attention(model, tokens).status().code() == StatusCode::kNonFinite);
  REQUIRE(engine.Loss(model, tokens, targets).status().code() == StatusCode::kNonFinite);
  // The failed passes leave no buffer behind.
  REQUIRE(engine.live_handles() == 4);
}

TEST_CASE("bad tokens and targets are refused with their position (K04 R020)", "[wasm][engine]") {
  Engine engine;
  const Handle model = *engine.CreateModel(TinyModel(), 7);
  const auto code = [&](const std::vector<int32_t>& ids) {
    const Handle tokens = BufferOf(engine, ids);
    const Status status = engine.Forward(model, tokens).status();
    engine.Dispose(tokens);
    return status.code();
  };
  REQUIRE(code({0, 10}) == StatusCode::kOk);
  REQUIRE(code({}) == StatusCode::kBadData);
  REQUIRE(code({11}) == StatusCode::kBadData);
  REQUIRE(code({-1}) == StatusCode::kBadData);
  REQUIRE(code(std::vector<int32_t>(9, 0)) == StatusCode::kBadData);

  const Handle tokens = BufferOf(engine, std::vector<int32_t>{1, 2});
  const Handle short_targets = BufferOf(engine, std::vector<int32_t>{1});
  REQUIRE(engine.Loss(model, tokens, short_targets).status().code() ==
          StatusCode::kInvalidArgument);
  const Handle wrong_target = BufferOf(engine, std::vector<int32_t>{1, 11});
  const Status status = engine.Loss(model, tokens, wrong_target).status();
  REQUIRE(status.code() == StatusCode::kBadData);
  REQUIRE_THAT(status.message(), ContainsSubstring("position 1"));
  const Handle odd = BufferOf(engine, std::vector<uint8_t>{1, 2, 3});
  REQUIRE(engine.Forward(model, odd).status().code() == StatusCode::kInvalidArgument);
}

TEST_CASE("handles of another kind and dead handles are errors (K02 R009)", "[wasm][engine]") {
  Engine engine;
  const Handle model = *engine.CreateModel(TinyModel(), 7);
  const Handle trainer = TinyTrainer(engine, model);
  REQUIRE(engine.FindModel(trainer).status().code() == StatusCode::kInvalidArgument);
  REQUIRE(engine.FindTrainer(model).status().code() == StatusCode::kInvalidArgument);
  REQUIRE(engine.Buffer(model).status().code() == StatusCode::kInvalidArgument);
  REQUIRE(engine.Dispose(model));
  // The trainer went with its model.
  REQUIRE(engine.FindTrainer(trainer).status().code() == StatusCode::kDisposed);
  REQUIRE(engine.FindModel(model).status().code() == StatusCode::kDisposed);
  REQUIRE_FALSE(engine.Dispose(model));
  REQUIRE(engine.live_handles() == 0);
}

TEST_CASE("training runs, and a write in the middle of a step restarts it", "[wasm][engine]") {
  Engine engine;
  const auto train = [&](bool write) {
    const Handle model = *engine.CreateModel(TinyModel(), 7);
    Trainer* const trainer = *engine.FindTrainer(TinyTrainer(engine, model));
    // A budget of 0 runs one stage at a time.
    REQUIRE(*trainer->Advance(0.0) == Trainer::Progress::kWorking);
    if (write) {
      const Span<const float> old = *engine.ReadTensor(model, "norm.weight");
      const Handle same = BufferOf(engine, std::vector<float>(old.begin(), old.end()));
      REQUIRE(engine.WriteTensor(model, "norm.weight", same).ok());
      engine.Dispose(same);
    }
    while (*trainer->Advance(0.0) == Trainer::Progress::kWorking) {
    }
    REQUIRE(trainer->step() == 1);
    const uint64_t hash = (*engine.FindModel(model))->WeightsHash();
    engine.Dispose(model);
    return hash;
  };
  REQUIRE(train(true) == train(false));
}

TEST_CASE("generation through handles ends with its model", "[wasm][engine]") {
  Engine engine;
  const Handle model = *engine.CreateModel(TinyModel(), 7);
  const Handle prompt = BufferOf(engine, std::vector<int32_t>{1, 2, 3});
  SamplingConfig sampling;
  sampling.temperature = 0.0;
  const Handle generator = *engine.CreateGenerator(model, sampling, prompt, 0);
  engine.Dispose(prompt);
  REQUIRE(engine.ReadPool(generator).status().code() == StatusCode::kBadState);
  for (int i = 0; i < 20; ++i) {
    REQUIRE(*(*engine.FindGenerator(generator))->Advance(1e9));
    REQUIRE((*engine.FindGenerator(generator))->token() < 11);
  }
  // Greedy: one id, and all of the draw.
  const Result<Handle> pool = engine.ReadPool(generator);
  REQUIRE(pool.ok());
  const Span<uint8_t> bytes = *engine.Buffer(*pool);
  REQUIRE(bytes.size == 12);
  REQUIRE(*reinterpret_cast<const int32_t*>(bytes.data) ==
          (*engine.FindGenerator(generator))->token());
  REQUIRE(reinterpret_cast<const float*>(bytes.data)[1] == 1.0f);
  REQUIRE(reinterpret_cast<const float*>(bytes.data)[2] < 1.0f);
  engine.Dispose(*pool);
  engine.Dispose(model);
  REQUIRE(engine.FindGenerator(generator).status().code() == StatusCode::kDisposed);
  REQUIRE(engine.live_handles() == 0);
}

TEST_CASE("what does not fit is refused and nothing stays behind (K03 R013)", "[wasm][engine]") {
  Engine engine;
  const ArenaTotals before = GetArenaTotals();
  ModelConfig huge = TinyModel();
  huge.vocab = 1000000;
  huge.width = 65536;
  huge.layers = 256;
  huge.ffn = 262144;
  const Result<EngineForecast> forecast = Engine::Forecast(huge, TinyTraining());
  REQUIRE(forecast.ok());
  REQUIRE(forecast->bytes.total > uint64_t{6} << 30);

  // Each allocation of making a trainer fails once in turn.
  for (uint64_t nth = 1;; ++nth) {
    SetArenaFailure(nth, false);
    const Result<Handle> model = engine.CreateModel(TinyModel(), 1);
    Status status = model.status();
    if (model.ok()) {
      const Result<Handle> tokens = engine.CreateBuffer(200 * sizeof(int32_t));
      status = tokens.status();
      if (tokens.ok()) {
        const Result<Handle> trainer = engine.CreateTrainer(*model, TinyTraining(), *tokens, 0);
        status = trainer.status();
        engine.Dispose(*tokens);
      }
      engine.Dispose(*model);
    }
    SetArenaFailure(0, false);
    REQUIRE(engine.live_handles() == 0);
    REQUIRE(GetArenaTotals().bytes_in_use == before.bytes_in_use);
    REQUIRE(GetArenaTotals().blocks == before.blocks);
    if (status.ok()) {
      REQUIRE(nth > 5);  // there were failures before
      break;
    }
    REQUIRE(status.code() == StatusCode::kOutOfMemory);
    REQUIRE_THAT(status.message(), ContainsSubstring("bytes"));
  }
}

TEST_CASE("a mask must have the tokens' length", "[wasm][engine]") {
  Engine engine;
  const Handle model = *engine.CreateModel(TinyModel(), 7);
  const Handle tokens = BufferOf(engine, Tokens(200));
  const Handle mask = BufferOf(engine, std::vector<uint8_t>(199, 1));
  const Status status = engine.CreateTrainer(model, TinyTraining(), tokens, mask).status();
  REQUIRE(status.code() == StatusCode::kInvalidArgument);
  REQUIRE_THAT(status.message(), ContainsSubstring("199"));
}

}  // namespace
}  // namespace heed
