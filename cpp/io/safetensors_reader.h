// SPDX-License-Identifier: MIT
// Reader of safetensors files: u64 little-endian header length N, N bytes of JSON, then the data.
// Strict, because parsers that forgive differ in what they see: a file is taken only if every byte
// of its data belongs to exactly one tensor and every name is unique. Stricter than the reference
// implementation (safetensors 0.8) in four points: duplicate names and keys, unknown keys of an
// entry, a null __metadata__, and spaces before the header's brace are refused.
#ifndef HEED_IO_SAFETENSORS_READER_H_
#define HEED_IO_SAFETENSORS_READER_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/arena.h"
#include "base/span.h"
#include "base/status.h"
#include "io/dtype.h"
#include "io/json_string.h"
#include "io/safetensors_header.h"

namespace heed {

// Longest header read or written, in bytes: the reference implementation's limit. A header of a
// model with a thousand tensors has about 0.1 MB.
inline constexpr uint64_t kMaxSafetensorsHeader = 100'000'000;

// A shape as text, "[2, 3]", for messages; cut with "..." when long. `index` holds a whole number.
class ShapeText {
 public:
  explicit ShapeText(Span<const uint64_t> extents);
  const char* c_str() const { return text_; }

 private:
  friend class SafetensorsTensor;
  ShapeText() = default;
  void Append(const char* format, uint64_t value);
  char text_[72] = "[";
  size_t size_ = 1;
};

// One tensor of a parsed file; valid as long as the file's bytes.
class SafetensorsTensor {
 public:
  const JsonString& name() const { return name_; }
  DType dtype() const { return dtype_; }
  size_t rank() const { return rank_; }
  uint64_t elements() const { return data_.size * uint64_t{8} / DTypeBits(dtype_); }
  // Little-endian, row-major, at any address.
  Span<const uint8_t> data() const { return data_; }
  bool HasShape(Span<const uint64_t> extents) const;
  ShapeText Shape() const;
  // Copies the values out, converted to float. out.size must be elements(): kBadData names the
  // tensor otherwise, or when the dtype has no float values.
  Status ReadFloats(Span<float> out) const;

 private:
  friend class SafetensorsFile;
  JsonString name_;
  std::string_view shape_;  // the header from the shape's first extent on
  size_t rank_ = 0;
  DType dtype_ = DType::kF32;
  Span<const uint8_t> data_;
};

struct SafetensorsMetadata {
  JsonString key;
  JsonString value;
};

// An index over a file's bytes, which must outlive it. Owns no more memory than the header has
// bytes (and three roundings to a cache line).
class SafetensorsFile {
 public:
  size_t tensor_count() const { return tensors_.size; }
  // In the order of the data, index < tensor_count().
  SafetensorsTensor Tensor(size_t index) const;
  // False when there is none of that name.
  bool FindTensor(std::string_view name, size_t* index) const;

  size_t metadata_count() const { return metadata_.size; }
  // Sorted by key, index < metadata_count().
  SafetensorsMetadata Metadata(size_t index) const;
  bool FindMetadata(std::string_view key, size_t* index) const;

 private:
  friend Result<SafetensorsFile> ParseSafetensors(Span<const uint8_t> bytes);
  JsonString TensorName(size_t index) const { return StringAt(tensors_[index].name_at); }
  JsonString StringAt(size_t at) const;
  Status BuildIndex(const HeaderCounts& counts);
  Status CheckUniqueNames();
  Status CheckUniqueMetadata();
  Status CheckCover() const;

  std::string_view header_;
  Span<const uint8_t> data_;
  Arena arena_;
  Span<TensorRecord> tensors_;  // sorted by data_offsets
  Span<uint32_t> by_name_;      // indices into tensors_, sorted by name
  Span<uint32_t> metadata_;     // positions of keys in the header, sorted by key
};

// Reads a whole file held in memory; takes any bytes. kBadData says what is wrong with them,
// kOutOfMemory that the index could not be allocated. Before a file has passed every check that
// needs no index, nothing is allocated.
Result<SafetensorsFile> ParseSafetensors(Span<const uint8_t> bytes);

}  // namespace heed

#endif  // HEED_IO_SAFETENSORS_READER_H_
