// SPDX-License-Identifier: MIT
// A trainer between two steps, copied: whoever goes on from it makes the same bits.
#ifndef HEED_TRAIN_TRAINER_STATE_H_
#define HEED_TRAIN_TRAINER_STATE_H_

#include <cstdint>

#include "base/arena.h"
#include "base/span.h"
#include "base/status.h"
#include "train/config.h"
#include "train/step_metrics.h"

namespace heed {

class Trainer;

class TrainerState {
 public:
  // What Init allocates for this trainer.
  static uint64_t Bytes(const Trainer& trainer);
  // kOutOfMemory.
  Status Init(const Trainer& trainer);
  bool empty() const { return arena_.bytes() == 0; }

  void Save(const Trainer& trainer);
  // Weights, moments, step and tokens, back into that trainer or one over a model of the same
  // configuration. Moments of another optimizer mean nothing there: they start at zero then.
  void Restore(Trainer* trainer) const;
  // Likewise which groups are frozen.
  void RestoreFrozen(Trainer* trainer) const;
  // Weights and moments only, which leaves a step under way as it is.
  void RestoreFloats(Trainer* trainer) const;

  uint64_t step() const { return step_; }
  Span<const float> weights() const { return weights_; }

 private:
  Arena arena_;
  Span<float> weights_;
  Span<float> moments_;      // the optimizer's slots, one after the other
  Span<uint64_t> updates_;   // one a tensor
  Span<uint8_t> frozen_;     // one a group
  OptimizerKind optimizer_ = OptimizerKind::kAdamW;
  uint64_t step_ = 0;
  uint64_t tokens_seen_ = 0;
  StepMetrics metrics_;
};

}  // namespace heed

#endif  // HEED_TRAIN_TRAINER_STATE_H_
