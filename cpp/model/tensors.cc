// SPDX-License-Identifier: MIT
#include "model/tensors.h"

#include <cstdio>
#include <cstring>

namespace heed {
namespace {

// Floats a tensor occupies in an arena: whole cache lines.
uint64_t PaddedFloats(const TensorSpec& spec) {
  constexpr uint64_t kLine = kAlignment / sizeof(float);
  const uint64_t size = CheckedAdd(spec.size(), kLine - 1);
  return size == UINT64_MAX ? UINT64_MAX : size / kLine * kLine;
}

constexpr const char* kRoleNames[] = {
    "embed.weight",         "positions.weight",      "norm1.weight",
    "norm1.bias",           "attention.query.weight", "attention.query.bias",
    "attention.key.weight", "attention.key.bias",
    "attention.queryNorm.weight", "attention.keyNorm.weight", "attention.value.weight",
    "attention.value.bias", "attention.output.weight", "attention.output.bias",
    "norm2.weight",         "norm2.bias",            "ffn.in.weight",
    "ffn.in.bias",          "ffn.gate.weight",       "ffn.gate.bias",
    "ffn.out.weight",       "ffn.out.bias",          "norm.weight",
    "norm.bias",            "head.weight",
};
static_assert(sizeof(kRoleNames) / sizeof(kRoleNames[0]) ==
              static_cast<size_t>(TensorRole::kCount));

}  // namespace

void TensorName(const TensorSpec& spec, char (&name)[kMaxTensorName]) {
  const char* role = kRoleNames[static_cast<size_t>(spec.role)];
  if (spec.layer < 0) {
    std::snprintf(name, sizeof(name), "%s", role);
  } else {
    std::snprintf(name, sizeof(name), "layers.%d.%s", spec.layer, role);
  }
}

TensorSizes MeasureTensors(const ModelConfig& config) {
  TensorSizes sizes;
  ForEachTensor(config, [&](const TensorSpec& spec) {
    sizes.floats = CheckedAdd(sizes.floats, PaddedFloats(spec));
    sizes.parameter_count = CheckedAdd(sizes.parameter_count, spec.size());
  });
  return sizes;
}

Status TensorTable::Build(const ModelConfig& config) {
  uint64_t count = 0;
  ForEachTensor(config, [&](const TensorSpec&) { ++count; });
  HEED_RETURN_IF_ERROR(
      arena_.Allocate(CheckedMul(count, sizeof(Entry)), "the table of the model's tensors"));
  entries_ = arena_.Slice<Entry>(0, count);
  for (uint32_t& position : position_) position = kAbsent;
  first_layer_ = per_layer_ = 0;
  floats_ = parameter_count_ = 0;

  size_t index = 0;
  ForEachTensor(config, [&](const TensorSpec& spec) {
    uint32_t& position = position_[static_cast<size_t>(spec.role)];
    if (spec.layer < 0) {
      position = static_cast<uint32_t>(index);
    } else if (spec.layer == 0) {
      if (per_layer_ == 0) first_layer_ = index;
      position = static_cast<uint32_t>(per_layer_++);
    }
    entries_[index++] = {spec, floats_};
    floats_ = CheckedAdd(floats_, PaddedFloats(spec));
    parameter_count_ = CheckedAdd(parameter_count_, spec.size());
  });
  return Status();
}

const TensorTable::Entry* TensorTable::Find(TensorRole role, int32_t layer) const {
  const uint32_t position = position_[static_cast<size_t>(role)];
  if (position == kAbsent) return nullptr;
  const size_t index =
      layer < 0 ? position : first_layer_ + static_cast<size_t>(layer) * per_layer_ + position;
  if (index >= entries_.size || entries_[index].spec.role != role) return nullptr;
  return &entries_[index];
}

const TensorTable::Entry* TensorTable::FindByName(const char* name, size_t length) const {
  for (const Entry& entry : entries_) {
    char candidate[kMaxTensorName];
    TensorName(entry.spec, candidate);
    if (std::strlen(candidate) == length && std::memcmp(candidate, name, length) == 0) {
      return &entry;
    }
  }
  return nullptr;
}

}  // namespace heed
