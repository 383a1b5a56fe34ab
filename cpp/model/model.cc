// SPDX-License-Identifier: MIT
#include "model/model.h"

#include <algorithm>
#include <cmath>
#include <new>

#include "base/hash.h"
#include "base/normal.h"

namespace heed {

Result<std::unique_ptr<Model>> Model::Create(const ModelConfig& config) {
  HEED_RETURN_IF_ERROR(CheckConfig(config));
  std::unique_ptr<Model> model(new (std::nothrow) Model());
  if (model == nullptr) {
    return Status::Error(StatusCode::kOutOfMemory, "the model: no memory left; dispose something");
  }
  model->config_ = config;
  HEED_RETURN_IF_ERROR(model->table_.Build(config));
  const uint64_t floats = model->table_.floats();
  HEED_RETURN_IF_ERROR(
      model->arena_.Allocate(CheckedMul(floats, sizeof(float)), "the model's weights"));
  model->parameters_ = model->arena_.Slice<float>(0, floats);
  return model;
}

double Model::InitialDeviation(const TensorSpec& spec) const {
  const double residual =
      spec.init == TensorInit::kResidual ? 1.0 / std::sqrt(2.0 * std::max(config_.layers, 1u)) : 1.0;
  if (config_.init == InitKind::kGpt2) return 0.02 * residual;
  // Rows of look-up tables near length 1; projections keep the length of what they read.
  const double fan_in = spec.use == TensorUse::kLookUp ? config_.width : spec.rows;
  return residual / std::sqrt(fan_in);
}

void Model::Initialize(uint64_t seed) {
  std::fill(parameters_.begin(), parameters_.end(), 0.0f);
  for (const TensorTable::Entry& entry : table_.entries()) {
    const Span<float> values = parameters_.Slice(entry.offset, entry.spec.size());
    switch (entry.spec.init) {
      case TensorInit::kNormal:
      case TensorInit::kResidual:
        FillNormal(seed, entry.spec.draw, static_cast<float>(InitialDeviation(entry.spec)), values);
        break;
      case TensorInit::kZero:
        break;
      case TensorInit::kOne:
        std::fill(values.begin(), values.end(), 1.0f);
        break;
    }
  }
}

uint64_t Model::WeightsHash() const {
  uint64_t hash = kHashSeed;
  for (const TensorTable::Entry& entry : table_.entries()) {
    hash = HashBytes(parameters_.data + entry.offset,
                     static_cast<size_t>(entry.spec.size() * sizeof(float)), hash);
  }
  return hash;
}

Status Model::CheckTokens(Span<const int32_t> tokens) const {
  if (tokens.size < 1 || tokens.size > config_.context) {
    return Status::Error(StatusCode::kBadData,
                         "the sequence has %zu tokens; it must have 1 to %u (the model's context)",
                         tokens.size, config_.context);
  }
  return CheckVocabulary(tokens);
}

Status Model::CheckVocabulary(Span<const int32_t> tokens) const {
  for (size_t i = 0; i < tokens.size; ++i) {
    if (tokens[i] < 0 || tokens[i] >= static_cast<int32_t>(config_.vocab)) {
      return Status::Error(StatusCode::kBadData,
                           "token %d at position %zu is outside the vocabulary (0 to %u); encode "
                           "the text with the model's own tokenizer",
                           tokens[i], i, config_.vocab - 1);
    }
  }
  return Status();
}

}  // namespace heed
