// SPDX-License-Identifier: MIT
#include "train/snapshot_ring.h"

#include <algorithm>
#include <new>

#include "train/trainer.h"

namespace heed {

Status SnapshotRing::Init(const Trainer& trainer, uint64_t every, uint64_t max_bytes) {
  const uint64_t bytes = TrainerState::Bytes(trainer);
  const uint64_t room = std::min(max_bytes / std::max<uint64_t>(bytes, 1), kMaxSnapshots);
  if (room < 2) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "maxBytes is %llu; a snapshot of this run has %llu bytes, and there must "
                         "be room for two; raise it",
                         static_cast<unsigned long long>(max_bytes),
                         static_cast<unsigned long long>(bytes));
  }
  capacity_ = static_cast<size_t>(room);
  snapshots_.reset(new (std::nothrow) Snapshot[capacity_]);
  order_.reset(new (std::nothrow) uint32_t[capacity_]);
  if (snapshots_ == nullptr || order_ == nullptr) {
    return Status::Error(StatusCode::kOutOfMemory,
                         "the list of snapshots: no memory left; lower maxBytes or dispose "
                         "something");
  }
  for (size_t i = 0; i < capacity_; ++i) order_[i] = static_cast<uint32_t>(i);
  // Two for certain: the first state, and one more to go on with where memory has run out.
  HEED_RETURN_IF_ERROR(at(0).state.Init(trainer));
  HEED_RETURN_IF_ERROR(at(1).state.Init(trainer));
  every_ = interval_ = every;
  Keep(trainer, true);
  return Status();
}

void SnapshotRing::StepDone(const Trainer& trainer, bool plain) {
  if (!plain) {
    Keep(trainer, true);
  } else if ((trainer.step() - first()) % interval_ == 0) {
    Keep(trainer, false);
  }
}

void SnapshotRing::Anchor(const Trainer& trainer) {
  ++generation_;
  Keep(trainer, true);
}

void SnapshotRing::TakeBack(const Trainer& trainer) {
  while (count_ > 0 && step(count_ - 1) > trainer.step()) --count_;
  // Which groups are frozen was not taken back, so the state is not what a replay would give.
  Anchor(trainer);
}

void SnapshotRing::Restart(const Trainer& trainer) {
  count_ = 0;
  interval_ = every_;
  Anchor(trainer);
}

void SnapshotRing::Keep(const Trainer& trainer, bool anchor) {
  if (count_ > 0 && step(count_ - 1) == trainer.step()) {
    at(count_ - 1).state.Save(trainer);
    at(count_ - 1).anchor = true;
    return;
  }
  if (count_ == capacity_) MakeRoom();
  // Thinning may have left this step between two places of the wider grid.
  if (!anchor && (trainer.step() - first()) % interval_ != 0) return;
  if (at(count_).state.empty() && !at(count_).state.Init(trainer).ok()) {
    // Memory ends before the budget does: what there is now is all the room there will be.
    capacity_ = count_;
    MakeRoom();
    if (!anchor && (trainer.step() - first()) % interval_ != 0) return;
  }
  at(count_).state.Save(trainer);
  at(count_).anchor = anchor;
  ++count_;
}

void SnapshotRing::Drop(size_t index) {
  std::rotate(order_.get() + index, order_.get() + index + 1, order_.get() + count_);
  --count_;
}

void SnapshotRing::MakeRoom() {
  const auto plain = [&] {
    for (size_t i = 1; i < count_; ++i) {
      if (!at(i).anchor) return true;
    }
    return false;
  };
  while (count_ == capacity_ && plain()) {
    interval_ *= 2;
    for (size_t i = count_; i-- > 1;) {
      if (!at(i).anchor && (step(i) - first()) % interval_ != 0) Drop(i);
    }
  }
  // Anchors only: the oldest goes, and the past begins at the next.
  if (count_ == capacity_) {
    Drop(0);
    ++generation_;
  }
}

const TrainerState& SnapshotRing::Nearest(uint64_t step_wanted) const {
  HEED_DCHECK(step_wanted >= first());
  size_t index = count_ - 1;
  while (index > 0 && step(index) > step_wanted) --index;
  return at(index).state;
}

}  // namespace heed
