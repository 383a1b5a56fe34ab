// SPDX-License-Identifier: MIT
// Traces and attention through the engine's handles: what comes out, and that nothing is left over.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "wasm/engine.h"

namespace heed {
namespace {

using Catch::Matchers::ContainsSubstring;

class Fixture {
 public:
  Fixture() {
    ModelConfig config;
    config.vocab = 11;
    config.context = 8;
    config.layers = 2;
    config.heads = 2;
    config.kv_heads = 1;
    config.width = 12;
    config.head_width = 6;
    config.ffn = 20;
    model = *engine.CreateModel(config, 7);
    tokens = BufferOf(std::vector<int32_t>{1, 5, 3, 5, 0});
    targets = BufferOf(std::vector<int32_t>{5, 3, -1, 0, 2});
  }

  template <typename T>
  Handle BufferOf(const std::vector<T>& values) {
    const Handle buffer = *engine.CreateBuffer(values.size() * sizeof(T));
    if (!values.empty()) {
      std::memcpy(engine.Buffer(buffer)->data, values.data(), values.size() * sizeof(T));
    }
    return buffer;
  }
  template <typename T>
  std::vector<T> Take(const Result<Handle>& buffer) {
    INFO(buffer.status().message());
    REQUIRE(buffer.ok());
    const Span<uint8_t> bytes = *engine.Buffer(*buffer);
    std::vector<T> values(bytes.size / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), bytes.data, bytes.size);
    engine.Dispose(*buffer);
    return values;
  }
  Result<Handle> Trace(const std::vector<double>& what_ifs, bool gradients = true) {
    const Handle buffer = BufferOf(what_ifs);
    const Result<Handle> trace = engine.CreateTrace(model, tokens, targets, buffer, gradients);
    engine.Dispose(buffer);
    return trace;
  }

  Engine engine;
  Handle model = 0, tokens = 0, targets = 0;
};

TEST_CASE("a trace lists what lies where, and dies with its model", "[wasm][engine]") {
  Fixture f;
  const Handle trace = *f.Trace({});
  const std::vector<char> bytes = f.Take<char>(f.engine.ListTrace(trace));
  const std::string list(bytes.begin(), bytes.end());
  CHECK_THAT(list, ContainsSubstring("matrix 0 E 5 12 0 0 "));
  CHECK_THAT(list, ContainsSubstring("matrix 2 S 10 5 3 "));
  CHECK_THAT(list, ContainsSubstring("tensor embed.weight 2 11 12 0\n"));
  const Span<const float> values = *f.engine.TraceFloats(trace, TracePart::kValues);
  const Span<const float> weights = *f.engine.TraceFloats(trace, TracePart::kParameters);
  // E's first row is the embedding of the first token.
  CHECK(std::equal(values.data, values.data + 12, weights.data + 12));
  CHECK(f.engine.TraceFloats(trace, TracePart::kParameterGradients)->size == weights.size);
  const Handle bare = *f.Trace({}, false);
  CHECK(f.engine.TraceFloats(bare, TracePart::kGradients)->size == 0);
  CHECK(f.engine.TraceFloats(bare, TracePart::kParameterGradients)->size == 0);
  CHECK(f.engine.TraceContributions(bare, Projection::kQuery, 0, 0).status().code() ==
        StatusCode::kBadState);
  f.engine.Dispose(f.model);
  CHECK(f.engine.ListTrace(trace).status().code() == StatusCode::kDisposed);
  CHECK(f.engine.live_handles() == 2);  // tokens and targets
}

TEST_CASE("answers of a trace come as runs of doubles", "[wasm][engine]") {
  Fixture f;
  const Handle trace = *f.Trace({});
  const auto shares = f.Take<double>(f.engine.TraceContributions(trace, Projection::kValue, 1, 0));
  REQUIRE(shares.size() == 2 + 5 + 25);
  CHECK(shares[0] > 0.0);
  CHECK(shares[1] == 1.0);
  double sum = 0.0;
  for (size_t i = 2; i < 7; ++i) sum += shares[i];
  CHECK(std::abs(sum - 1.0) <= 1e-5);
  const auto parts = f.Take<double>(f.engine.TraceLogitParts(trace, {1, 4, 2, 3}));
  REQUIRE(parts.size() == 3 + 10 + 4);
  double difference = -parts[0];
  for (size_t i = 1; i < parts.size(); ++i) difference += parts[i];
  CHECK(std::abs(difference) <= 1e-5);
  WhatIf score = {WhatIfKind::kAddToScore, 0, 1, 4, 2, 0.0f};
  const Handle by = f.BufferOf(std::vector<double>{0.0, 1.0});
  CHECK(f.Take<double>(f.engine.SweepTrace(trace, score, by)).size() == 2);
  CHECK(f.Take<double>(f.engine.CutTraceEdges(trace, {0, 1, 3}, true)).size() == 5);
  score.row = 9;
  CHECK_THAT(f.engine.SweepTrace(trace, score, by).status().message(), ContainsSubstring("row"));
  CHECK_FALSE(f.engine.TraceLogitParts(trace, {5, 0, 0, 0}).ok());
  CHECK_FALSE(f.engine.CutTraceEdges(trace, {0, 5, 0}, true).ok());
  CHECK(f.engine.live_handles() == 5);
}

TEST_CASE("the lens, heads cut and patches through buffers", "[wasm][engine]") {
  Fixture f;
  const Handle trace = *f.Trace({}), other = *f.Trace({3, 0, 1, 4, 2, 2.0});
  CHECK(f.Take<double>(f.engine.CutTraceHeads(trace, 1, true)).size() == 2);
  CHECK_FALSE(f.engine.CutTraceHeads(trace, 2, true).ok());
  const PatchQuestion question = {PassPoint::kHeads, 4, 2, 3};
  const auto patched = f.Take<double>(f.engine.PatchTrace(trace, other, question, 0, 0, 2));
  REQUIRE(patched.size() == 4);
  CHECK(patched[0] != patched[1]);
  CHECK(patched[2] == patched[0]);  // of head 0, which is the same in both
  CHECK(patched[3] != patched[0]);
  CHECK_FALSE(f.engine.PatchTrace(trace, other, question, 0, 1, 2).ok());
  CHECK(f.engine.PatchTrace(trace, 0, question, 0, 0, 2).status().code() == StatusCode::kDisposed);
  const auto lens = f.Take<uint8_t>(f.engine.ReadTraceLens(trace, 4, 3));
  REQUIRE(lens.size() == 5 * (8 + 8 + 3 * 4 + 3 * 4 + 4));
  double target = 0.0;
  std::memcpy(&target, lens.data(), sizeof(target));
  CHECK(target == double{(*f.engine.FindTrace(trace))->values().probs(0, 5)});
  CHECK_FALSE(f.engine.ReadTraceLens(trace, 5, 3).ok());
  CHECK_FALSE(f.engine.ReadTraceLens(trace, 4, 12).ok());
  CHECK(f.engine.live_handles() == 5);
}

TEST_CASE("what-ifs that are none are refused", "[wasm][engine]") {
  Fixture f;
  const size_t before = f.engine.live_handles();
  for (const std::vector<double>& what_if : std::vector<std::vector<double>>{
           {12, 0, 0, 0, 0, 0}, {-1, 0, 0, 0, 0, 0}, {3, 0.5, 0, 0, 0, 0}, {3, 0, -1, 0, 0, 0},
           {3, 0, 0, 1e300, 0, 0}, {3, 0, 0, 0, NAN, 0}, {3, 0, 0, 0, 0, 1e300}}) {
    CHECK(f.Trace(what_if).status().code() == StatusCode::kInvalidArgument);
  }
  CHECK(f.Trace({3, 0, 0, 4, 2, 0.5}).ok());
  CHECK(f.engine.CreateTrace(f.model, f.tokens, f.model, f.tokens, true).status().code() ==
        StatusCode::kInvalidArgument);
  CHECK(f.engine.live_handles() == before + 1);
}

TEST_CASE("attention of the caller's matrices through buffers", "[wasm][engine]") {
  Fixture f;
  // Two rows, width 2, identity projections: scores are x x^T times the scale.
  const Handle matrices =
      f.BufferOf(std::vector<float>{1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1});
  const Handle visible = f.BufferOf(std::vector<uint8_t>{1, 0, 1, 1});
  Engine::AttentionSizes sizes = {2, 2, 2, 2, 1.0f};
  const auto results = f.Take<float>(f.engine.Attend(sizes, matrices, visible));
  REQUIRE(results.size() == 6 * 4);
  const double share = 1.0 / (1.0 + std::exp(-1.0));
  CHECK(results[16] == 1.0f);
  CHECK(results[17] == 0.0f);
  CHECK(std::abs(results[19] - share) <= 1e-6);
  const Handle upstream = f.BufferOf(std::vector<float>{0, 0, 0, 1});
  CHECK(f.Take<float>(f.engine.AttendBackward(sizes, matrices, visible, upstream)).size() == 36);
  CHECK_FALSE(f.engine.AttendBackward(sizes, matrices, visible, visible).ok());
  sizes.value_width = 0;
  CHECK_THAT(f.engine.Attend(sizes, matrices, visible).status().message(),
             ContainsSubstring("16 elements"));
  sizes = {0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 1.0f};
  CHECK_FALSE(f.engine.Attend(sizes, matrices, visible).ok());
}

}  // namespace
}  // namespace heed
