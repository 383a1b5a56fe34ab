// SPDX-License-Identifier: MIT
#ifndef HEED_MODEL_CHECKPOINT_READER_H_
#define HEED_MODEL_CHECKPOINT_READER_H_

#include <cstddef>
#include <cstdint>

#include "base/arena.h"
#include "base/span.h"
#include "base/status.h"
#include "io/safetensors_reader.h"
#include "model/checkpoint_fields.h"
#include "model/checkpoint_format.h"
#include "model/tensors.h"

namespace heed {

// Takes the parts of a checkpoint one by one and remembers which were taken, so that at the end
// nothing is left that nobody asked for. Every error is kBadData (or kOutOfMemory) and names the
// key or tensor.
class CheckpointReader {
 public:
  // The file must outlive the reader. Checks heed.format and reads heed.kind.
  Status Open(const SafetensorsFile* file);
  CheckpointKind kind() const { return kind_; }

  // Whether there is such an entry; takes nothing.
  bool Has(const char* prefix, const char* name) const;
  template <typename Field>
  Status ReadField(const char* prefix, const char* name, Field* value) {
    const CheckpointName key(prefix, name);
    char text[kMaxFieldText];
    size_t length = 0;
    HEED_RETURN_IF_ERROR(ReadText(key.c_str(), text, &length));
    return ParseField(key.c_str(), {text, length}, value);
  }
  // 16 hexadecimal digits, as CheckpointWriter::AddFingerprint writes them.
  Status ReadFingerprint(const char* prefix, const char* name, uint64_t* value);

  // The tensor is there, has the spec's shape and float values.
  Status CheckTensor(const char* prefix, const TensorSpec& spec);
  // After CheckTensor. Copies the values out; refuses one that is not finite.
  Status ReadTensor(const char* prefix, const TensorSpec& spec, Span<float> out) const;
  // For a tied model: a tensor head.weight may be there if it equals embed.weight.
  Status TakeTiedHead(const TensorSpec& embed);
  // Leaves aside what only a run has: optimizer.*, heed.train.* and heed.run.*.
  void SkipRun();

  // Everything in the file was taken, but for metadata without the prefix "heed.".
  Status CheckNothingLeft() const;

 private:
  Status ReadText(const char* key, char (&text)[kMaxFieldText], size_t* length);

  const SafetensorsFile* file_ = nullptr;
  CheckpointKind kind_ = CheckpointKind::kModel;
  Arena arena_;
  Span<uint8_t> taken_tensors_;  // one flag for each of the file's
  Span<uint8_t> taken_metadata_;
};

}  // namespace heed

#endif  // HEED_MODEL_CHECKPOINT_READER_H_
