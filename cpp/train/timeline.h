// SPDX-License-Identifier: MIT
// A recorded run: any of its steps again, and other runs from there.
#ifndef HEED_TRAIN_TIMELINE_H_
#define HEED_TRAIN_TIMELINE_H_

#include <cstdint>
#include <memory>

#include "base/status.h"
#include "model/model.h"
#include "train/run_checkpoint.h"
#include "train/snapshot_ring.h"
#include "train/trainer.h"

namespace heed {

class Timeline {
 public:
  // Records `trainer`, which must outlive the timeline, from its present step on. Errors: kBadState
  // (it is being recorded already), kInvalidArgument (every, max_bytes), kOutOfMemory.
  static Result<std::unique_ptr<Timeline>> Create(Trainer* trainer, uint64_t every,
                                                  uint64_t max_bytes);
  ~Timeline();

  // Steps that can be had: from the first on record to the newest.
  uint64_t first() const { return ring_.first(); }
  uint64_t last() const { return trainer_->step(); }
  const SnapshotRing& ring() const { return ring_; }

  // A model and a trainer of its own on which steps are run again, over the same examples. Their
  // memory is the run's a second time. kOutOfMemory.
  Result<LoadedRun> MakeReplay() const { return MakeRun(trainer_->config()); }
  // Brings the replay to the state after `step`: from the nearest snapshot, from the run itself, or
  // from where the replay stands if that is nearer. Call until true. Errors: kInvalidArgument for a
  // step not on record.
  Result<bool> AdvanceReplay(Trainer* replay, uint64_t step, double budget_ms);
  // A run of its own with other options that goes on from where the replay stands. With another
  // optimizer its moments start at zero. Errors: those of Trainer::Create; kInvalidArgument when
  // that step is beyond config.steps.
  Result<LoadedRun> Branch(const Trainer& replay, const TrainConfig& config) const;

 private:
  explicit Timeline(Trainer* trainer) : trainer_(trainer) {}
  Result<LoadedRun> MakeRun(const TrainConfig& config) const;

  Trainer* trainer_;
  SnapshotRing ring_;
  TrainerState passing_;  // on its way from one trainer to another
  // The ring's generation when the replay's state was taken from it.
  uint64_t replayed_ = UINT64_MAX;
};

}  // namespace heed

#endif  // HEED_TRAIN_TIMELINE_H_
