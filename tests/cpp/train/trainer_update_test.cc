// SPDX-License-Identifier: MIT
// Frozen groups, a step in parts, partial updates, undo, trials.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "catch2/catch_test_macros.hpp"
#include "catch2/generators/catch_generators.hpp"
#include "support/training_run.h"

namespace heed::test {
namespace {

TrainConfig WithOptimizer(OptimizerKind kind) {
  TrainConfig config = ShortTraining();
  config.optimizer = kind;
  return config;
}

TEST_CASE("a frozen group keeps every bit of its weights and moments; the others move") {
  TrainingRun run(WithOptimizer(
      GENERATE(OptimizerKind::kAdamW, OptimizerKind::kSgd, OptimizerKind::kLion)));
  run.Steps(2);
  REQUIRE(run.trainer->SetFrozen("query\nembeddings").ok());
  const auto held = run.Floats("query\nembeddings");
  const auto other = run.Floats("query\nembeddings", false);
  run.Steps(3);
  CHECK(run.Floats("query\nembeddings") == held);
  CHECK(run.Floats("query\nembeddings", false) != other);
  REQUIRE(run.trainer->SetFrozen("").ok());
  run.Steps(1);
  CHECK(run.Floats("query") != held);
}

TEST_CASE("a frozen group has no share in the gradient's norm") {
  TrainingRun run;
  REQUIRE(run.trainer->KeepUndo().ok());
  run.Steps(1);
  double squares = 0.0, rest = 0.0;
  const std::vector<uint8_t> value = run.Flags("value");
  for (size_t i = 0; i < value.size(); ++i) {
    const double norm = run.trainer->reports()[i].gradient_norm;
    squares += norm * norm;
    if (value[i] == 0) rest += norm * norm;
  }
  const double all = run.trainer->metrics().gradient_norm;
  CHECK(std::abs(std::sqrt(squares) - all) <= 1e-12 * all);
  REQUIRE(run.trainer->Undo().ok());
  REQUIRE(run.trainer->SetFrozen("value").ok());
  run.Steps(1);
  CHECK(run.trainer->step() == 1);
  CHECK(std::abs(run.trainer->metrics().gradient_norm - std::sqrt(rest)) <= 1e-12 * all);
  CHECK(run.trainer->metrics().gradient_norm < all);
}

TEST_CASE("norms are those of the last step, and only while its gradient is there") {
  TrainingRun run;
  Trainer& trainer = *run.trainer;
  std::vector<GroupNorms> norms(trainer.groups().size());
  const Span<GroupNorms> out(norms.data(), norms.size());
  CHECK(trainer.Norms(out).code() == StatusCode::kBadState);
  REQUIRE(trainer.KeepUndo().ok());
  REQUIRE(trainer.SetFrozen("value").ok());
  run.Steps(2);
  REQUIRE(trainer.Norms(out).ok());
  const std::vector<uint8_t> value = run.Flags("value");
  double weights = 0.0;
  for (size_t i = 0; i < norms.size(); ++i) {
    CHECK(norms[i].gradient == trainer.reports()[i].gradient_norm);
    CHECK((norms[i].gradient > 0.0) == (value[i] == 0));
    weights += norms[i].weights * norms[i].weights;
  }
  double expected = 0.0;
  for (const float w : trainer.model().parameters()) expected += double{w} * w;
  CHECK(std::abs(weights - expected) <= 1e-12 * expected);
  REQUIRE(trainer.AdvanceForward(1e9).ok());
  CHECK(trainer.Norms(out).code() == StatusCode::kBadState);
  trainer.AbandonStep();
  run.Steps(1);
  CHECK(trainer.Norms(out).ok());
  REQUIRE(trainer.Undo().ok());
  CHECK(trainer.Norms(out).code() == StatusCode::kBadState);
  run.Steps(1);
  trainer.Reset();
  CHECK(trainer.Norms(out).code() == StatusCode::kBadState);
}

TEST_CASE("bias corrections count a tensor's own updates, as PyTorch's steps do") {
  // Frozen from the start and then freed, the first update of AdamW has the size of the rate in
  // every weight: m / c1 = g and v / c2 = g^2. With the run's step count it would be far smaller.
  TrainConfig config = ShortTraining();
  config.schedule = ScheduleKind::kConstant;
  config.warmup = 0;
  config.weight_decay = 0.0;
  config.epsilon = 1e-14;  // or it would show beside the smallest gradients
  TrainingRun run(config);
  REQUIRE(run.trainer->SetFrozen("value").ok());
  run.Steps(10);
  REQUIRE(run.trainer->SetFrozen("").ok());
  const auto before = run.model->tensors().matrix(TensorRole::kValueWeight, 0);
  const std::vector<float> old(before.data, before.data + before.rows * before.cols);
  run.Steps(1);
  const auto after = run.model->tensors().matrix(TensorRole::kValueWeight, 0);
  for (size_t i = 0; i < old.size(); ++i) {
    const double change = std::abs(double{after.data[i]} - double{old[i]});
    REQUIRE(change > 0.97e-3);
    REQUIRE(change < 1.03e-3);
  }
}

TEST_CASE("a step in parts has the bits of a step at once, wherever Advance takes over") {
  TrainConfig config = ShortTraining();
  config.accumulation = GENERATE(1u, 3u);
  TrainingRun whole(config), parts(config);
  const auto finish = [](Result<bool> (Trainer::*part)(double), Trainer* trainer) {
    for (;;) {
      const Result<bool> done = (trainer->*part)(0.0);
      REQUIRE(done.ok());
      if (*done) return;
    }
  };
  Trainer* const trainer = parts.trainer.get();
  for (int round = 0; round < 8; ++round) {
    whole.Steps(1);
    const uint64_t before = parts.Hash();
    if (round % 4 > 0) finish(&Trainer::AdvanceForward, trainer);
    if (round % 4 > 0) CHECK(trainer->forward_loss() == whole.trainer->metrics().loss);
    if (round % 4 > 1) finish(&Trainer::AdvanceBackward, trainer);
    if (round % 4 > 1) {
      CHECK(*trainer->GradientNorm() == whole.trainer->metrics().gradient_norm);
    }
    CHECK(parts.Hash() == before);
    if (round % 4 == 3) {
      REQUIRE(trainer->Update(Span<const uint8_t>()).ok());
    } else {
      parts.Steps(1);
    }
    CHECK(trainer->step() == whole.trainer->step());
    CHECK(trainer->metrics().loss == whole.trainer->metrics().loss);
    CHECK(parts.Hash() == whole.Hash());
  }
}

TEST_CASE("an update of some groups leaves the others alone and moves them as the whole would") {
  TrainingRun whole, part;
  whole.Steps(4);
  part.Steps(4);
  const auto before = part.Floats("key\nvalue", false);
  whole.Steps(1);
  REQUIRE(*part.trainer->AdvanceBackward(1e12));
  const std::vector<uint8_t> flags = part.Flags("key\nvalue");
  REQUIRE(part.trainer->Update(View(flags)).ok());
  CHECK(part.trainer->step() == 5);
  CHECK(part.Floats("key\nvalue") == whole.Floats("key\nvalue"));
  CHECK(part.Floats("key\nvalue", false) == before);
  for (size_t i = 0; i < flags.size(); ++i) {
    CHECK((part.trainer->reports()[i].change > 0.0) == (flags[i] != 0));
  }
}

TEST_CASE("undo restores every bit, once, and the run goes on as if nothing had been") {
  TrainingRun straight, back;
  straight.Steps(3);
  back.Steps(3);
  CHECK(back.trainer->Undo().code() == StatusCode::kBadState);  // made before KeepUndo
  REQUIRE(*back.trainer->AdvanceForward(1e12));
  CHECK(back.trainer->Undo().code() == StatusCode::kBadState);
  back.Steps(1);
  CHECK(back.Hash() != straight.Hash());
  REQUIRE(back.trainer->Undo().ok());
  CHECK(back.Hash() == straight.Hash());
  CHECK(back.trainer->step() == 3);
  CHECK(back.trainer->tokens_seen() == straight.trainer->tokens_seen());
  CHECK(back.trainer->metrics().loss == straight.trainer->metrics().loss);
  CHECK(back.trainer->Undo().code() == StatusCode::kBadState);
  REQUIRE(*back.trainer->AdvanceBackward(1e12));
  REQUIRE(back.trainer->Update(View(back.Flags("norm"))).ok());
  REQUIRE(back.trainer->Undo().ok());
  straight.Steps(4);
  back.Steps(4);
  CHECK(back.Hash() == straight.Hash());
}

TEST_CASE("a trial restores every bit and leaves the step to be made") {
  TrainConfig config = ShortTraining();
  config.accumulation = 2;
  TrainingRun straight(config), tried(config);
  straight.Steps(3);
  tried.Steps(3);
  REQUIRE(*tried.trainer->AdvanceBackward(1e12));
  const uint64_t before = tried.Hash();
  const std::vector<uint8_t> none(tried.trainer->groups().size(), 0);
  const Result<Evaluation> start = tried.trainer->TryUpdate(View(none));
  const Result<Evaluation> all = tried.trainer->TryUpdate(Span<const uint8_t>());
  REQUIRE(start.ok());
  REQUIRE(all.ok());
  CHECK(all->loss.sum != start->loss.sum);
  CHECK(tried.Hash() == before);
  straight.Steps(1);
  REQUIRE(tried.trainer->Update(Span<const uint8_t>()).ok());
  CHECK(tried.Hash() == straight.Hash());
  // What the trial measured is what the rows give after the step.
  const size_t rows = tried.trainer->step_rows(), time = tried.trainer->time();
  std::vector<int32_t> tokens(rows * time), targets(rows * time);
  for (size_t row = 0; row < rows; ++row) {
    tried.trainer->StepExample(4, row, {tokens.data() + row * time, time},
                               {targets.data() + row * time, time});
  }
  CHECK(BatchLoss(*tried.model, rows, View(tokens), View(targets))->loss.sum == all->loss.sum);
}

TEST_CASE("with a tiny rate the loss changes as predicted, by group and together") {
  TrainConfig config = WithOptimizer(OptimizerKind::kSgd);
  config.learning_rate = 3e-3;
  config.min_learning_rate = 0.0;
  config.schedule = ScheduleKind::kConstant;
  config.warmup = 0;
  config.momentum = 0.0;
  config.weight_decay = 0.0;
  config.batch = 32;
  TrainingRun run(config);
  REQUIRE(*run.trainer->AdvanceBackward(1e12));
  const auto loss = [&](Span<const uint8_t> groups) {
    const Result<Evaluation> result = run.trainer->TryUpdate(groups);
    REQUIRE(result.ok());
    return result->loss.sum / static_cast<double>(result->loss.count);
  };
  std::vector<uint8_t> flags(run.trainer->groups().size(), 0);
  const double before = loss(View(flags));
  double largest = 0.0, predicted = 0.0;
  for (size_t i = 0; i < flags.size(); ++i) {
    flags.assign(flags.size(), 0);
    flags[i] = 1;
    const double measured = loss(View(flags)) - before;
    const double expected = run.trainer->reports()[i].predicted;
    predicted += expected;
    largest = std::max(largest, std::abs(expected));
    CAPTURE(i, measured, expected);
    CHECK(expected < 0.0);
    // Losses of float logits are known to about 1e-7.
    if (expected > -2e-5) continue;
    CHECK(measured / expected > 0.95);
    CHECK(measured / expected < 1.05);
  }
  CHECK(largest > 2e-5);
  const double together = loss(Span<const uint8_t>()) - before;
  CHECK(together / predicted > 0.95);
  CHECK(together / predicted < 1.05);
}

TEST_CASE("parts of a step that do not fit the state are refused") {
  TrainConfig config = ShortTraining();
  config.steps = 1;
  TrainingRun run(config);
  Trainer* const trainer = run.trainer.get();
  CHECK(trainer->Update(Span<const uint8_t>()).code() == StatusCode::kBadState);
  CHECK(trainer->GradientNorm().status().code() == StatusCode::kBadState);
  CHECK(trainer->TryUpdate(Span<const uint8_t>()).status().code() == StatusCode::kBadState);
  REQUIRE(*trainer->AdvanceForward(1e12));
  CHECK(trainer->Update(Span<const uint8_t>()).code() == StatusCode::kBadState);
  CHECK(trainer->BeginEvaluation(Split::kValidation, 1).code() == StatusCode::kBadState);
  CHECK(trainer->SetFrozen("nothing").code() == StatusCode::kInvalidArgument);
  run.Steps(1);
  CHECK(trainer->AdvanceForward(1e12).status().code() == StatusCode::kBadState);
  CHECK(trainer->AdvanceBackward(1e12).status().code() == StatusCode::kBadState);
  REQUIRE(trainer->BeginEvaluation(Split::kValidation, 1).ok());
  CHECK(trainer->AdvanceForward(1e12).status().code() == StatusCode::kBadState);
  CHECK(trainer->Undo().code() == StatusCode::kBadState);
}

}  // namespace
}  // namespace heed::test
