// SPDX-License-Identifier: MIT
// The trace is held to the trained path: same values, same gradients, for every option.
#include "explain/trace.h"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "catch2/catch_test_macros.hpp"
#include "model/attention_maps.h"
#include "model/transformer.h"
#include "support/near.h"
#include "support/small_model.h"
#include "support/trace_support.h"

namespace heed::test {
namespace {

// docs/numerics.md, traces: two float orders of the same sums.
constexpr double kTraceError = 1e-5;

void CheckAgainstTraining(const ModelConfig& config) {
  CAPTURE(EnumName(config.norm), EnumName(config.norm_position), EnumName(config.activation),
          EnumName(config.position), EnumName(config.mask), EnumName(config.value),
          config.out_projection, config.uniform_attention, config.bias, config.tied, config.ffn);
  const std::unique_ptr<Model> model = MakeModel(config, 11, 8.0f);
  const size_t time = 11;
  const std::vector<int32_t> tokens = RandomTokens(time, config.vocab);
  std::vector<int32_t> targets = RandomTokens(time, config.vocab, 4);
  targets[1] = targets[7] = -1;

  Transformer transformer;
  REQUIRE(transformer.Init(model.get(), 1, time, PassKind::kTraining).ok());
  std::vector<float> floats(model->table().floats(), 0.0f);
  const ModelTensors<float> gradients{&model->table(), {floats.data(), floats.size()}};
  transformer.Forward(View(tokens), 1, time, PassDropout());
  std::vector<float> logits(time * config.vocab);
  transformer.Logits(Matrix<float>(logits.data(), time, config.vocab));
  const LossSum loss =
      transformer.LossForwardBackward(View(targets), 1.0f / static_cast<float>(time - 2), gradients);
  for (size_t layer = config.layers; layer > 0; --layer) {
    transformer.BlockBackward(layer - 1, gradients);
  }
  transformer.EmbedBackward(gradients);
  std::vector<float> maps(config.layers * config.heads * time * time);
  REQUIRE(AttentionMaps(*model, View(tokens), {maps.data(), maps.size()}).ok());

  const std::unique_ptr<Trace> trace = MakeTrace(*model, tokens, targets);
  CHECK(trace->loss().count == loss.count);
  CHECK(std::abs(trace->loss().sum - loss.sum) <= kTraceError * loss.sum);
  HEED_CHECK_NEAR(NearL2("logits", logits.data(), trace->values().logits.data,
                         logits.size(), kTraceError));
  const size_t map = config.heads * time * time;
  for (size_t layer = 0; layer < config.layers; ++layer) {
    HEED_CHECK_NEAR(NearL2("weights", maps.data() + layer * map,
                           trace->values().layers[layer].a.data, map, kTraceError));
  }
  double whole = 0.0;
  for (const float g : floats) whole += double{g} * g;
  whole = std::sqrt(whole);
  for (const TensorTable::Entry& entry : model->table().entries()) {
    char name[kMaxTensorName];
    TensorName(entry.spec, name);
    const auto size = static_cast<size_t>(entry.spec.size());
    HEED_CHECK_NEAR(NearL2(name, floats.data() + entry.offset,
                           trace->parameter_gradients().floats.data + entry.offset, size,
                           kTraceError, 1e-3 * whole));
  }
}

TEST_CASE("a trace has the values and gradients of the trained path for every option") {
  for (const ModelConfig& config : TraceConfigs()) CheckAgainstTraining(config);
}

TEST_CASE("traced rows of weights sum to 1, of score gradients to 0, masked cells are exactly 0") {
  for (const ModelConfig& config : TraceConfigs()) {
    const std::unique_ptr<Model> model = MakeModel(config, 3, 8.0f);
    const std::unique_ptr<Trace> trace =
        MakeTrace(*model, RandomTokens(9, config.vocab), RandomTokens(9, config.vocab, 4));
    for (size_t layer = 0; layer < config.layers; ++layer) {
      const Matrix<float> a = trace->values().layers[layer].a;
      const Matrix<float> d_s = trace->gradients().layers[layer].s;
      for (size_t r = 0; r < a.rows; ++r) {
        double weights = 0.0, pushes = 0.0, size = 0.0;
        for (size_t j = 0; j < a.cols; ++j) {
          weights += a(r, j);
          const bool gone = config.window > 0 && j + config.window <= r % 9;
          if (gone || (config.mask == MaskKind::kCausal && j > r % 9)) {
            CHECK(a(r, j) == 0.0f);
            if (d_s.data != nullptr) CHECK(d_s(r, j) == 0.0f);
          }
          if (d_s.data == nullptr) continue;
          pushes += d_s(r, j);
          size += std::abs(d_s(r, j));
        }
        CHECK(std::abs(weights - 1.0) <= 1e-6);
        CHECK(std::abs(pushes) <= 1e-6 * size + 1e-12);
      }
    }
  }
}

TEST_CASE("a trace keeps its own weights") {
  const std::unique_ptr<Model> model = MakeModel(SmallConfig());
  const std::vector<int32_t> tokens = RandomTokens(8, 13), targets = RandomTokens(8, 13, 4);
  const std::unique_ptr<Trace> trace = MakeTrace(*model, tokens, targets);
  const double before = trace->loss().sum;
  for (float& weight : model->mutable_parameters()) weight *= 0.5f;
  trace->Restore();
  CHECK(trace->loss().sum == before);
  CHECK(MakeTrace(*model, tokens, targets)->loss().sum != before);
}

TEST_CASE("a trace without counted targets has no loss and no gradient") {
  const std::unique_ptr<Model> model = MakeModel(SmallConfig());
  const std::unique_ptr<Trace> trace =
      MakeTrace(*model, RandomTokens(5, 13), std::vector<int32_t>(5, -1));
  CHECK(trace->loss().count == 0);
  for (const float g : trace->parameter_gradients().floats) CHECK(g == 0.0f);
}

TEST_CASE("bad examples and what-ifs are refused with the reason") {
  const std::unique_ptr<Model> model = MakeModel(SmallConfig());
  const std::vector<int32_t> tokens = RandomTokens(5, 13), targets = RandomTokens(5, 13, 4);
  const auto refused = [&](const std::vector<int32_t>& t, const std::vector<int32_t>& wanted,
                           const WhatIf* what_if, StatusCode code, const char* word) {
    const Result<std::unique_ptr<Trace>> made =
        Trace::Create(*model, View(t), View(wanted),
                      {what_if, what_if == nullptr ? size_t{0} : size_t{1}}, true);
    REQUIRE_FALSE(made.ok());
    CHECK(made.status().code() == code);
    CHECK(std::string(made.status().message()).find(word) != std::string::npos);
  };
  using enum StatusCode;
  refused({}, {}, nullptr, kBadData, "tokens");
  refused({13}, {0}, nullptr, kBadData, "13");
  refused(tokens, {0}, nullptr, kInvalidArgument, "targets");
  refused({1}, {13}, nullptr, kBadData, "13");
  for (const WhatIf& what_if :
       {WhatIf{WhatIfKind::kScore, 2, 0, 0, 0, 0.0f}, WhatIf{WhatIfKind::kScore, 0, 2, 0, 0, 0.0f},
        WhatIf{WhatIfKind::kScore, 0, 0, 5, 0, 0.0f}, WhatIf{WhatIfKind::kQuery, 0, 0, 0, 10, 0.0f},
        WhatIf{WhatIfKind::kWeight, 999, 0, 0, 0, 0.0f},
        WhatIf{WhatIfKind::kWeight, 0, 0, 13, 0, 0.0f},
        WhatIf{WhatIfKind::kCount, 0, 0, 0, 0, 0.0f},
        WhatIf{WhatIfKind::kScale, 0, 0, 0, 0, INFINITY}}) {
    refused(tokens, targets, &what_if, kInvalidArgument, "hatIf[0]");
  }
  const WhatIf huge = {WhatIfKind::kScale, 0, 0, 0, 0, 3e38f};
  refused(tokens, targets, &huge, kNonFinite, "not finite");
}

TEST_CASE("no memory for a trace is an error that frees everything") {
  const std::unique_ptr<Model> model = MakeModel(SmallConfig());
  const std::vector<int32_t> tokens = RandomTokens(5, 13), targets = RandomTokens(5, 13, 4);
  const uint64_t before = GetArenaTotals().bytes_in_use;
  bool failed = true;
  for (uint64_t nth = 1; failed; ++nth) {
    SetArenaFailure(nth, false);
    const Result<std::unique_ptr<Trace>> made =
        Trace::Create(*model, View(tokens), View(targets), Span<const WhatIf>(), true);
    SetArenaFailure(0, false);
    failed = !made.ok();
    if (failed) CHECK(made.status().code() == StatusCode::kOutOfMemory);
    if (failed) CHECK(GetArenaTotals().bytes_in_use == before);
    REQUIRE(nth < 20);
  }
}

}  // namespace
}  // namespace heed::test
