// SPDX-License-Identifier: MIT
#include "model/checkpoint_reader.h"

#include <cstring>

#include "io/utf8.h"
#include "model/checkpoint_values.h"

namespace heed {
namespace {

// A spec's shape: rank 1 is (cols), rank 2 is (rows, cols).
struct Extents {
  explicit Extents(const TensorSpec& spec) : rank(spec.rank), values{spec.rows, spec.cols} {}
  Span<const uint64_t> span() const { return {values + (2 - rank), rank}; }
  uint32_t rank;
  uint64_t values[2];
};

Status WrongShape(const char* name, const TensorSpec& spec, const SafetensorsTensor& tensor) {
  return Status::Error(StatusCode::kBadData, "checkpoint: tensor %s: expected shape %s, found %s",
                       name, ShapeText(Extents(spec).span()).c_str(), tensor.Shape().c_str());
}

}  // namespace

Status CheckpointReader::Open(const SafetensorsFile* file) {
  file_ = file;
  ArenaPlan plan;
  const uint64_t tensors_at = plan.Add<uint8_t>(file->tensor_count());
  const uint64_t metadata_at = plan.Add<uint8_t>(file->metadata_count());
  HEED_RETURN_IF_ERROR(arena_.Allocate(plan.bytes(), "the check list of a checkpoint"));
  taken_tensors_ = arena_.Slice<uint8_t>(tensors_at, file->tensor_count());
  taken_metadata_ = arena_.Slice<uint8_t>(metadata_at, file->metadata_count());

  char format[kMaxFieldText];
  size_t length = 0;
  HEED_RETURN_IF_ERROR(ReadText("heed.format", format, &length));
  if (std::string_view(format, length) != kCheckpointFormat) {
    return Status::Error(StatusCode::kBadData,
                         "checkpoint: metadata heed.format: expected \"%s\", found \"%s\"; a newer "
                         "version of Heed may read it",
                         kCheckpointFormat, PrintableName({format, length}).c_str());
  }
  return ReadField(kHeedPrefix, "kind", &kind_);
}

bool CheckpointReader::Has(const char* prefix, const char* name) const {
  size_t index = 0;
  return file_->FindMetadata(CheckpointName(prefix, name).c_str(), &index);
}

Status CheckpointReader::ReadText(const char* key, char (&text)[kMaxFieldText], size_t* length) {
  size_t index = 0;
  if (!file_->FindMetadata(key, &index)) {
    return Status::Error(StatusCode::kBadData,
                         "checkpoint: expected the metadata entry %s, found none; a safetensors "
                         "file of another program has to be imported, not loaded",
                         key);
  }
  taken_metadata_[index] = 1;
  const JsonString value = file_->Metadata(index).value;
  *length = value.size();
  if (*length > kMaxFieldText) {
    return WrongField(key, "a short value", value.raw());
  }
  value.CopyTo(Span<char>(text, *length));
  return Status();
}

Status CheckpointReader::ReadFingerprint(const char* prefix, const char* name, uint64_t* value) {
  const CheckpointName key(prefix, name);
  char text[kMaxFieldText];
  size_t length = 0;
  HEED_RETURN_IF_ERROR(ReadText(key.c_str(), text, &length));
  uint64_t result = 0;
  for (size_t at = 0; at < 16; at += 4) {
    const int32_t unit = length == 16 ? ParseHexUnit(text + at) : -1;
    if (unit < 0) return WrongField(key.c_str(), "16 hexadecimal digits", {text, length});
    result = result << 16 | static_cast<uint64_t>(unit);
  }
  *value = result;
  return Status();
}

Status CheckpointReader::CheckTensor(const char* prefix, const TensorSpec& spec) {
  char canonical[kMaxTensorName];
  TensorName(spec, canonical);
  const CheckpointName name(prefix, canonical);
  size_t index = 0;
  if (!file_->FindTensor(name.c_str(), &index)) {
    return Status::Error(StatusCode::kBadData,
                         "checkpoint: expected a tensor %s of shape %s, found none of that name",
                         name.c_str(), ShapeText(Extents(spec).span()).c_str());
  }
  taken_tensors_[index] = 1;
  const SafetensorsTensor tensor = file_->Tensor(index);
  if (!tensor.HasShape(Extents(spec).span())) return WrongShape(name.c_str(), spec, tensor);
  if (!IsFloatDType(tensor.dtype())) {
    return Status::Error(StatusCode::kBadData,
                         "checkpoint: tensor %s: expected element type F32, F16 or BF16, found %s",
                         name.c_str(), DTypeName(tensor.dtype()));
  }
  return Status();
}

Status CheckpointReader::ReadTensor(const char* prefix, const TensorSpec& spec,
                                    Span<float> out) const {
  char canonical[kMaxTensorName];
  TensorName(spec, canonical);
  const CheckpointName name(prefix, canonical);
  size_t index = 0;
  const bool found = file_->FindTensor(name.c_str(), &index);
  HEED_DCHECK(found);
  (void)found;
  HEED_RETURN_IF_ERROR(file_->Tensor(index).ReadFloats(out));
  const size_t bad = FirstNonFinite(out);
  if (bad < out.size) {
    return Status::Error(StatusCode::kBadData,
                         "checkpoint: tensor %s, element %llu: expected a finite value, found %g",
                         name.c_str(), static_cast<unsigned long long>(bad),
                         static_cast<double>(out[bad]));
  }
  return Status();
}

Status CheckpointReader::TakeTiedHead(const TensorSpec& embed) {
  size_t head_index = 0, embed_index = 0;
  if (!file_->FindTensor("head.weight", &head_index)) return Status();
  if (!file_->FindTensor("embed.weight", &embed_index)) return Status();
  taken_tensors_[head_index] = 1;
  const SafetensorsTensor head = file_->Tensor(head_index), weight = file_->Tensor(embed_index);
  if (!head.HasShape(Extents(embed).span())) return WrongShape("head.weight", embed, head);
  const bool same = head.dtype() == weight.dtype() &&
                    std::memcmp(head.data().data, weight.data().data, weight.data().size) == 0;
  if (!same) {
    return Status::Error(
        StatusCode::kBadData,
        "checkpoint: the model is tied, but head.weight differs from embed.weight; "
        "leave head.weight out, or set heed.model.tied to false to keep both");
  }
  return Status();
}

void CheckpointReader::SkipRun() {
  for (size_t i = 0; i < taken_tensors_.size; ++i) {
    taken_tensors_[i] |= file_->Tensor(i).name().StartsWith(kOptimizerPrefix);
  }
  for (size_t i = 0; i < taken_metadata_.size; ++i) {
    const JsonString key = file_->Metadata(i).key;
    taken_metadata_[i] |= key.StartsWith(kTrainPrefix) || key.StartsWith(kRunPrefix);
  }
}

Status CheckpointReader::CheckNothingLeft() const {
  for (size_t i = 0; i < taken_tensors_.size; ++i) {
    if (taken_tensors_[i] == 0) {
      return Status::Error(StatusCode::kBadData,
                           "checkpoint: found a tensor %s, which the model described by the "
                           "metadata does not have",
                           PrintableName(file_->Tensor(i).name().raw()).c_str());
    }
  }
  for (size_t i = 0; i < taken_metadata_.size; ++i) {
    const JsonString key = file_->Metadata(i).key;
    if (taken_metadata_[i] == 0 && key.StartsWith(kHeedPrefix)) {
      return Status::Error(
          StatusCode::kBadData,
          "checkpoint: found the unknown metadata entry %s; a newer version of Heed "
          "may know it",
          PrintableName(key.raw()).c_str());
    }
  }
  return Status();
}

}  // namespace heed
