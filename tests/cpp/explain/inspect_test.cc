// SPDX-License-Identifier: MIT
// The lens, heads cut in turn and activation patching; against an independent forward pass they are
// held by tests/lib/explain.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

#include "catch2/catch_test_macros.hpp"
#include "explain/lens.h"
#include "explain/patch.h"
#include "explain/sweep.h"
#include "support/trace_support.h"

namespace heed::test {
namespace {

constexpr size_t kTime = 7;

struct Lens {
  Lens(size_t time, size_t top)
      : ids(time * top), rank(time), probabilities(time * top), target(time), entropy(time) {}
  Status Read(Trace* trace, size_t place, size_t top) {
    return ReadLens(trace, place, top,
                    {{ids.data(), ids.size()},
                     {probabilities.data(), probabilities.size()},
                     {target.data(), target.size()},
                     {rank.data(), rank.size()},
                     {entropy.data(), entropy.size()}});
  }
  std::vector<int32_t> ids, rank;
  std::vector<float> probabilities;
  std::vector<double> target, entropy;
};

std::vector<float> AllValues(const Trace& trace) {
  return {trace.value_floats().begin(), trace.value_floats().end()};
}

TEST_CASE("the lens reads every place, the last one to the bit, and changes nothing") {
  for (const ModelConfig& config : TraceConfigs()) {
    const std::unique_ptr<Model> model = MakeModel(config, 5, 8.0f);
    std::vector<int32_t> targets = RandomTokens(kTime, config.vocab, 4);
    targets[2] = -1;
    const std::unique_ptr<Trace> trace =
        MakeTrace(*model, RandomTokens(kTime, config.vocab), targets);
    const std::vector<float> before = AllValues(*trace);
    const LossSum loss = trace->loss();
    const size_t vocab = config.vocab, places = LensPlaces(config);
    CHECK(places == config.layers * (config.ffn > 0 ? 2u : 1u) + 1u);
    Lens lens(kTime, vocab);
    for (size_t place = 0; place < places; ++place) {
      REQUIRE(lens.Read(trace.get(), place, vocab).ok());
      for (size_t i = 0; i < kTime; ++i) {
        const float* const row = lens.probabilities.data() + i * vocab;
        CHECK(std::is_sorted(row, row + vocab, std::greater<float>()));
        double entropy = 0.0, sum = 0.0;
        for (size_t n = 0; n < vocab; ++n) {
          sum += row[n];
          entropy -= row[n] > 0.0f ? row[n] * std::log(double{row[n]}) : 0.0;
        }
        CHECK(std::abs(sum - 1.0) <= 1e-6);
        CHECK(std::abs(entropy - lens.entropy[i]) <= 1e-12);
        if (targets[i] < 0) {
          CHECK(std::isnan(lens.target[i]));
          CHECK(lens.rank[i] == 0);
          continue;
        }
        const auto rank = static_cast<size_t>(lens.rank[i]);
        REQUIRE(rank >= 1);
        CHECK(lens.ids[i * vocab + rank - 1] == targets[i]);
        CHECK(lens.target[i] == double{row[rank - 1]});
      }
    }
    for (size_t i = 0; i < kTime; ++i) {
      for (size_t n = 0; n < vocab; ++n) {
        const auto id = static_cast<size_t>(lens.ids[i * vocab + n]);
        CHECK(lens.probabilities[i * vocab + n] == trace->values().probs(i, id));
      }
    }
    CHECK(AllValues(*trace) == before);
    CHECK(trace->loss().sum == loss.sum);
    // The first of them alone are the first of all.
    Lens few(kTime, 3);
    REQUIRE(few.Read(trace.get(), places - 1, 3).ok());
    for (size_t i = 0; i < kTime; ++i) {
      CHECK(std::equal(few.ids.begin() + static_cast<std::ptrdiff_t>(i * 3),
                       few.ids.begin() + static_cast<std::ptrdiff_t>(i * 3 + 3),
                       lens.ids.begin() + static_cast<std::ptrdiff_t>(i * vocab)));
    }
    CHECK(few.Read(trace.get(), places, 3).code() == StatusCode::kInvalidArgument);
    CHECK(few.Read(trace.get(), 0, 0).code() == StatusCode::kInvalidArgument);
    CHECK(few.Read(trace.get(), 0, vocab + 1).code() == StatusCode::kInvalidArgument);
  }
}

TEST_CASE("equal logits go to the lower id, and a place that overflows is an error") {
  ModelConfig config = SmallConfig();
  config.norm = NormKind::kNone;
  config.tied = false;
  const std::unique_ptr<Model> model = MakeModel(config);
  const auto head = [&] {
    const TensorTable::Entry* entry = model->table().Find(TensorRole::kHead, -1);
    return model->mutable_parameters().Slice(entry->offset, entry->spec.size());
  };
  const std::vector<int32_t> tokens = {1, 2, 3}, targets = {5, 0, -1};
  std::fill(head().begin(), head().end(), 0.0f);
  Lens lens(3, 4);
  REQUIRE(lens.Read(MakeTrace(*model, tokens, targets).get(), 1, 4).ok());
  for (int32_t n = 0; n < 4; ++n) CHECK(lens.ids[static_cast<size_t>(4 + n)] == n);
  CHECK(lens.rank == std::vector<int32_t>{6, 1, 0});
  CHECK(std::abs(lens.entropy[0] - std::log(13.0)) <= 1e-6);

  // Such a stream would have been refused when the trace was made, were it not for what follows it.
  const std::unique_ptr<Trace> trace = MakeTrace(*model, tokens, targets);
  const Matrix<float> r = trace->values().layers[1].r;
  const float kept = r(1, 0);
  r(1, 0) = std::numeric_limits<float>::infinity();
  CHECK(lens.Read(trace.get(), 2, 4).code() == StatusCode::kNonFinite);
  r(1, 0) = kept;
  CHECK(Values(trace->values().probs) == Values(MakeTrace(*model, tokens, targets)->values().probs));
}

TEST_CASE("heads cut in turn are their what-ifs one by one") {
  for (const ModelConfig& config : TraceConfigs()) {
    const std::unique_ptr<Model> model = MakeModel(config, 5, 8.0f);
    const std::vector<int32_t> tokens = RandomTokens(kTime, config.vocab);
    const std::vector<int32_t> targets = RandomTokens(kTime, config.vocab, 4);
    const std::unique_ptr<Trace> trace = MakeTrace(*model, tokens, targets);
    const std::vector<float> before = AllValues(*trace);
    for (const bool mean : {false, true}) {
      std::vector<double> losses(config.heads);
      const Span<double> view(losses.data(), losses.size());
      for (uint32_t layer = 0; layer < config.layers; ++layer) {
        REQUIRE(CutHeads(trace.get(), layer, mean, view).ok());
        for (uint32_t h = 0; h < config.heads; ++h) {
          const WhatIfKind kind = mean ? WhatIfKind::kHeadMean : WhatIfKind::kHeadZero;
          const LossSum loss =
              MakeTrace(*model, tokens, targets, {{kind, layer, h, 0, 0, 0.0f}}, false)->loss();
          CHECK(losses[h] == loss.sum / static_cast<double>(loss.count));
        }
      }
      CHECK(CutHeads(trace.get(), config.layers, mean, view).code() ==
            StatusCode::kInvalidArgument);
    }
    CHECK(AllValues(*trace) == before);
  }
}

double DifferenceOf(const Trace& trace, const PatchQuestion& q) {
  const Matrix<float>& logits = trace.values().logits;
  return double{logits(q.row, static_cast<size_t>(q.target))} -
         logits(q.row, static_cast<size_t>(q.rival));
}

std::vector<double> Patched(Trace* trace, const Trace& from, const PatchQuestion& question,
                            size_t layer) {
  const bool heads = question.point == PassPoint::kHeads;
  std::vector<double> found(heads ? trace->model().config().heads : trace->time());
  const Result<LogitDifferences> result = PatchActivations(trace, from, question, layer, 0,
                                                           {found.data(), found.size()});
  INFO(result.status().message());
  REQUIRE(result.ok());
  CHECK(result->own == DifferenceOf(*trace, question));
  CHECK(result->from == DifferenceOf(from, question));
  return found;
}

TEST_CASE("patching: with itself nothing changes, and whole prompts follow a token that differs") {
  for (const ModelConfig& config : TraceConfigs()) {
    if (config.layers == 0) continue;
    const std::unique_ptr<Model> model = MakeModel(config, 5, 8.0f);
    std::vector<int32_t> tokens = RandomTokens(kTime, config.vocab);
    const std::vector<int32_t> targets = RandomTokens(kTime, config.vocab, 4);
    const std::unique_ptr<Trace> trace = MakeTrace(*model, tokens, targets);
    tokens[3] = (tokens[3] + 1) % static_cast<int32_t>(config.vocab);
    const std::unique_ptr<Trace> from = MakeTrace(*model, tokens, targets, {}, false);
    const std::vector<float> before = AllValues(*trace), other = AllValues(*from);
    for (const PassPoint point : {PassPoint::kStream, PassPoint::kHeads, PassPoint::kAttention,
                                  PassPoint::kFeedForward}) {
      if (point == PassPoint::kFeedForward && config.ffn == 0) continue;
      const PatchQuestion question = {point, 5, 3, 7};
      const double own = DifferenceOf(*trace, question);
      for (size_t layer = 0; layer < config.layers; ++layer) {
        for (const double d : Patched(trace.get(), *trace, question, layer)) CHECK(d == own);
        CHECK(AllValues(*trace) == before);
        const std::vector<double> found = Patched(trace.get(), *from, question, layer);
        CHECK(AllValues(*trace) == before);
        if (point == PassPoint::kHeads || config.mask == MaskKind::kNone) continue;
        // A causal model's earlier positions know nothing of it, and a later one than the row's is
        // not seen by it.
        for (const size_t position : {size_t{0}, size_t{2}, size_t{6}}) CHECK(found[position] == own);
      }
      if (point == PassPoint::kStream) {
        const std::vector<double> found = Patched(trace.get(), *from, question, 0);
        CHECK(found[3] == DifferenceOf(*from, question));
        for (const size_t position : {size_t{4}, size_t{5}}) CHECK(found[position] == own);
      }
    }
    CHECK(AllValues(*from) == other);
  }
}

TEST_CASE("patching: what does not fit is refused, what overflows is an error") {
  const ModelConfig config = SmallConfig();
  const std::unique_ptr<Model> model = MakeModel(config);
  const auto trace_of = [&](const Model& of, size_t time) {
    return MakeTrace(of, RandomTokens(time, of.config().vocab),
                     std::vector<int32_t>(time, 1), {}, false);
  };
  const std::unique_ptr<Trace> trace = trace_of(*model, kTime);
  std::vector<double> differences(kTime);
  const auto code = [&](Trace* of, const Trace& from, const PatchQuestion& question, size_t layer = 0,
                        size_t first = 0, size_t count = 1) {
    return PatchActivations(of, from, question, layer, first, {differences.data(), count})
        .status()
        .code();
  };
  const auto refused = StatusCode::kInvalidArgument;
  const PatchQuestion question = {PassPoint::kStream, 5, 3, 7};
  CHECK(code(trace.get(), *trace, question) == StatusCode::kOk);
  CHECK(code(trace.get(), *trace_of(*model, kTime - 1), question) == refused);
  for (const PatchQuestion& wrong :
       {PatchQuestion{PassPoint::kStream, kTime, 3, 7}, PatchQuestion{PassPoint::kStream, 5, 13, 7},
        PatchQuestion{PassPoint::kStream, 5, -1, 7}, PatchQuestion{PassPoint::kStream, 5, 3, 13}}) {
    CHECK(code(trace.get(), *trace, wrong) == refused);
  }
  CHECK(code(trace.get(), *trace, question, 2) == refused);
  CHECK(code(trace.get(), *trace, question, 0, kTime, 1) == refused);
  CHECK(code(trace.get(), *trace, {PassPoint::kHeads, 5, 3, 7}, 0, 1, 2) == refused);
  for (const auto& change : std::vector<void (*)(ModelConfig*)>{
           [](ModelConfig* c) { c->vocab = 12; }, [](ModelConfig* c) { c->layers = 1; },
           [](ModelConfig* c) { c->width = 24; }, [](ModelConfig* c) { c->ffn = 0; },
           [](ModelConfig* c) { c->head_width = 12; }}) {
    ModelConfig different = config;
    change(&different);
    const std::unique_ptr<Model> model_of_it = MakeModel(different);
    CHECK(code(trace.get(), *trace_of(*model_of_it, kTime), question) == refused);
  }
  ModelConfig none = config;
  none.layers = 0;
  const std::unique_ptr<Model> empty = MakeModel(none);
  const std::unique_ptr<Trace> bare = trace_of(*empty, kTime);
  CHECK(code(bare.get(), *bare, question) == refused);
  none = config;
  none.ffn = 0;
  const std::unique_ptr<Model> attention_only = MakeModel(none);
  const std::unique_ptr<Trace> without = trace_of(*attention_only, kTime);
  CHECK(code(without.get(), *without, {PassPoint::kFeedForward, 5, 3, 7}) == refused);

  const std::unique_ptr<Trace> infinite = trace_of(*model, kTime);
  const std::vector<float> before = AllValues(*trace);
  infinite->values().layers[1].y(5, 0) = std::numeric_limits<float>::infinity();
  CHECK(code(trace.get(), *infinite, {PassPoint::kAttention, 5, 3, 7}, 1, 0, kTime) ==
        StatusCode::kNonFinite);
  CHECK(AllValues(*trace) == before);
}

}  // namespace
}  // namespace heed::test
