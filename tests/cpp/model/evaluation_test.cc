// SPDX-License-Identifier: MIT
#include "model/evaluation.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "catch2/catch_test_macros.hpp"
#include "support/small_model.h"

namespace heed::test {
namespace {

constexpr size_t kBatch = 5, kTime = 6, kRows = kBatch * kTime;

// Likeliest token of every row, one sequence at a time and from the logits.
std::vector<int32_t> Likeliest(const Model& model, const std::vector<int32_t>& tokens) {
  const size_t vocab = model.config().vocab;
  std::vector<int32_t> likeliest;
  for (size_t b = 0; b < kBatch; ++b) {
    Transformer transformer;
    REQUIRE(transformer.Init(&model, 1, kTime, PassKind::kInference).ok());
    transformer.Forward(View(tokens).Slice(b * kTime, kTime), 1, kTime, PassDropout());
    std::vector<float> logits(kTime * vocab);
    transformer.Logits(Matrix<float>(logits.data(), kTime, vocab));
    for (size_t t = 0; t < kTime; ++t) {
      size_t best = 0;
      for (size_t v = 1; v < vocab; ++v) {
        if (logits[t * vocab + v] > logits[t * vocab + best]) best = v;
      }
      likeliest.push_back(static_cast<int32_t>(best));
    }
  }
  return likeliest;
}

TEST_CASE("evaluation: accuracy and exact matches against a count by hand") {
  const auto model = MakeModel(SmallConfig());
  const std::vector<int32_t> tokens = RandomTokens(kRows, model->config().vocab);
  const std::vector<int32_t> likeliest = Likeliest(*model, tokens);
  const auto other = [](int32_t token) { return (token + 1) % 13; };
  std::vector<int32_t> targets = likeliest;
  targets[1] = other(targets[1]);                               // sequence 0: 5 of 6
  for (size_t t = 0; t < 4; ++t) targets[kTime + t] = -1;       // sequence 1: 2 of 2
  for (size_t t = 0; t < kTime; ++t) targets[2 * kTime + t] = -1;  // sequence 2: none counts
  for (size_t t = 0; t < kTime; ++t) {                          // sequence 3: 0 of 6
    targets[3 * kTime + t] = other(targets[3 * kTime + t]);
  }                                                             // sequence 4: 6 of 6
  const Result<Evaluation> result = BatchLoss(*model, kBatch, View(tokens), View(targets));
  REQUIRE(result.ok());
  CHECK(result->loss.count == 20);
  CHECK(result->correct == 13);
  CHECK(result->sequences == 4);
  CHECK(result->exact == 2);
}

TEST_CASE("evaluation: a batch's loss is that of its sequences") {
  const auto model = MakeModel(SmallConfig());
  const std::vector<int32_t> tokens = RandomTokens(kRows, 13), targets = RandomTokens(kRows, 13, 4);
  const Result<Evaluation> all = BatchLoss(*model, kBatch, View(tokens), View(targets));
  REQUIRE(all.ok());
  double sum = 0.0;
  for (size_t b = 0; b < kBatch; ++b) {
    const Result<Evaluation> one =
        BatchLoss(*model, 1, View(tokens).Slice(b * kTime, kTime),
                  View(targets).Slice(b * kTime, kTime));
    REQUIRE(one.ok());
    sum += one->loss.sum;
  }
  CHECK(std::abs(all->loss.sum - sum) <= 1e-6 * sum);
  CHECK(BatchLoss(*model, kBatch, View(tokens), View(targets))->loss.sum == all->loss.sum);
}

TEST_CASE("evaluation: batches that are none are refused") {
  const auto model = MakeModel(SmallConfig());
  std::vector<int32_t> tokens(kRows, 1), targets(kRows, 2);
  const auto code = [&](size_t batch) {
    return BatchLoss(*model, batch, View(tokens), View(targets)).status().code();
  };
  CHECK(code(0) == StatusCode::kInvalidArgument);
  CHECK(code(7) == StatusCode::kInvalidArgument);
  CHECK(code(1) == StatusCode::kBadData);  // 30 tokens in a context of 16
  targets[29] = 13;
  CHECK(code(kBatch) == StatusCode::kBadData);
  targets[29] = -2;
  CHECK(code(kBatch) == StatusCode::kBadData);
  targets[29] = -1;
  tokens[29] = -1;
  CHECK(code(kBatch) == StatusCode::kBadData);
  tokens[29] = 0;
  CHECK(code(kBatch) == StatusCode::kOk);
  model->mutable_parameters()[0] = std::numeric_limits<float>::quiet_NaN();
  CHECK(code(kBatch) == StatusCode::kNonFinite);
  targets.pop_back();
  CHECK(code(1) == StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace heed::test
