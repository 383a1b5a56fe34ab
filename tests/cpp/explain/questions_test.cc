// SPDX-License-Identifier: MIT
// What is asked of a trace: what-ifs, sweeps, contributions, parts of logits.
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "catch2/catch_test_macros.hpp"
#include "explain/contributions.h"
#include "explain/logit_parts.h"
#include "explain/sweep.h"
#include "support/trace_support.h"

namespace heed::test {
namespace {

constexpr size_t kTime = 7;

struct Example {
  explicit Example(const ModelConfig& config)
      : model(MakeModel(config, 5, 8.0f)),
        tokens(RandomTokens(kTime, config.vocab)),
        targets(RandomTokens(kTime, config.vocab, 4)) {}

  std::unique_ptr<Trace> Make(const std::vector<WhatIf>& what_ifs = {}) const {
    return MakeTrace(*model, tokens, targets, what_ifs);
  }
  double Loss(const std::vector<WhatIf>& what_ifs) const {
    const LossSum loss = MakeTrace(*model, tokens, targets, what_ifs, false)->loss();
    return loss.sum / static_cast<double>(loss.count);
  }

  std::unique_ptr<Model> model;
  std::vector<int32_t> tokens, targets;
};

TEST_CASE("what-ifs: setting what is there changes nothing, something else does") {
  const Example example(SmallConfig());
  const std::unique_ptr<Trace> trace = example.Make();
  const double loss = example.Loss({});
  const TraceLayer& layer = trace->values().layers[1];
  const size_t width = example.model->config().head_width;
  const auto check = [&](WhatIf w, float present) {
    w.value = present;
    CHECK(example.Loss({w}) == loss);
    w.value = present + 0.5f;
    CHECK(example.Loss({w}) != loss);
  };
  using enum WhatIfKind;
  check({kQuery, 1, 1, 4, 3, 0}, layer.q(4, width + 3));
  check({kKey, 1, 1, 2, 3, 0}, layer.k(2, width + 3));
  check({kValue, 1, 1, 2, 3, 0}, layer.v(2, width + 3));
  check({kScore, 1, 1, 4, 2, 0}, layer.s(kTime + 4, 2));
  check({kAddToScore, 1, 1, 4, 2, 0}, 0.0f);
  check({kScale, 1, 1, 0, 0, 0}, 1.0f);
  const TensorTable::Entry* query = example.model->table().Find(TensorRole::kQueryWeight, 1);
  const auto index = static_cast<uint32_t>(query - example.model->table().entries().data);
  check({kWeight, index, 0, 3, 4, 0}, example.model->tensors().At(*query)(3, 4));
  CHECK(example.Loss({{kMask, 1, 1, 0, 0, 1.0f}}) == loss);
  CHECK(example.Loss({{kMask, 1, 1, 0, 0, 0.0f}}) != loss);
  CHECK(example.Loss({{kScore, 1, 1, 2, 4, 9.0f}}) == loss);  // masked
}

TEST_CASE("what-ifs: cut edges and heads do to the weights what they say") {
  const Example example(SmallConfig());
  using enum WhatIfKind;
  const std::unique_ptr<Trace> plain = example.Make();
  const Matrix<float> a = plain->values().layers[0].a;
  const std::unique_ptr<Trace> cut = example.Make({{kCutEdge, 0, 0, 5, 2, 0}});
  const std::unique_ptr<Trace> shared = example.Make({{kCutEdgeRenormalised, 0, 0, 5, 2, 0}});
  for (size_t j = 0; j < kTime; ++j) {
    const float kept = j == 2 ? 0.0f : a(5, j);
    CHECK(cut->values().layers[0].a(5, j) == kept);
    CHECK(std::abs(shared->values().layers[0].a(5, j) - kept / (1.0f - a(5, 2))) <= 1e-6f);
    CHECK(cut->values().layers[0].a(4, j) == a(4, j));
  }
  const std::unique_ptr<Trace> zero = example.Make({{kHeadZero, 1, 0, 0, 0, 0}});
  const std::unique_ptr<Trace> mean = example.Make({{kHeadMean, 1, 0, 0, 0, 0}});
  for (size_t i = 0; i < kTime; ++i) {
    CHECK(zero->values().layers[1].c(i, 3) == 0.0f);
    CHECK(mean->values().layers[1].c(i, 3) == mean->values().layers[1].c(0, 3));
    CHECK(zero->values().layers[1].c(i, 13) == plain->values().layers[1].c(i, 13));
  }
  // All heads of all layers cut: only the residual path is left.
  const std::unique_ptr<Trace> none =
      example.Make({{kHeadZero, 0, 0, 0, 0, 0}, {kHeadZero, 0, 1, 0, 0, 0}});
  CHECK(Values(none->values().layers[0].m) == Values(none->values().layers[0].r));
}

TEST_CASE("what-ifs: gradients follow them, by central differences of the loss") {
  ModelConfig config = SmallConfig();
  config.layers = 1;
  const Example example(config);
  using enum WhatIfKind;
  const std::vector<std::vector<WhatIf>> cases = {
      {},
      {{kScale, 0, 0, 0, 0, 0.5f}},
      {{kMask, 0, 0, 0, 0, 0.0f}},
      {{kCutEdge, 0, 0, 5, 2, 0}},
      {{kCutEdgeRenormalised, 0, 0, 5, 2, 0}},
      {{kHeadMean, 0, 1, 0, 0, 0}},
      {{kQuery, 0, 0, 5, 1, 0.25f}, {kScore, 0, 1, 5, 1, 0.5f}},
  };
  for (const std::vector<WhatIf>& what_ifs : cases) {
    CAPTURE(what_ifs.size(), what_ifs.empty() ? 0 : static_cast<int>(what_ifs[0].kind));
    const std::unique_ptr<Trace> trace = example.Make(what_ifs);
    const Matrix<float> d_s = trace->gradients().layers[0].s;
    double largest = 0.0;
    for (const float g : Values(d_s)) largest = std::max(largest, std::abs(double{g}));
    for (const auto& [i, j] : {std::pair<uint32_t, uint32_t>{5, 0}, {5, 2}, {3, 3}, {6, 4}}) {
      const auto nudged = [&](float by) {
        std::vector<WhatIf> all = what_ifs;
        all.push_back({kAddToScore, 0, 0, i, j, by});
        return example.Loss(all);
      };
      // Float losses: a step of 0.05 leaves about 1e-4 of truncation and 1e-5 of rounding.
      const double slope = (nudged(0.05f) - nudged(-0.05f)) / 0.1;
      CHECK(std::abs(slope - d_s(i, j)) <= 2e-3 * largest + 2e-5);
    }
  }
}

TEST_CASE("a sweep is its what-ifs one by one, and cut edges too") {
  const Example example(SmallConfig());
  const std::unique_ptr<Trace> trace = example.Make();
  const std::vector<float> by = {-2.0f, 0.0f, 0.5f, 4.0f};
  std::vector<double> losses(by.size());
  const WhatIf score = {WhatIfKind::kAddToScore, 0, 1, 4, 2, 0.0f};
  REQUIRE(SweepScore(trace.get(), score, View(by), {losses.data(), losses.size()}).ok());
  CHECK(Values(trace->values().logits) == Values(example.Make()->values().logits));
  for (size_t n = 0; n < by.size(); ++n) {
    WhatIf one = score;
    one.value = by[n];
    CHECK(losses[n] == example.Loss({one}));
  }
  for (const bool renormalise : {false, true}) {
    std::vector<double> cut(kTime);
    REQUIRE(CutEdges(trace.get(), {1, 1, 3}, renormalise, {cut.data(), cut.size()}).ok());
    const WhatIfKind kind =
        renormalise ? WhatIfKind::kCutEdgeRenormalised : WhatIfKind::kCutEdge;
    for (uint32_t j = 0; j <= 3; ++j) CHECK(cut[j] == example.Loss({{kind, 1, 1, 3, j, 0.0f}}));
    CHECK(std::isnan(cut[4]));
  }
  std::vector<double> cut(kTime);
  for (const EdgeRow& row : {EdgeRow{2, 0, 0}, EdgeRow{0, 2, 0}, EdgeRow{0, 0, kTime}}) {
    CHECK(CutEdges(trace.get(), row, false, {cut.data(), kTime}).code() ==
          StatusCode::kInvalidArgument);
  }
}

TEST_CASE("contributions: shares sum to 1 and are those of the outer products") {
  for (const ModelConfig& config : TraceConfigs()) {
    const Example example(config);
    const std::unique_ptr<Trace> trace = example.Make();
    for (size_t layer = 0; layer < config.layers; ++layer) {
      for (size_t head = 0; head < config.heads; ++head) {
        for (const Projection projection :
             {Projection::kQuery, Projection::kKey, Projection::kValue}) {
          std::vector<double> tokens(kTime), pairs(kTime * kTime);
          const Result<ContributionSums> sums =
              Contributions(*trace, projection, layer, head, {tokens.data(), kTime},
                            {pairs.data(), pairs.size()});
          const bool absent = projection == Projection::kValue
                                  ? config.value == ValueKind::kIdentity
                                  : config.uniform_attention;
          REQUIRE(sums.ok() != absent);
          if (absent || !sums->meaningful) continue;
          double by_token = 0.0, by_pair = 0.0;
          for (const double share : tokens) by_token += share;
          for (const double share : pairs) by_pair += share;
          CHECK(std::abs(by_token - 1.0) <= 1e-5);
          CHECK(std::abs(by_pair - 1.0) <= 1e-5);
          if (config.kv_heads != config.heads && projection != Projection::kQuery) continue;
          // The parts' sum is the layer's own gradient.
          const TensorRole role = projection == Projection::kQuery ? TensorRole::kQueryWeight
                                  : projection == Projection::kKey ? TensorRole::kKeyWeight
                                                                   : TensorRole::kValueWeight;
          const Matrix<const float> gradient =
              trace->parameter_gradients()
                  .matrix(role, static_cast<int32_t>(layer))
                  .Cols(head * config.head_width, config.head_width);
          double squares = 0.0;
          for (size_t r = 0; r < gradient.rows; ++r) {
            for (size_t c = 0; c < gradient.cols; ++c) {
              squares += double{gradient(r, c)} * gradient(r, c);
            }
          }
          CHECK(std::abs(squares - sums->squared_norm) <= 1e-4 * squares);
        }
      }
    }
  }
}

TEST_CASE("parts of a logit difference sum to it") {
  for (const ModelConfig& config : TraceConfigs()) {
    if (config.layers == 0) continue;
    const Example example(config);
    const std::unique_ptr<Trace> trace = example.Make();
    for (size_t layer = 0; layer < config.layers; ++layer) {
      std::vector<double> edges(config.heads * kTime), attention(config.layers),
          feed_forward(config.layers);
      const Result<LogitPartSums> parts = LogitParts(
          *trace, {layer, 5, 3, 7}, {edges.data(), edges.size()},
          {attention.data(), attention.size()}, {feed_forward.data(), feed_forward.size()});
      if (config.norm != NormKind::kNone && config.norm_position == NormPosition::kPost) {
        CHECK(parts.status().code() == StatusCode::kInvalidArgument);
        continue;
      }
      REQUIRE(parts.ok());
      double sum = parts->embedding + parts->bias, size = 1.0;
      for (const std::vector<double>* terms : {&edges, &attention, &feed_forward}) {
        for (const double term : *terms) {
          sum += term;
          size += std::abs(term);
        }
      }
      CHECK(std::abs(sum - parts->difference) <= 1e-5 * size);
    }
    std::vector<double> none;
    const Span<double> empty(none.data(), 0);
    CHECK(LogitParts(*trace, {9, 0, 0, 0}, empty, empty, empty).status().code() ==
          StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace heed::test
