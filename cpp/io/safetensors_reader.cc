// SPDX-License-Identifier: MIT
#include "io/safetensors_reader.h"

#include <cstdio>
#include <cstring>
#include <utility>

#include "io/bytes.h"
#include "io/heap_sort.h"
#include "io/json_scanner.h"
#include "io/utf8.h"

namespace heed {
namespace {

using Number = unsigned long long;  // what %llu takes

constexpr size_t kLengthBytes = 8;

// The number of items, sorted by `compare(item)` rising, that compare below zero.
template <typename Compare>
size_t LowerBound(size_t count, Compare compare) {
  size_t low = 0, high = count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (compare(middle) < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// The extents that follow a shape's bracket in a header that was accepted.
class ShapeReader {
 public:
  explicit ShapeReader(std::string_view text) : scanner_(text) {}
  uint64_t Next() {
    if (scanner_.Next() == JsonToken::kComma) scanner_.Next();
    uint64_t extent = 0;
    ParseUnsigned(scanner_.token_text(), &extent);
    return extent;
  }

 private:
  JsonScanner scanner_;
};

}  // namespace

ShapeText::ShapeText(Span<const uint64_t> extents) {
  for (size_t axis = 0; axis < extents.size; ++axis) {
    Append(axis == 0 ? "%llu" : ", %llu", extents[axis]);
  }
  Append("]", 0);
}

void ShapeText::Append(const char* format, uint64_t value) {
  // Comma, space, 20 digits and the zero; and after that still room for the dots.
  constexpr size_t kLongest = 23;
  constexpr char kDots[] = "...]";
  if (size_ + kLongest + sizeof(kDots) <= sizeof(text_)) {
    size_ += static_cast<size_t>(
        std::snprintf(text_ + size_, kLongest, format, static_cast<Number>(value)));
  } else if (size_ < sizeof(text_)) {
    std::memcpy(text_ + size_, kDots, sizeof(kDots));
    size_ = sizeof(text_);  // nothing follows the dots
  }
}

bool SafetensorsTensor::HasShape(Span<const uint64_t> extents) const {
  if (extents.size != rank_) return false;
  ShapeReader reader(shape_);
  for (const uint64_t extent : extents) {
    if (reader.Next() != extent) return false;
  }
  return true;
}

ShapeText SafetensorsTensor::Shape() const {
  ShapeText text;
  ShapeReader reader(shape_);
  for (size_t axis = 0; axis < rank_; ++axis) {
    text.Append(axis == 0 ? "%llu" : ", %llu", reader.Next());
  }
  text.Append("]", 0);
  return text;
}

Status SafetensorsTensor::ReadFloats(Span<float> out) const {
  if (elements() != out.size) {
    return Status::Error(StatusCode::kBadData, "tensor %s: expected %llu elements, found %llu",
                         PrintableName(name_.raw()).c_str(), static_cast<Number>(out.size),
                         static_cast<Number>(elements()));
  }
  if (!IsFloatDType(dtype_)) {
    return Status::Error(StatusCode::kBadData,
                         "tensor %s: expected element type F32, F16 or BF16, found %s; convert it "
                         "before loading",
                         PrintableName(name_.raw()).c_str(), DTypeName(dtype_));
  }
  DecodeFloats(dtype_, data_, out);
  return Status();
}

JsonString SafetensorsFile::StringAt(size_t at) const {
  JsonScanner scanner(header_, at);
  scanner.Next();
  return scanner.string();
}

SafetensorsTensor SafetensorsFile::Tensor(size_t index) const {
  const TensorRecord& record = tensors_[index];
  SafetensorsTensor tensor;
  tensor.name_ = StringAt(record.name_at);
  tensor.shape_ = header_.substr(record.shape_at);
  tensor.rank_ = record.rank;
  tensor.dtype_ = record.dtype;
  tensor.data_ = data_.Slice(static_cast<size_t>(record.begin),
                             static_cast<size_t>(record.end - record.begin));
  return tensor;
}

bool SafetensorsFile::FindTensor(std::string_view name, size_t* index) const {
  const auto compare = [&](size_t i) { return TensorName(by_name_[i]).Compare(name); };
  const size_t found = LowerBound(by_name_.size, compare);
  if (found == by_name_.size || compare(found) != 0) return false;
  *index = by_name_[found];
  return true;
}

SafetensorsMetadata SafetensorsFile::Metadata(size_t index) const {
  JsonScanner scanner(header_, metadata_[index]);
  scanner.Next();
  const JsonString key = scanner.string();
  scanner.Next();  // ':'
  scanner.Next();
  return {key, scanner.string()};
}

bool SafetensorsFile::FindMetadata(std::string_view key, size_t* index) const {
  const auto compare = [&](size_t i) { return StringAt(metadata_[i]).Compare(key); };
  const size_t found = LowerBound(metadata_.size, compare);
  if (found == metadata_.size || compare(found) != 0) return false;
  *index = found;
  return true;
}

Status SafetensorsFile::BuildIndex(const HeaderCounts& counts) {
  ArenaPlan plan;
  const uint64_t tensors_at = plan.Add<TensorRecord>(counts.tensors);
  const uint64_t by_name_at = plan.Add<uint32_t>(counts.tensors);
  const uint64_t metadata_at = plan.Add<uint32_t>(counts.metadata);
  HEED_RETURN_IF_ERROR(arena_.Allocate(plan.bytes(), "index of a safetensors header"));
  tensors_ = arena_.Slice<TensorRecord>(tensors_at, counts.tensors);
  by_name_ = arena_.Slice<uint32_t>(by_name_at, counts.tensors);
  metadata_ = arena_.Slice<uint32_t>(metadata_at, counts.metadata);
  HeaderCounts filled;
  const Status again =
      ScanSafetensorsHeader(header_, data_.size, tensors_.data, metadata_.data, &filled);
  HEED_DCHECK(again.ok() && filled.tensors == counts.tensors && filled.metadata == counts.metadata);
  HeapSort(tensors_, [](const TensorRecord& a, const TensorRecord& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  for (size_t i = 0; i < by_name_.size; ++i) by_name_[i] = static_cast<uint32_t>(i);
  HeapSort(by_name_,
           [this](uint32_t a, uint32_t b) { return TensorName(a).Compare(TensorName(b)) < 0; });
  HeapSort(metadata_,
           [this](uint32_t a, uint32_t b) { return StringAt(a).Compare(StringAt(b)) < 0; });
  return Status();
}

Status SafetensorsFile::CheckUniqueNames() {
  for (size_t i = 1; i < by_name_.size; ++i) {
    const JsonString name = TensorName(by_name_[i]);
    if (name == TensorName(by_name_[i - 1])) {
      return Status::Error(StatusCode::kBadData,
                           "safetensors header: the tensor name %s stands twice; expected once",
                           PrintableName(name.raw()).c_str());
    }
  }
  return Status();
}

Status SafetensorsFile::CheckUniqueMetadata() {
  for (size_t i = 1; i < metadata_.size; ++i) {
    const JsonString key = StringAt(metadata_[i]);
    if (key == StringAt(metadata_[i - 1])) {
      return Status::Error(StatusCode::kBadData,
                           "safetensors header: the key %s stands twice in __metadata__; expected "
                           "once",
                           PrintableName(key.raw()).c_str());
    }
  }
  return Status();
}

Status SafetensorsFile::CheckCover() const {
  uint64_t covered = 0;
  for (size_t i = 0; i < tensors_.size; ++i) {
    const TensorRecord& record = tensors_[i];
    if (record.begin != covered) {
      return Status::Error(
          StatusCode::kBadData,
          "safetensors tensor %s: expected its data to start at byte %llu, where the tensor before "
          "it ends, found byte %llu (%s)",
          PrintableName(TensorName(i).raw()).c_str(), static_cast<Number>(covered),
          static_cast<Number>(record.begin), record.begin < covered ? "an overlap" : "a gap");
    }
    covered = record.end;
  }
  if (covered != data_.size) {
    return Status::Error(
        StatusCode::kBadData,
        "safetensors file: expected %llu bytes of data by its tensors, found %llu; "
        "the bytes at the end belong to no tensor",
        static_cast<Number>(covered), static_cast<Number>(data_.size));
  }
  return Status();
}

Result<SafetensorsFile> ParseSafetensors(Span<const uint8_t> bytes) {
  if (bytes.size < kLengthBytes) {
    return Status::Error(StatusCode::kBadData,
                         "safetensors file: expected at least 8 bytes (the header's length), found "
                         "%llu",
                         static_cast<Number>(bytes.size));
  }
  // Compared, never added to: a length near 2^64 must not wrap.
  const uint64_t length = LoadU64(bytes.data);
  if (length > kMaxSafetensorsHeader) {
    return Status::Error(StatusCode::kBadData,
                         "safetensors file: expected a header of at most %llu bytes (the limit), "
                         "found a length of %llu; is this a safetensors file?",
                         static_cast<Number>(kMaxSafetensorsHeader), static_cast<Number>(length));
  }
  if (length > bytes.size - kLengthBytes) {
    return Status::Error(
        StatusCode::kBadData,
        "safetensors file: expected a header of %llu bytes, found %llu bytes after "
        "its length; the file may be cut short",
        static_cast<Number>(length), static_cast<Number>(bytes.size - kLengthBytes));
  }
  const size_t header_bytes = static_cast<size_t>(length);
  SafetensorsFile file;
  file.header_ = {reinterpret_cast<const char*>(bytes.data + kLengthBytes), header_bytes};
  file.data_ = bytes.Slice(kLengthBytes + header_bytes, bytes.size - kLengthBytes - header_bytes);
  HeaderCounts counts;
  HEED_RETURN_IF_ERROR(
      ScanSafetensorsHeader(file.header_, file.data_.size, nullptr, nullptr, &counts));
  HEED_RETURN_IF_ERROR(file.BuildIndex(counts));
  HEED_RETURN_IF_ERROR(file.CheckUniqueNames());
  HEED_RETURN_IF_ERROR(file.CheckUniqueMetadata());
  HEED_RETURN_IF_ERROR(file.CheckCover());
  return file;
}

}  // namespace heed
