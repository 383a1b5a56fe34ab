// SPDX-License-Identifier: MIT
// Writer of safetensors files, in two phases: plan (checks everything and knows the size), then
// write into the caller's buffer of that size, which cannot fail.
#ifndef HEED_IO_SAFETENSORS_WRITER_H_
#define HEED_IO_SAFETENSORS_WRITER_H_

#include <cstdint>
#include <string_view>

#include "base/arena.h"
#include "base/span.h"
#include "base/status.h"
#include "io/dtype.h"

namespace heed {

// One tensor to write: `values` row-major, as many as the product of `shape` (1 for an empty
// shape).
struct TensorToWrite {
  std::string_view name;
  Span<const uint64_t> shape;
  Span<const float> values;
  DType dtype = DType::kF32;  // F32, F16 or BF16
};

struct MetadataToWrite {
  std::string_view key;
  std::string_view value;
};

// The bytes depend on the content alone, whatever order it came in, and are those the reference
// implementation (safetensors 0.8) can write: tensors by type, then by name, data at a multiple of
// 8 bytes; metadata, whose order there is random, sorted by key. format = "pt", without which some
// readers refuse a file, is always among the metadata.
class SafetensorsWriter {
 public:
  // The spans, and all they point to, must live until Write. kInvalidArgument names the tensor or
  // the key: a name or key that is used twice, is not UTF-8, or is reserved (a tensor
  // `__metadata__`, a `format` other than "pt"), a shape that does not fit its values, a dtype
  // without float values, a header above kMaxSafetensorsHeader.
  static Result<SafetensorsWriter> Plan(Span<const TensorToWrite> tensors,
                                        Span<const MetadataToWrite> metadata);

  // Size of the file.
  uint64_t bytes() const { return 8 + header_bytes_ + data_bytes_; }
  // out.size == bytes().
  void Write(Span<uint8_t> out) const;

 private:
  Status CheckTensor(const TensorToWrite& tensor);
  Status Sort();
  // Writes the JSON at `out`, or only counts when it is null; the number of bytes. One routine for
  // both, so that the plan and the file cannot disagree.
  uint64_t EmitHeader(uint8_t* out) const;

  Span<const TensorToWrite> tensors_;
  Span<const MetadataToWrite> metadata_;
  Arena arena_;
  Span<uint32_t> tensor_order_;
  Span<uint32_t> metadata_order_;
  uint64_t header_bytes_ = 0;  // padding included
  uint64_t data_bytes_ = 0;
};

}  // namespace heed

#endif  // HEED_IO_SAFETENSORS_WRITER_H_
