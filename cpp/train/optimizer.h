// SPDX-License-Identifier: MIT
// Applies gradients to weights and owns the moments that takes.
#ifndef HEED_TRAIN_OPTIMIZER_H_
#define HEED_TRAIN_OPTIMIZER_H_

#include <cstdint>

#include "base/arena.h"
#include "base/span.h"
#include "base/status.h"
#include "model/tensors.h"
#include "train/config.h"

namespace heed {

class Optimizer {
 public:
  // Arrays of one float a weight: adamw and muon 2 (m, v), sgd 1 (velocity), lion 1 (m).
  static size_t Slots(OptimizerKind kind);
  // Name of an array in files: "m", "v" or "velocity".
  static const char* SlotName(OptimizerKind kind, size_t slot);
  // Floats of scratch for the updates of a valid configuration's tensors.
  static uint64_t ScratchFloats(OptimizerKind kind, const ModelConfig& model);

  Status Init(const TrainConfig& config, const ModelConfig& model, const TensorTable* table);

  // One update. `numbers` has one entry a tensor of the table: which of the tensor's updates this is,
  // counted from 1 for the bias corrections; 0 leaves the tensor and its moments alone. Gradients
  // are multiplied by gradient_scale first.
  void Update(Span<const uint64_t> numbers, double learning_rate, double gradient_scale,
              const ModelTensors<const float>& gradients, const ModelTensors<float>& weights);
  void Reset();

  size_t slots() const { return Slots(config_.optimizer); }
  Span<float> state(size_t slot) const;

 private:
  void UpdateTensor(const TensorTable::Entry& entry, uint64_t number, double learning_rate,
                    double gradient_scale, ConstSpan gradient, Span<float> weight,
                    Span<float> scratch) const;

  TrainConfig config_;
  uint64_t scratch_floats_ = 0;  // of one worker
  const TensorTable* table_ = nullptr;
  Arena arena_;
};

}  // namespace heed

#endif  // HEED_TRAIN_OPTIMIZER_H_
