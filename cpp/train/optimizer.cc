// SPDX-License-Identifier: MIT
#include "train/optimizer.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "kernels/adamw.h"
#include "kernels/lion.h"
#include "kernels/sgd.h"
#include "train/muon.h"

namespace heed {

namespace {

bool MovedByMuon(const TensorSpec& spec) { return spec.layer >= 0 && spec.rank == 2; }

}  // namespace

size_t Optimizer::Slots(OptimizerKind kind) {
  return kind == OptimizerKind::kAdamW || kind == OptimizerKind::kMuon ? 2 : 1;
}

uint64_t Optimizer::ScratchFloats(OptimizerKind kind, const ModelConfig& model) {
  uint64_t most = 0;
  if (kind != OptimizerKind::kMuon) return most;
  ForEachTensor(model, [&](const TensorSpec& spec) {
    if (MovedByMuon(spec)) most = std::max(most, MuonScratchFloats(spec.rows, spec.cols));
  });
  return most;
}

const char* Optimizer::SlotName(OptimizerKind kind, size_t slot) {
  if (kind == OptimizerKind::kSgd) return "velocity";
  return slot == 0 ? "m" : "v";
}

Status Optimizer::Init(const TrainConfig& config, const ModelConfig& model,
                       const TensorTable* table) {
  config_ = config;
  table_ = table;
  scratch_floats_ = ScratchFloats(config.optimizer, model);
  const uint64_t floats = CheckedAdd(CheckedMul(table->floats(), Slots(config.optimizer)),
                                     CheckedMul(ParallelWorkers(), scratch_floats_));
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
  const uint64_t scratch_at = CheckedMul(table_->floats(), slots());
  ParallelFor(entries.size, [&](size_t i, size_t worker) {
    if (numbers[i] == 0) return;
    const TensorTable::Entry& entry = entries[i];
    const uint64_t size = entry.spec.size();
    UpdateTensor(entry, numbers[i], learning_rate, gradient_scale,
                 gradients.floats.Slice(entry.offset, size),
                 weights.floats.Slice(entry.offset, size),
                 arena_.Slice<float>((scratch_at + worker * scratch_floats_) * sizeof(float),
                                     scratch_floats_));
  });
}

void Optimizer::UpdateTensor(const TensorTable::Entry& entry, uint64_t number,
                             double learning_rate, double gradient_scale, ConstSpan gradient,
                             Span<float> weight, Span<float> scratch) const {
  const auto rate = static_cast<float>(learning_rate);
  const auto scale = static_cast<float>(gradient_scale);
  const auto decay = static_cast<float>(entry.spec.decays() ? config_.weight_decay : 0.0);
  const auto momentum = static_cast<float>(config_.momentum);
  const auto beta1 = static_cast<float>(config_.beta1), beta2 = static_cast<float>(config_.beta2);
  const Span<float> moment = state(0).Slice(entry.offset, weight.size);
  OptimizerKind kind = config_.optimizer;
  if (kind == OptimizerKind::kMuon && !MovedByMuon(entry.spec)) kind = OptimizerKind::kAdamW;
  switch (kind) {
    case OptimizerKind::kAdamW: {
      AdamWStep update;
      update.learning_rate = rate;
      update.beta1 = beta1;
      update.beta2 = beta2;
      update.epsilon = static_cast<float>(config_.epsilon);
      update.weight_decay = decay;
      const auto n = static_cast<double>(number);
      update.bias_correction1 = static_cast<float>(1.0 - std::pow(config_.beta1, n));
      update.bias_correction2 = static_cast<float>(1.0 - std::pow(config_.beta2, n));
      update.gradient_scale = scale;
      return AdamWUpdate(update, gradient, weight, moment,
                         state(1).Slice(entry.offset, weight.size));
    }
    case OptimizerKind::kSgd: {
      SgdStep update;
      update.learning_rate = rate;
      update.momentum = momentum;
      update.weight_decay = decay;
      update.gradient_scale = scale;
      return SgdUpdate(update, gradient, weight, moment);
    }
    case OptimizerKind::kLion: {
      LionStep update;
      update.learning_rate = rate;
      update.beta1 = beta1;
      update.beta2 = beta2;
      update.weight_decay = decay;
      update.gradient_scale = scale;
      return LionUpdate(update, gradient, weight, moment);
    }
    case OptimizerKind::kMuon: {
      MuonStep update;
      update.learning_rate = rate;
      update.momentum = momentum;
      update.weight_decay = decay;
      update.gradient_scale = scale;
      const size_t rows = entry.spec.rows, columns = entry.spec.cols;
      return MuonUpdate(update, ConstMatrix(gradient.data, rows, columns),
                        Matrix<float>(weight.data, rows, columns),
                        Matrix<float>(moment.data, rows, columns), scratch);
    }
  }
}

void Optimizer::Reset() {
  for (size_t slot = 0; slot < slots(); ++slot) {
    const Span<float> values = state(slot);
    std::fill(values.begin(), values.end(), 0.0f);
  }
}

}  // namespace heed
