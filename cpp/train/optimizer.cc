// SPDX-License-Identifier: MIT
#include "train/optimizer.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "kernels/adamw.h"
#include "kernels/lion.h"
#include "kernels/sgd.h"

namespace heed {

size_t Optimizer::Slots(OptimizerKind kind) { return kind == OptimizerKind::kAdamW ? 2 : 1; }

const char* Optimizer::SlotName(OptimizerKind kind, size_t slot) {
  if (kind == OptimizerKind::kSgd) return "velocity";
  return slot == 0 ? "m" : "v";
}

Status Optimizer::Init(const TrainConfig& config, const TensorTable* table) {
  config_ = config;
  table_ = table;
  const uint64_t floats = CheckedMul(table->floats(), Slots(config.optimizer));
  return arena_.Allocate(CheckedMul(floats, sizeof(float)), "the optimizer's moments");
}

Span<float> Optimizer::state(size_t slot) const {
  const uint64_t floats = table_->floats();
  return arena_.Slice<float>(slot * floats * sizeof(float), floats);
}

void Optimizer::Update(Span<const uint64_t> numbers, double learning_rate, double gradient_scale,
                       const ModelTensors<const float>& gradients,
                       const ModelTensors<float>& weights) {
  const Span<const TensorTable::Entry> entries = table_->entries();
  ParallelFor(entries.size, [&](size_t i, size_t) {
    if (numbers[i] == 0) return;
    const auto n = static_cast<double>(numbers[i]);
    const TensorTable::Entry& entry = entries[i];
    const uint64_t size = entry.spec.size();
    const ConstSpan gradient = gradients.floats.Slice(entry.offset, size);
    const Span<float> weight = weights.floats.Slice(entry.offset, size);
    const double decay = entry.spec.decays() ? config_.weight_decay : 0.0;
    const Span<float> moment = state(0).Slice(entry.offset, size);
    switch (config_.optimizer) {
      case OptimizerKind::kAdamW: {
        AdamWStep update;
        update.learning_rate = static_cast<float>(learning_rate);
        update.beta1 = static_cast<float>(config_.beta1);
        update.beta2 = static_cast<float>(config_.beta2);
        update.epsilon = static_cast<float>(config_.epsilon);
        update.weight_decay = static_cast<float>(decay);
        update.bias_correction1 = static_cast<float>(1.0 - std::pow(config_.beta1, n));
        update.bias_correction2 = static_cast<float>(1.0 - std::pow(config_.beta2, n));
        update.gradient_scale = static_cast<float>(gradient_scale);
        return AdamWUpdate(update, gradient, weight, moment, state(1).Slice(entry.offset, size));
      }
      case OptimizerKind::kSgd: {
        SgdStep update;
        update.learning_rate = static_cast<float>(learning_rate);
        update.momentum = static_cast<float>(config_.momentum);
        update.weight_decay = static_cast<float>(decay);
        update.gradient_scale = static_cast<float>(gradient_scale);
        return SgdUpdate(update, gradient, weight, moment);
      }
      case OptimizerKind::kLion: {
        LionStep update;
        update.learning_rate = static_cast<float>(learning_rate);
        update.beta1 = static_cast<float>(config_.beta1);
        update.beta2 = static_cast<float>(config_.beta2);
        update.weight_decay = static_cast<float>(decay);
        update.gradient_scale = static_cast<float>(gradient_scale);
        return LionUpdate(update, gradient, weight, moment);
      }
    }
  });
}

void Optimizer::Reset() {
  for (size_t slot = 0; slot < slots(); ++slot) {
    const Span<float> values = state(slot);
    std::fill(values.begin(), values.end(), 0.0f);
  }
}

}  // namespace heed
