// SPDX-License-Identifier: MIT
#include "train/trainer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "catch2/catch_test_macros.hpp"
#include "catch2/generators/catch_generators.hpp"
#include "support/small_model.h"
#include "train/timeline.h"

namespace heed::test {
namespace {

constexpr double kNoBudget = 0.0;  // one stage a call
constexpr double kWholeStep = 1e12;

TrainConfig SmallTraining() {
  TrainConfig config;
  config.steps = 20;
  config.batch = 3;
  config.warmup = 2;
  config.val_fraction = 0.2;
  return config;
}

// A model, its text and its trainer.
struct Run {
  explicit Run(const TrainConfig& config, const ModelConfig& model_config = SmallConfig(),
               std::vector<uint8_t> loss_mask = {})
      : model(MakeModel(model_config, config.seed, 1.0f)),
        text(RandomTokens(400, model_config.vocab)),
        mask(std::move(loss_mask)) {
    Result<std::unique_ptr<Trainer>> made =
        Trainer::Create(model.get(), config, View(text), View(mask));
    INFO(made.status().message());
    REQUIRE(made.ok());
    trainer = std::move(*made);
  }

  Status Step(double budget = kWholeStep) {
    for (;;) {
      const Result<Trainer::Progress> progress = trainer->Advance(budget);
      if (!progress.ok()) return progress.status();
      if (*progress != Trainer::Progress::kWorking) return Status();
    }
  }
  std::vector<double> Losses(int steps, double budget = kWholeStep) {
    std::vector<double> losses;
    for (int i = 0; i < steps; ++i) {
      REQUIRE(Step(budget).ok());
      losses.push_back(trainer->metrics().loss);
    }
    return losses;
  }
  double Evaluate(uint64_t max_windows = 0) {
    REQUIRE(trainer->BeginEvaluation(Split::kValidation, max_windows).ok());
    for (;;) {
      const Result<bool> done = trainer->AdvanceEvaluation(kNoBudget);
      REQUIRE(done.ok());
      if (*done) break;
    }
    const LossSum sum = trainer->evaluation().loss;
    return sum.sum / static_cast<double>(sum.count);
  }

  std::unique_ptr<Model> model;
  std::vector<int32_t> text;
  std::vector<uint8_t> mask;
  std::unique_ptr<Trainer> trainer;
};

TEST_CASE("a step stage by stage has the bits of a step at once") {
  TrainConfig config = SmallTraining();
  config.accumulation = 2;
  Run whole(config), pieces(config);
  CHECK(whole.Losses(5) == pieces.Losses(5, kNoBudget));
  CHECK(whole.model->WeightsHash() == pieces.model->WeightsHash());
}

TEST_CASE("an abandoned step changes nothing, R138") {
  Run straight(SmallTraining()), interrupted(SmallTraining());
  const std::vector<double> expected = straight.Losses(6);
  std::vector<double> losses = interrupted.Losses(3);
  const uint64_t before = interrupted.model->WeightsHash();
  for (int stages = 1; stages < 7; ++stages) {
    for (int i = 0; i < stages; ++i) REQUIRE(interrupted.trainer->Advance(kNoBudget).ok());
    interrupted.trainer->AbandonStep();
    CHECK(interrupted.model->WeightsHash() == before);
    CHECK(interrupted.trainer->step() == 3);
  }
  for (const double loss : interrupted.Losses(3)) losses.push_back(loss);
  CHECK(losses == expected);
  CHECK(interrupted.model->WeightsHash() == straight.model->WeightsHash());
}

TEST_CASE("dropout repeats by seed, changes by step and is off in evaluation, R103") {
  ModelConfig model = SmallConfig();
  model.dropout = 0.5f;
  Run a(SmallTraining(), model), b(SmallTraining(), model), without(SmallTraining());
  CHECK(a.Evaluate() == without.Evaluate());
  CHECK(a.Evaluate() == a.Evaluate());
  const std::vector<double> losses = a.Losses(4);
  CHECK(losses == b.Losses(4, kNoBudget));
  CHECK(losses != without.Losses(4));
}

TEST_CASE("a weight that is not finite stops the step before it changes anything, R091") {
  Run run(SmallTraining());
  run.Losses(2);
  const ModelTensors<float> weights{&run.model->table(), run.model->mutable_parameters()};
  float& weight = weights.matrix(TensorRole::kKeyWeight, 1)(2, 3);
  const float good = weight;
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(),
                          std::numeric_limits<float>::infinity()}) {
    weight = bad;
    const uint64_t before = run.model->WeightsHash();
    const Status status = run.Step();
    CHECK(status.code() == StatusCode::kNonFinite);
    CHECK(std::string(status.message()).find("step 3") != std::string::npos);
    CHECK(std::string(status.message()).find("layers.1.attention.key.weight") !=
          std::string::npos);
    CHECK(run.model->WeightsHash() == before);
    CHECK(run.trainer->step() == 2);
  }
  weight = good;
  REQUIRE(run.Step().ok());
  CHECK(run.trainer->step() == 3);
}

TEST_CASE("an activation that overflows is named with its layer") {
  ModelConfig config = SmallConfig();
  config.norm = NormKind::kNone;
  Run run(SmallTraining(), config);
  const ModelTensors<float> weights{&run.model->table(), run.model->mutable_parameters()};
  // Finite weights whose product is not: the feed-forward input of layer 1.
  for (float& w : weights.matrix(TensorRole::kEmbed).Flat()) w *= 1e4f;
  for (float& w : weights.matrix(TensorRole::kFfnInWeight, 1).Flat()) w = 3e38f;
  const Status status = run.Step();
  CHECK(status.code() == StatusCode::kNonFinite);
  CHECK(std::string(status.message()).find("layers.1 feed-forward") != std::string::npos);
}

TEST_CASE("clipping takes an infinite-looking norm and skips what float cannot hold, R085") {
  TrainConfig config = SmallTraining();
  config.clip = 0.0;
  ModelConfig model = SmallConfig();
  model.norm = NormKind::kNone;
  model.layers = 0;
  model.tied = false;
  Run run(config, model);
  const ModelTensors<float> weights{&run.model->table(), run.model->mutable_parameters()};
  for (float& w : weights.matrix(TensorRole::kEmbed).Flat()) w = 1e20f;
  for (float& w : weights.matrix(TensorRole::kHead).Flat()) w = 0.0f;
  const uint64_t before = run.model->WeightsHash();
  const Status status = run.Step();  // d_head is of the size of the embedding
  CHECK(status.code() == StatusCode::kNonFinite);
  CHECK(std::string(status.message()).find("too large") != std::string::npos);
  CHECK(run.model->WeightsHash() == before);

  config.clip = 1.0;
  Run clipped(config, model);
  const ModelTensors<float> w2{&clipped.model->table(), clipped.model->mutable_parameters()};
  for (float& w : w2.matrix(TensorRole::kEmbed).Flat()) w = 1e20f;
  for (float& w : w2.matrix(TensorRole::kHead).Flat()) w = 0.0f;
  REQUIRE(clipped.Step().ok());
  CHECK(clipped.trainer->metrics().gradient_norm > 1e18);
}

TEST_CASE("a step without a counted token moves no weight, R073") {
  Run run(SmallTraining(), SmallConfig(), std::vector<uint8_t>(400, 0));
  const uint64_t before = run.model->WeightsHash();
  REQUIRE(run.Step().ok());
  CHECK(run.trainer->metrics().loss == 0.0);
  CHECK(run.trainer->metrics().gradient_norm == 0.0);
  CHECK(run.trainer->step() == 1);
  CHECK(run.model->WeightsHash() == before);
}

TEST_CASE("a tied matrix has one gradient and one state, R102") {
  Run run(SmallTraining());
  CHECK(run.model->table().Find(TensorRole::kHead) == nullptr);
  CHECK(run.trainer->optimizer().state(0).size == run.model->table().floats());
}

TEST_CASE("evaluation over all windows, some of them, and in any batch size is one mean") {
  TrainConfig config = SmallTraining();
  Run run(config);
  config.batch = 1;
  Run one(config);
  // The windows' losses are the same bits; only their sums in double are grouped by batch.
  CHECK(std::abs(run.Evaluate() - one.Evaluate()) < 1e-13);
  const double all = run.Evaluate(1000000);
  CHECK(all == run.Evaluate());
  CHECK(std::abs(run.Evaluate(2) - all) < 1.0);
  CHECK(run.Evaluate(2) == run.Evaluate(2));
}

TEST_CASE("an evaluation and a step do not mix") {
  Run run(SmallTraining());
  REQUIRE(run.trainer->Advance(kNoBudget).ok());
  CHECK(run.trainer->BeginEvaluation(Split::kTrain, 0).code() == StatusCode::kBadState);
  run.trainer->AbandonStep();
  REQUIRE(run.trainer->BeginEvaluation(Split::kTrain, 0).ok());
  CHECK(run.trainer->Advance(kNoBudget).status().code() == StatusCode::kBadState);
  run.trainer->AbandonEvaluation();
  REQUIRE(run.Step().ok());
  CHECK(run.trainer->AdvanceEvaluation(kNoBudget).status().code() == StatusCode::kBadState);
}

TEST_CASE("a validation part shorter than a window says so") {
  TrainConfig config = SmallTraining();
  config.val_fraction = 0.01;
  Run run(config);
  const Status status = run.trainer->BeginEvaluation(Split::kValidation, 0);
  CHECK(status.code() == StatusCode::kBadData);
  CHECK(std::string(status.message()).find("validation") != std::string::npos);
}

TEST_CASE("reset repeats the run bit for bit") {
  Run run(SmallTraining());
  run.trainer->Reset();
  const std::vector<double> first = run.Losses(5);
  run.trainer->Reset();
  CHECK(run.trainer->step() == 0);
  CHECK(run.Losses(5) == first);
}

TEST_CASE("a run that goes on under the same options has the bits of one that never stopped") {
  TrainConfig config = SmallTraining();
  config.optimizer = GENERATE(OptimizerKind::kAdamW, OptimizerKind::kSgd, OptimizerKind::kMuon);
  Run straight(config), changed(config);
  const std::vector<double> expected = straight.Losses(12);
  std::vector<double> losses = changed.Losses(5);
  // Inside a step: it begins anew.
  REQUIRE(changed.trainer->Advance(kNoBudget).ok());
  Result<std::unique_ptr<Trainer>> next = Trainer::Continue(*changed.trainer, config);
  REQUIRE(next.ok());
  changed.trainer = std::move(*next);
  CHECK(changed.trainer->step() == 5);
  CHECK(changed.trainer->tokens_seen() == 5 * 3 * SmallConfig().context);
  for (const double loss : changed.Losses(7)) losses.push_back(loss);
  CHECK(losses == expected);
  CHECK(changed.model->WeightsHash() == straight.model->WeightsHash());
}

TEST_CASE("other options from a step on: the moments stay, the batch and the rate are the new ones") {
  TrainConfig config = SmallTraining();
  Run run(config);
  run.Losses(5);
  REQUIRE(run.trainer->SetFrozen("layers.0.query").ok());
  config.batch = 5;
  config.learning_rate = 1e-4;
  config.steps = 40;
  const std::vector<float> moments(run.trainer->optimizer().state(0).begin(),
                                   run.trainer->optimizer().state(0).end());
  Result<std::unique_ptr<Trainer>> next = Trainer::Continue(*run.trainer, config);
  REQUIRE(next.ok());
  const Span<float> kept = (*next)->optimizer().state(0);
  CHECK(std::vector<float>(kept.begin(), kept.end()) == moments);
  CHECK(std::count((*next)->frozen().begin(), (*next)->frozen().end(), 1) == 1);
  run.trainer = std::move(*next);
  REQUIRE(run.Step().ok());
  CHECK(run.trainer->step() == 6);
  CHECK(run.trainer->metrics().learning_rate == LearningRate(config, 5));
  CHECK(run.trainer->tokens_seen() == (5 * 3 + 5) * SmallConfig().context);

  config.optimizer = OptimizerKind::kSgd;
  next = Trainer::Continue(*run.trainer, config);
  REQUIRE(next.ok());
  for (const float moment : (*next)->optimizer().state(0)) REQUIRE(moment == 0.0f);
}

TEST_CASE("options a run cannot go on under are refused and change nothing") {
  const TrainConfig config = SmallTraining();
  Run run(config), straight(config);
  run.Losses(5);
  TrainConfig fewer = config, parted = config, wrong = config;
  fewer.steps = 4;
  parted.val_fraction = 0.3;
  wrong.batch = 0;
  for (const TrainConfig& refused : {fewer, parted, wrong}) {
    CHECK(Trainer::Continue(*run.trainer, refused).status().code() == StatusCode::kInvalidArgument);
  }
  const Result<std::unique_ptr<Timeline>> timeline = Timeline::Create(run.trainer.get(), 4, 1 << 20);
  REQUIRE(timeline.ok());
  CHECK(Trainer::Continue(*run.trainer, config).status().code() == StatusCode::kBadState);
  straight.Losses(5);
  CHECK(run.Losses(3) == straight.Losses(3));
}

TEST_CASE("the forecast is what creating a trainer allocates") {
  const ModelConfig model = SmallConfig();
  const TrainConfig config = SmallTraining();
  const Result<TrainerBytes> forecast = Trainer::Forecast(model, config);
  REQUIRE(forecast.ok());
  const uint64_t before = GetArenaTotals().bytes_in_use;
  const Run run(config, model);
  const uint64_t used = GetArenaTotals().bytes_in_use - before;
  // Beside the forecast there are only the tables of tensors and groups and the text.
  const uint64_t text = (400 * sizeof(int32_t) + 63) / 64 * 64;
  const uint64_t table = run.model->table().entries().size * sizeof(TensorTable::Entry);
  const uint64_t start = GetArenaTotals().bytes_in_use;
  GroupTable groups;
  REQUIRE(groups.Build(run.model->table()).ok());
  ArenaPlan account;
  const size_t tensors = run.model->table().entries().size;
  for (int i = 0; i < 2; ++i) account.Add<uint64_t>(tensors);
  account.Add<GroupReport>(groups.size());
  for (int i = 0; i < 2; ++i) account.Add<uint8_t>(groups.size());
  const uint64_t more = GetArenaTotals().bytes_in_use - start + account.bytes();
  CHECK(used - forecast->total == text + table + more);
}

TEST_CASE("training allocates nothing") {
  Run run(SmallTraining());
  run.Losses(1);
  const ArenaTotals before = GetArenaTotals();
  run.Losses(5);
  CHECK(GetArenaTotals().bytes_in_use == before.bytes_in_use);
  CHECK(GetArenaTotals().blocks == before.blocks);
}

TEST_CASE("every failed allocation is an error and leaves nothing behind") {
  const std::vector<int32_t> text = RandomTokens(400, 13);
  const std::unique_ptr<Model> model = MakeModel(SmallConfig());
  const ArenaTotals before = GetArenaTotals();
  uint64_t points = 0;
  for (uint64_t nth = 1;; ++nth) {
    SetArenaFailure(nth, false);
    const Result<std::unique_ptr<Trainer>> made =
        Trainer::Create(model.get(), SmallTraining(), View(text), Span<const uint8_t>());
    SetArenaFailure(0, false);
    if (made.ok()) break;
    ++points;
    CHECK(made.status().code() == StatusCode::kOutOfMemory);
    CHECK(GetArenaTotals().bytes_in_use == before.bytes_in_use);
  }
  // text, moments, activations, gradients, groups, the account of tensors and groups
  CHECK(points == 6);
}

TEST_CASE("a small model learns to repeat a short text") {
  ModelConfig model = SmallConfig();
  TrainConfig config;
  config.steps = 200;
  config.batch = 4;
  config.learning_rate = 1e-2;
  config.min_learning_rate = 1e-3;
  config.warmup = 5;
  config.val_fraction = 0.0;
  std::vector<int32_t> text;
  for (int i = 0; i < 300; ++i) text.push_back(i * 5 % 13);
  const std::unique_ptr<Model> m = MakeModel(model, 1, 1.0f);
  Result<std::unique_ptr<Trainer>> made =
      Trainer::Create(m.get(), config, View(text), Span<const uint8_t>());
  REQUIRE(made.ok());
  while ((*made)->step() < 200) REQUIRE((*made)->Advance(kWholeStep).ok());
  CHECK((*made)->metrics().loss < 0.02);
}

}  // namespace
}  // namespace heed::test
