// SPDX-License-Identifier: MIT
#include "train/timeline.h"

#include <new>
#include <utility>

namespace heed {

Result<std::unique_ptr<Timeline>> Timeline::Create(Trainer* trainer, uint64_t every,
                                                   uint64_t max_bytes) {
  if (trainer->recorder() != nullptr) {
    return Status::Error(StatusCode::kBadState,
                         "the trainer is being recorded already; use that timeline, or dispose it "
                         "first");
  }
  if (every < 1) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "every is 0; it must be at least 1, the steps between two snapshots");
  }
  std::unique_ptr<Timeline> timeline(new (std::nothrow) Timeline(trainer));
  if (timeline == nullptr) {
    return Status::Error(StatusCode::kOutOfMemory,
                         "the timeline: no memory left; dispose something");
  }
  HEED_RETURN_IF_ERROR(timeline->ring_.Init(*trainer, every, max_bytes));
  HEED_RETURN_IF_ERROR(timeline->passing_.Init(*trainer));
  trainer->set_recorder(&timeline->ring_);
  return timeline;
}

Timeline::~Timeline() {
  if (trainer_->recorder() == &ring_) trainer_->set_recorder(nullptr);
}

Result<LoadedRun> Timeline::MakeRun(const TrainConfig& config) const {
  LoadedRun run;
  Result<std::unique_ptr<Model>> model = Model::Create(trainer_->model().config());
  if (!model.ok()) return model.status();
  run.model = std::move(*model);
  Result<std::unique_ptr<Trainer>> trainer =
      Trainer::Create(run.model.get(), config, trainer_->examples());
  if (!trainer.ok()) return trainer.status();
  run.trainer = std::move(*trainer);
  return run;
}

Result<bool> Timeline::AdvanceReplay(Trainer* replay, uint64_t step, double budget_ms) {
  if (step < first() || step > last()) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "step %llu is not on record; the timeline has steps %llu to %llu",
                         static_cast<unsigned long long>(step),
                         static_cast<unsigned long long>(first()),
                         static_cast<unsigned long long>(last()));
  }
  const auto take = [&](const TrainerState& state) {
    state.Restore(replay);
    state.RestoreFrozen(replay);
    replayed_ = ring_.generation();
  };
  if (step == last()) {
    passing_.Save(*trainer_);
    take(passing_);
    return true;
  }
  const TrainerState& nearest = ring_.Nearest(step);
  const bool ahead = replayed_ == ring_.generation() && replay->step() >= nearest.step() &&
                     replay->step() <= step;
  if (!ahead) take(nearest);
  if (replay->step() == step) return true;
  const Result<Trainer::Progress> progress = replay->Advance(budget_ms);
  if (!progress.ok()) return progress.status();
  return replay->step() == step;
}

Result<LoadedRun> Timeline::Branch(const Trainer& replay, const TrainConfig& config) const {
  HEED_RETURN_IF_ERROR(CheckTrainConfig(config));
  if (replay.step() > config.steps) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "steps is %llu, but the branch starts after step %llu; raise steps or "
                         "branch earlier",
                         static_cast<unsigned long long>(config.steps),
                         static_cast<unsigned long long>(replay.step()));
  }
  Result<LoadedRun> run = MakeRun(config);
  if (!run.ok()) return run.status();
  TrainerState state;
  HEED_RETURN_IF_ERROR(state.Init(replay));
  state.Save(replay);
  state.Restore(run->trainer.get());
  state.RestoreFrozen(run->trainer.get());
  return run;
}

}  // namespace heed
