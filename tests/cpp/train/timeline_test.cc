// SPDX-License-Identifier: MIT
#include "train/timeline.h"

#include <string>
#include <vector>

#include "catch2/catch_test_macros.hpp"
#include "support/training_run.h"

namespace heed::test {
namespace {

constexpr uint64_t kPlenty = uint64_t{1} << 30;

TrainConfig LongTraining() {
  TrainConfig config = ShortTraining();
  config.steps = 1000;
  return config;
}

std::unique_ptr<Timeline> Record(TrainingRun* run, uint64_t every, uint64_t max_bytes = kPlenty) {
  Result<std::unique_ptr<Timeline>> made = Timeline::Create(run->trainer.get(), every, max_bytes);
  INFO(made.status().message());
  REQUIRE(made.ok());
  return std::move(*made);
}

// Weights after each of `count` steps, the first entry being those before any.
std::vector<uint64_t> Hashes(TrainingRun* run, int count) {
  std::vector<uint64_t> hashes = {run->model->WeightsHash()};
  for (int i = 0; i < count; ++i) {
    run->Steps(1);
    hashes.push_back(run->model->WeightsHash());
  }
  return hashes;
}

uint64_t HashAt(Timeline* timeline, LoadedRun* replay, uint64_t step) {
  for (;;) {
    const Result<bool> done = timeline->AdvanceReplay(replay->trainer.get(), step, 0.0);
    INFO(done.status().message());
    REQUIRE(done.ok());
    if (*done) break;
  }
  CHECK(replay->trainer->step() == step);
  return replay->model->WeightsHash();
}

std::vector<uint64_t> Kept(const Timeline& timeline) {
  std::vector<uint64_t> kept;
  for (size_t i = 0; i < timeline.ring().count(); ++i) kept.push_back(timeline.ring().step(i));
  return kept;
}

TEST_CASE("timeline: every step again, with the bits of the run, in any order") {
  TrainingRun run(LongTraining());
  run.Steps(2);
  const auto timeline = Record(&run, 5);
  const std::vector<uint64_t> hashes = Hashes(&run, 23);
  CHECK(timeline->first() == 2);
  CHECK(timeline->last() == 25);
  CHECK(Kept(*timeline) == std::vector<uint64_t>{2, 7, 12, 17, 22});
  Result<LoadedRun> replay = timeline->MakeReplay();
  REQUIRE(replay.ok());
  const uint64_t now = run.Hash();
  for (const uint64_t step : {25, 3, 4, 2, 24, 11, 12, 13, 7, 25}) {
    CAPTURE(step);
    CHECK(HashAt(timeline.get(), &*replay, step) == hashes[step - 2]);
  }
  CHECK(run.Hash() == now);
  for (const uint64_t step : {uint64_t{1}, uint64_t{26}}) {
    const auto found = timeline->AdvanceReplay(replay->trainer.get(), step, 0.0);
    CHECK(found.status().code() == StatusCode::kInvalidArgument);
    CHECK(std::string(found.status().message()).find("steps 2 to 25") != std::string::npos);
  }
}

TEST_CASE("timeline: recording changes no bit of the run") {
  TrainingRun plain(LongTraining()), recorded(LongTraining());
  const auto timeline = Record(&recorded, 1);
  plain.Steps(10);
  recorded.Steps(10);
  CHECK(plain.Hash() == recorded.Hash());
}

TEST_CASE("timeline: within its budget every second snapshot goes and the interval doubles") {
  TrainingRun run(LongTraining());
  const uint64_t bytes = TrainerState::Bytes(*run.trainer);
  const uint64_t before = GetArenaTotals().bytes_in_use;
  const auto timeline = Record(&run, 1, 4 * bytes + bytes / 2);
  const std::vector<uint64_t> hashes = Hashes(&run, 100);
  CHECK(timeline->ring().interval() == 32);
  CHECK(Kept(*timeline) == std::vector<uint64_t>{0, 32, 64, 96});
  // Four snapshots and what is on its way between trainers.
  CHECK(GetArenaTotals().bytes_in_use - before <= 5 * bytes);
  Result<LoadedRun> replay = timeline->MakeReplay();
  REQUIRE(replay.ok());
  for (const uint64_t step : {99, 1, 33, 64}) {
    CHECK(HashAt(timeline.get(), &*replay, step) == hashes[step]);
  }
}

TEST_CASE("timeline: what is no plain step is kept, however small the budget") {
  TrainingRun run(LongTraining());
  const uint64_t bytes = TrainerState::Bytes(*run.trainer);
  const auto timeline = Record(&run, 1, 6 * bytes);
  std::vector<uint64_t> hashes = {run.model->WeightsHash()};
  for (uint64_t step = 1; step <= 60; ++step) {
    if (step == 11) {
      REQUIRE(*run.trainer->AdvanceBackward(1e12));
      REQUIRE(run.trainer->Update(View(run.Flags("value"))).ok());
    } else {
      run.Steps(1);
    }
    if (step == 20) REQUIRE(run.trainer->SetFrozen("query").ok());
    if (step == 33) {
      for (float& weight : run.model->mutable_parameters().Slice(0, 5)) weight += 0.5f;
      run.trainer->WeightsWritten();
    }
    if (step == 41) {
      run.Steps(1);
      REQUIRE(run.trainer->Undo().ok());
    }
    hashes.push_back(run.model->WeightsHash());
  }
  Result<LoadedRun> replay = timeline->MakeReplay();
  REQUIRE(replay.ok());
  for (uint64_t step = 60; step-- > timeline->first();) {
    CAPTURE(step);
    CHECK(HashAt(timeline.get(), &*replay, step) == hashes[step]);
  }
  CHECK(timeline->first() == 0);
}

TEST_CASE("timeline: when nothing else can go, the past begins later and stays exact") {
  TrainingRun run(LongTraining());
  const auto timeline = Record(&run, 1, 3 * TrainerState::Bytes(*run.trainer) + 64);
  std::vector<uint64_t> hashes = {run.model->WeightsHash()};
  for (int step = 1; step <= 12; ++step) {
    run.Steps(1);
    REQUIRE(run.trainer->SetFrozen(step % 2 == 0 ? "query" : "key").ok());
    hashes.push_back(run.model->WeightsHash());
  }
  CHECK(timeline->first() > 0);
  Result<LoadedRun> replay = timeline->MakeReplay();
  REQUIRE(replay.ok());
  for (uint64_t step = timeline->first(); step <= 12; ++step) {
    CHECK(HashAt(timeline.get(), &*replay, step) == hashes[step]);
  }
}

TEST_CASE("timeline: a reset and an undo take the past back") {
  TrainingRun run(LongTraining());
  run.Steps(4);
  const auto timeline = Record(&run, 1);
  REQUIRE(run.trainer->KeepUndo().ok());
  run.Steps(1);
  Result<LoadedRun> replay = timeline->MakeReplay();
  REQUIRE(replay.ok());
  HashAt(timeline.get(), &*replay, 5);
  REQUIRE(run.trainer->Undo().ok());
  CHECK(timeline->last() == 4);
  CHECK(Kept(*timeline) == std::vector<uint64_t>{4});
  REQUIRE(run.trainer->SetFrozen("value").ok());
  const std::vector<uint64_t> hashes = Hashes(&run, 3);
  CHECK(HashAt(timeline.get(), &*replay, 5) == hashes[1]);
  run.trainer->Reset();
  CHECK(timeline->first() == 0);
  CHECK(timeline->last() == 0);
  const std::vector<uint64_t> again = Hashes(&run, 6);
  CHECK(HashAt(timeline.get(), &*replay, 5) == again[5]);
  CHECK(HashAt(timeline.get(), &*replay, 0) == again[0]);
}

TEST_CASE("timeline: an unchanged branch has the run's bits; a changed one goes its own way") {
  TrainConfig config = LongTraining();
  TrainingRun run(config);
  REQUIRE(run.trainer->SetFrozen("key").ok());
  const auto timeline = Record(&run, 4);
  const std::vector<uint64_t> hashes = Hashes(&run, 20);
  Result<LoadedRun> replay = timeline->MakeReplay();
  REQUIRE(replay.ok());
  HashAt(timeline.get(), &*replay, 10);
  Result<LoadedRun> same = timeline->Branch(*replay->trainer, config);
  config.learning_rate = 5e-3;
  Result<LoadedRun> faster = timeline->Branch(*replay->trainer, config);
  config.optimizer = OptimizerKind::kSgd;
  Result<LoadedRun> other = timeline->Branch(*replay->trainer, config);
  REQUIRE(same.ok());
  REQUIRE(faster.ok());
  REQUIRE(other.ok());
  for (LoadedRun* branch : {&*same, &*faster, &*other}) {
    CHECK(branch->trainer->step() == 10);
    CHECK(branch->model->WeightsHash() == hashes[10]);
    while (branch->trainer->step() < 20) REQUIRE(branch->trainer->Advance(1e12).ok());
  }
  CHECK(same->model->WeightsHash() == hashes[20]);
  CHECK(faster->model->WeightsHash() != hashes[20]);
  CHECK(other->model->WeightsHash() != hashes[20]);
  config.steps = 9;
  CHECK(timeline->Branch(*replay->trainer, config).status().code() ==
        StatusCode::kInvalidArgument);
  config.steps = 0;
  CHECK(timeline->Branch(*replay->trainer, config).status().code() ==
        StatusCode::kInvalidArgument);
}

TEST_CASE("timeline: refused requests, and memory that runs out") {
  TrainingRun run(LongTraining());
  const ArenaTotals before = GetArenaTotals();
  const auto code = [&](uint64_t every, uint64_t bytes) {
    return Timeline::Create(run.trainer.get(), every, bytes).status().code();
  };
  CHECK(code(0, kPlenty) == StatusCode::kInvalidArgument);
  CHECK(code(1, 1000) == StatusCode::kInvalidArgument);
  for (uint64_t nth = 1; nth <= 3; ++nth) {
    SetArenaFailure(nth, false);
    CHECK(code(1, kPlenty) == StatusCode::kOutOfMemory);
    SetArenaFailure(0, false);
  }
  CHECK(GetArenaTotals().bytes_in_use == before.bytes_in_use);
  CHECK(run.trainer->recorder() == nullptr);
  {
    const auto timeline = Record(&run, 1);
    CHECK(code(1, kPlenty) == StatusCode::kBadState);
    // No step fails because the past has no room: there are fewer snapshots then.
    SetArenaFailure(1, true);
    const std::vector<uint64_t> hashes = Hashes(&run, 9);
    SetArenaFailure(0, false);
    CHECK(timeline->ring().count() <= 2);
    Result<LoadedRun> replay = timeline->MakeReplay();
    REQUIRE(replay.ok());
    CHECK(HashAt(timeline.get(), &*replay, 7) == hashes[7]);
  }
  CHECK(run.trainer->recorder() == nullptr);
  CHECK(GetArenaTotals().bytes_in_use == before.bytes_in_use);
}

}  // namespace
}  // namespace heed::test
