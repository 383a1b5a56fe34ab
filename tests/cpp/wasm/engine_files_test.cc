// SPDX-License-Identifier: MIT
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/arena.h"
#include "wasm/engine.h"

namespace heed {
namespace {

ModelConfig TinyModel() {
  ModelConfig config;
  config.vocab = 7;
  config.context = 4;
  config.layers = 1;
  config.heads = 2;
  config.kv_heads = 2;
  config.width = 8;
  config.head_width = 4;
  config.ffn = 8;
  return config;
}

TrainConfig TinyTraining() {
  TrainConfig config;
  config.steps = 6;
  config.batch = 2;
  config.warmup = 1;
  return config;
}

template <typename T>
Handle BufferOf(Engine& engine, const std::vector<T>& values) {
  const Result<Handle> buffer = engine.CreateBuffer(values.size() * sizeof(T));
  REQUIRE(buffer.ok());
  if (!values.empty()) {
    std::memcpy(engine.Buffer(*buffer)->data, values.data(), values.size() * sizeof(T));
  }
  return *buffer;
}

std::vector<int32_t> Tokens() {
  std::vector<int32_t> tokens(60);
  for (size_t i = 0; i < tokens.size(); ++i) tokens[i] = static_cast<int32_t>(3 * i % 7);
  return tokens;
}

void Train(Engine& engine, Handle trainer, uint64_t until) {
  Trainer* const found = *engine.FindTrainer(trainer);
  while (found->step() < until) REQUIRE(found->Advance(1e9).ok());
}

TEST_CASE("a run made, saved and resumed through handles goes on alike (K17 R092)",
          "[wasm][files]") {
  Engine engine;
  const Handle tokens = BufferOf(engine, Tokens());
  const Handle none = BufferOf(engine, std::vector<uint8_t>());
  const RunHandles straight = *engine.CreateRun(TinyModel(), TinyTraining(), tokens, 0);
  Train(engine, straight.trainer, 2);
  const Handle file = *engine.SaveTrainer(straight.trainer, none);
  Train(engine, straight.trainer, 6);

  const RunHandles resumed = *engine.ResumeTrainer(file, tokens, 0);
  REQUIRE((*engine.FindTrainer(resumed.trainer))->step() == 2);
  Train(engine, resumed.trainer, 6);
  REQUIRE((*engine.FindModel(resumed.model))->WeightsHash() ==
          (*engine.FindModel(straight.model))->WeightsHash());

  const Handle model_file = *engine.SaveModel(resumed.model, none);
  const Handle model = *engine.LoadModel(model_file);
  REQUIRE((*engine.FindModel(model))->WeightsHash() ==
          (*engine.FindModel(straight.model))->WeightsHash());
  REQUIRE(engine.Buffer(*engine.ReadMetadata(file))->size == 0);

  engine.Dispose(straight.model);
  engine.Dispose(resumed.model);
  REQUIRE(engine.FindTrainer(resumed.trainer).status().code() == StatusCode::kDisposed);
}

TEST_CASE("bad files leave nothing behind", "[wasm][files]") {
  Engine engine;
  const Handle tokens = BufferOf(engine, Tokens());
  const Handle garbage = BufferOf(engine, std::vector<uint8_t>(100, 0x20));
  const size_t live = engine.live_handles();
  REQUIRE(engine.LoadModel(garbage).status().code() == StatusCode::kBadData);
  REQUIRE(engine.ResumeTrainer(garbage, tokens, 0).status().code() == StatusCode::kBadData);
  REQUIRE(engine.ReadMetadata(garbage).status().code() == StatusCode::kBadData);
  REQUIRE(engine.live_handles() == live);
}

TEST_CASE("every allocation of making, saving and resuming a run may fail (K03)",
          "[wasm][files]") {
  Engine engine;
  const Handle tokens = BufferOf(engine, Tokens());
  const Handle none = BufferOf(engine, std::vector<uint8_t>());
  const RunHandles run = *engine.CreateRun(TinyModel(), TinyTraining(), tokens, 0);
  const Handle file = *engine.SaveTrainer(run.trainer, none);
  const size_t live = engine.live_handles();
  const uint64_t bytes = GetArenaTotals().bytes_in_use;
  const uint64_t hash = (*engine.FindModel(run.model))->WeightsHash();

  const auto each_failure = [&](auto&& attempt) {
    int failures = 0;
    for (uint64_t nth = 1;; ++nth) {
      SetArenaFailure(nth, false);
      const Status status = attempt();
      SetArenaFailure(0, false);
      REQUIRE(engine.live_handles() == live);
      REQUIRE(GetArenaTotals().bytes_in_use == bytes);
      REQUIRE((*engine.FindModel(run.model))->WeightsHash() == hash);
      if (status.ok()) break;
      REQUIRE(status.code() == StatusCode::kOutOfMemory);
      ++failures;
    }
    return failures;
  };
  const auto freed = [&](const Result<Handle>& made) {
    if (made.ok()) engine.Dispose(*made);
    return made.status();
  };
  const auto freed_run = [&](const Result<RunHandles>& made) {
    if (made.ok()) engine.Dispose(made->model);
    return made.status();
  };
  REQUIRE(each_failure([&] {
            return freed_run(engine.CreateRun(TinyModel(), TinyTraining(), tokens, 0));
          }) > 4);
  REQUIRE(each_failure([&] { return freed(engine.SaveTrainer(run.trainer, none)); }) > 1);
  REQUIRE(each_failure([&] { return freed_run(engine.ResumeTrainer(file, tokens, 0)); }) > 4);
  REQUIRE(each_failure([&] { return freed(engine.LoadModel(file)); }) > 2);
}

}  // namespace
}  // namespace heed
