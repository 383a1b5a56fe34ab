// SPDX-License-Identifier: MIT
#ifndef HEED_MODEL_CHECKPOINT_WRITER_H_
#define HEED_MODEL_CHECKPOINT_WRITER_H_

#include <cstddef>
#include <cstdint>

#include "base/arena.h"
#include "base/span.h"
#include "base/status.h"
#include "io/safetensors_writer.h"
#include "model/checkpoint_fields.h"
#include "model/checkpoint_format.h"
#include "model/tensors.h"

namespace heed {

// Collects what a checkpoint holds, then writes it. Tensors and the caller's metadata are views and
// must live until Write; names and Heed's own metadata are kept here.
class CheckpointWriter {
 public:
  // Room for that many tensors and entries of Heed's own beside the caller's `metadata`.
  // kInvalidArgument for a key of the caller that starts with "heed.".
  Status Init(size_t tensors, size_t own_metadata, Span<const MetadataToWrite> metadata);

  template <typename Field>
  void AddMetadata(const char* prefix, const char* name, const Field& value) {
    OwnMetadata* slot = NextMetadata(prefix, name);
    FormatField(value, slot->value);
    metadata_[metadata_count_++] = {slot->key.c_str(), slot->value};
  }
  void AddText(const char* prefix, const char* name, const char* text);
  // As 16 hexadecimal digits.
  void AddFingerprint(const char* prefix, const char* name, uint64_t value);

  // kNonFinite names the tensor and the first element that is NaN or infinite: such a file would be
  // refused when it is read.
  Status AddTensor(const char* prefix, const TensorSpec& spec, Span<const float> values);

  // After the last addition.
  Status Plan();
  uint64_t bytes() const { return writer_.bytes(); }
  // out.size == bytes().
  void Write(Span<uint8_t> out) const { writer_.Write(out); }

 private:
  struct OwnMetadata {
    CheckpointName key;
    char value[kMaxFieldText];
  };
  struct OwnTensor {
    CheckpointName name;
    uint64_t shape[2];
  };
  OwnMetadata* NextMetadata(const char* prefix, const char* name);

  Arena arena_;
  Span<OwnTensor> own_tensors_;
  Span<OwnMetadata> own_metadata_;
  Span<TensorToWrite> tensors_;
  Span<MetadataToWrite> metadata_;  // the caller's, then ours
  size_t tensor_count_ = 0;
  size_t own_count_ = 0;
  size_t metadata_count_ = 0;
  SafetensorsWriter writer_;
};

}  // namespace heed

#endif  // HEED_MODEL_CHECKPOINT_WRITER_H_
