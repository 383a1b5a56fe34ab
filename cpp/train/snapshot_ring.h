// SPDX-License-Identifier: MIT
// The past of a run within a budget of memory: states every so many steps, thinned out evenly when
// there is no more room. Training is deterministic, so the steps in between can be run again; where
// something else than a plain step has happened (weights written, groups frozen, a partial update),
// the state is kept as an anchor, over which nothing is ever replayed.
#ifndef HEED_TRAIN_SNAPSHOT_RING_H_
#define HEED_TRAIN_SNAPSHOT_RING_H_

#include <cstdint>
#include <memory>

#include "base/status.h"
#include "train/trainer_state.h"

namespace heed {

class Trainer;

class SnapshotRing {
 public:
  // Most snapshots, whatever the budget: looking one up walks the list.
  static constexpr uint64_t kMaxSnapshots = 4096;

  // Keeps the present state. every >= 1. kInvalidArgument when max_bytes has no room for two
  // states; kOutOfMemory.
  Status Init(const Trainer& trainer, uint64_t every, uint64_t max_bytes);

  // What the trainer tells: a step was made, plain (all groups) or partial; its present state came
  // about otherwise; its last steps were taken back; it begins anew.
  void StepDone(const Trainer& trainer, bool plain);
  void Anchor(const Trainer& trainer);
  void TakeBack(const Trainer& trainer);
  void Restart(const Trainer& trainer);

  uint64_t first() const { return at(0).state.step(); }
  size_t count() const { return count_; }
  uint64_t step(size_t index) const { return at(index).state.step(); }
  // Steps between two plain snapshots; doubles whenever the room is used up.
  uint64_t interval() const { return interval_; }
  // The newest state not after `step` (>= first()).
  const TrainerState& Nearest(uint64_t step) const;
  // Changes whenever the past does: what was replayed before may no longer be it.
  uint64_t generation() const { return generation_; }

 private:
  struct Snapshot {
    TrainerState state;
    bool anchor = false;
  };
  const Snapshot& at(size_t index) const { return snapshots_[order_[index]]; }
  Snapshot& at(size_t index) { return snapshots_[order_[index]]; }
  void Keep(const Trainer& trainer, bool anchor);
  void Drop(size_t index);
  void MakeRoom();

  // Snapshots keep their memory; order_ lists them by step, first count_ used, the others free.
  std::unique_ptr<Snapshot[]> snapshots_;
  std::unique_ptr<uint32_t[]> order_;
  size_t capacity_ = 0;
  size_t count_ = 0;
  uint64_t every_ = 1;
  uint64_t interval_ = 1;
  uint64_t generation_ = 0;
};

}  // namespace heed

#endif  // HEED_TRAIN_SNAPSHOT_RING_H_
