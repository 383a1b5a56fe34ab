// SPDX-License-Identifier: MIT
#include "model/checkpoint_writer.h"

#include <cstdio>
#include <new>
#include <utility>

#include "io/json_string.h"
#include "io/utf8.h"
#include "model/checkpoint_values.h"

namespace heed {

Status CheckpointWriter::Init(size_t tensors, size_t own_metadata,
                              Span<const MetadataToWrite> metadata) {
  for (const MetadataToWrite& entry : metadata) {
    if (JsonString(entry.key).StartsWith(kHeedPrefix)) {
      return Status::Error(StatusCode::kInvalidArgument,
                           "metadata key %s: keys that start with heed. describe the model itself; "
                           "use another key",
                           PrintableName(entry.key).c_str());
    }
  }
  const uint64_t entries = CheckedAdd(metadata.size, own_metadata);
  ArenaPlan plan;
  const uint64_t own_tensors_at = plan.Add<OwnTensor>(tensors);
  const uint64_t own_metadata_at = plan.Add<OwnMetadata>(own_metadata);
  const uint64_t tensors_at = plan.Add<TensorToWrite>(tensors);
  const uint64_t metadata_at = plan.Add<MetadataToWrite>(entries);
  HEED_RETURN_IF_ERROR(arena_.Allocate(plan.bytes(), "the description of a checkpoint"));
  own_tensors_ = arena_.Slice<OwnTensor>(own_tensors_at, tensors);
  own_metadata_ = arena_.Slice<OwnMetadata>(own_metadata_at, own_metadata);
  tensors_ = arena_.Slice<TensorToWrite>(tensors_at, tensors);
  metadata_ = arena_.Slice<MetadataToWrite>(metadata_at, entries);
  tensor_count_ = own_count_ = metadata_count_ = 0;
  for (const MetadataToWrite& entry : metadata) metadata_[metadata_count_++] = entry;
  return Status();
}

CheckpointWriter::OwnMetadata* CheckpointWriter::NextMetadata(const char* prefix,
                                                              const char* name) {
  return new (&own_metadata_[own_count_++]) OwnMetadata{CheckpointName(prefix, name), {}};
}

void CheckpointWriter::AddText(const char* prefix, const char* name, const char* text) {
  OwnMetadata* slot = NextMetadata(prefix, name);
  std::snprintf(slot->value, sizeof(slot->value), "%s", text);
  metadata_[metadata_count_++] = {slot->key.c_str(), slot->value};
}

void CheckpointWriter::AddFingerprint(const char* prefix, const char* name, uint64_t value) {
  char digits[kMaxFieldText];
  std::snprintf(digits, sizeof(digits), "%016llx", static_cast<unsigned long long>(value));
  AddText(prefix, name, digits);
}

Status CheckpointWriter::AddTensor(const char* prefix, const TensorSpec& spec,
                                   Span<const float> values) {
  char canonical[kMaxTensorName];
  TensorName(spec, canonical);
  const CheckpointName name(prefix, canonical);
  const size_t bad = FirstNonFinite(values);
  if (bad < values.size) {
    return Status::Error(StatusCode::kNonFinite,
                         "tensor %s, element %llu is %g; a checkpoint holds finite values only: "
                         "reset the run, or load an earlier checkpoint",
                         name.c_str(), static_cast<unsigned long long>(bad),
                         static_cast<double>(values[bad]));
  }
  const size_t index = tensor_count_++;
  OwnTensor* slot = new (&own_tensors_[index]) OwnTensor{name, {spec.rows, spec.cols}};
  const Span<const uint64_t> shape(slot->shape + (2 - spec.rank), spec.rank);
  tensors_[index] = {slot->name.c_str(), shape, values, DType::kF32};
  return Status();
}

Status CheckpointWriter::Plan() {
  HEED_DCHECK(tensor_count_ == tensors_.size && metadata_count_ == metadata_.size);
  Result<SafetensorsWriter> planned = SafetensorsWriter::Plan(
      Span<const TensorToWrite>(tensors_), Span<const MetadataToWrite>(metadata_));
  if (!planned.ok()) return planned.status();
  writer_ = std::move(*planned);
  return Status();
}

}  // namespace heed
