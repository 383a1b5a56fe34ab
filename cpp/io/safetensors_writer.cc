// SPDX-License-Identifier: MIT
#include "io/safetensors_writer.h"

#include <charconv>
#include <cstring>

#include "io/bytes.h"
#include "io/heap_sort.h"
#include "io/safetensors_header.h"
#include "io/safetensors_reader.h"
#include "io/utf8.h"

namespace heed {
namespace {

using Number = unsigned long long;  // what %llu takes

constexpr uint64_t kLengthBytes = 8;
// The data section starts at a multiple of this, the widest element: readers that map a file can
// then use it in place.
constexpr uint64_t kDataAlignment = 8;

constexpr MetadataToWrite kFormat = {"format", "pt"};

// Appends text, or counts it when there is nowhere to write.
class Emitter {
 public:
  explicit Emitter(uint8_t* out) : out_(out) {}
  uint64_t size() const { return size_; }

  void Text(std::string_view text) {
    if (out_ != nullptr) std::memcpy(out_ + size_, text.data(), text.size());
    size_ += text.size();
  }

  void Integer(uint64_t value) {
    char digits[20];
    const auto end = std::to_chars(digits, digits + sizeof(digits), value).ptr;
    Text({digits, static_cast<size_t>(end - digits)});
  }

  // A JSON string of UTF-8 text. Only what must be escaped is, in the short form where there is
  // one.
  void String(std::string_view text) {
    static constexpr char kHex[] = "0123456789abcdef";
    static constexpr char kNamed[] = "\b\t\n\f\r\"\\";
    static constexpr char kNames[] = "btnfr\"\\";
    Text("\"");
    for (const char& c : text) {
      const uint8_t byte = static_cast<uint8_t>(c);
      const size_t named = std::string_view(kNamed).find(c);
      if (named != std::string_view::npos) {
        const char escape[] = {'\\', kNames[named]};
        Text({escape, sizeof(escape)});
      } else if (byte < 0x20) {
        const char escape[] = {'\\', 'u', '0', '0', kHex[byte >> 4], kHex[byte & 0xF]};
        Text({escape, sizeof(escape)});
      } else {
        Text({&c, 1});
      }
    }
    Text("\"");
  }

  void Member(const MetadataToWrite& entry, bool* first) {
    if (!*first) Text(",");
    *first = false;
    String(entry.key);
    Text(":");
    String(entry.value);
  }

 private:
  uint8_t* out_;
  uint64_t size_ = 0;
};

Status CheckText(const char* what, std::string_view text) {
  const size_t valid = ValidUtf8Prefix(AsBytes(text));
  if (valid == text.size()) return Status();
  return Status::Error(StatusCode::kInvalidArgument,
                       "%s %s: expected UTF-8 text, found an ill-formed byte at %llu", what,
                       PrintableName(text).c_str(), static_cast<Number>(valid));
}

Status CheckMetadata(const MetadataToWrite& entry) {
  HEED_RETURN_IF_ERROR(CheckText("metadata key", entry.key));
  HEED_RETURN_IF_ERROR(CheckText("metadata value", entry.value));
  if (entry.key == kFormat.key && entry.value != kFormat.value) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "metadata key format: expected \"pt\" (other tools rely on it), found "
                         "\"%s\"; use another key",
                         PrintableName(entry.value).c_str());
  }
  return Status();
}

Status Duplicate(const char* what, std::string_view name) {
  return Status::Error(StatusCode::kInvalidArgument, "%s %s is given twice; expected once", what,
                       PrintableName(name).c_str());
}

uint64_t TensorBytes(const TensorToWrite& tensor) {
  return uint64_t{tensor.values.size} * (DTypeBits(tensor.dtype) / 8);
}

}  // namespace

Status SafetensorsWriter::CheckTensor(const TensorToWrite& tensor) {
  HEED_RETURN_IF_ERROR(CheckText("tensor", tensor.name));
  const PrintableName name(tensor.name);
  if (tensor.name == kSafetensorsMetadataName) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "tensor __metadata__: the name is reserved by the format; use another");
  }
  if (!IsFloatDType(tensor.dtype)) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "tensor %s: expected element type F32, F16 or BF16, found %s",
                         name.c_str(), DTypeName(tensor.dtype));
  }
  uint64_t elements = 1;
  for (const uint64_t extent : tensor.shape) elements = CheckedMul(elements, extent);
  if (elements != tensor.values.size) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "tensor %s: shape %s does not fit its %llu values", name.c_str(),
                         ShapeText(tensor.shape).c_str(), static_cast<Number>(tensor.values.size));
  }
  data_bytes_ += TensorBytes(tensor);
  return Status();
}

Result<SafetensorsWriter> SafetensorsWriter::Plan(Span<const TensorToWrite> tensors,
                                                  Span<const MetadataToWrite> metadata) {
  SafetensorsWriter writer;
  writer.tensors_ = tensors;
  writer.metadata_ = metadata;
  for (const TensorToWrite& tensor : tensors) HEED_RETURN_IF_ERROR(writer.CheckTensor(tensor));
  for (const MetadataToWrite& entry : metadata) HEED_RETURN_IF_ERROR(CheckMetadata(entry));
  HEED_RETURN_IF_ERROR(writer.Sort());
  const uint64_t used = kLengthBytes + writer.EmitHeader(nullptr);
  writer.header_bytes_ =
      (used + kDataAlignment - 1) / kDataAlignment * kDataAlignment - kLengthBytes;
  if (writer.header_bytes_ > kMaxSafetensorsHeader) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "safetensors file: expected a header of at most %llu bytes (the limit), "
                         "found %llu; shorten names or metadata",
                         static_cast<Number>(kMaxSafetensorsHeader),
                         static_cast<Number>(writer.header_bytes_));
  }
  return writer;
}

Status SafetensorsWriter::Sort() {
  ArenaPlan plan;
  const uint64_t tensors_at = plan.Add<uint32_t>(tensors_.size);
  const uint64_t metadata_at = plan.Add<uint32_t>(metadata_.size);
  HEED_RETURN_IF_ERROR(arena_.Allocate(plan.bytes(), "order of the tensors of a safetensors file"));
  tensor_order_ = arena_.Slice<uint32_t>(tensors_at, tensors_.size);
  metadata_order_ = arena_.Slice<uint32_t>(metadata_at, metadata_.size);
  for (size_t i = 0; i < tensors_.size; ++i) tensor_order_[i] = static_cast<uint32_t>(i);
  for (size_t i = 0; i < metadata_.size; ++i) metadata_order_[i] = static_cast<uint32_t>(i);

  // By name first: equal names stand side by side, whatever their types.
  const auto by_name = [this](uint32_t a, uint32_t b) {
    return tensors_[a].name < tensors_[b].name;
  };
  HeapSort(tensor_order_, by_name);
  for (size_t i = 1; i < tensor_order_.size; ++i) {
    const std::string_view name = tensors_[tensor_order_[i]].name;
    if (name == tensors_[tensor_order_[i - 1]].name) return Duplicate("tensor", name);
  }
  const auto in_file = [&](uint32_t a, uint32_t b) {
    const DType type_a = tensors_[a].dtype, type_b = tensors_[b].dtype;
    return type_a != type_b ? type_a > type_b : by_name(a, b);
  };
  HeapSort(tensor_order_, in_file);

  const auto by_key = [this](uint32_t a, uint32_t b) {
    return metadata_[a].key < metadata_[b].key;
  };
  HeapSort(metadata_order_, by_key);
  for (size_t i = 1; i < metadata_order_.size; ++i) {
    const std::string_view key = metadata_[metadata_order_[i]].key;
    if (key == metadata_[metadata_order_[i - 1]].key) return Duplicate("metadata key", key);
  }
  return Status();
}

uint64_t SafetensorsWriter::EmitHeader(uint8_t* out) const {
  Emitter emit(out);
  emit.Text("{");
  emit.String(kSafetensorsMetadataName);
  emit.Text(":{");
  bool first = true, format_written = false;
  for (const uint32_t index : metadata_order_) {
    const MetadataToWrite& entry = metadata_[index];
    if (!format_written && entry.key > kFormat.key) emit.Member(kFormat, &first);
    format_written |= entry.key >= kFormat.key;
    emit.Member(entry, &first);
  }
  if (!format_written) emit.Member(kFormat, &first);
  emit.Text("}");
  uint64_t offset = 0;
  for (const uint32_t index : tensor_order_) {
    const TensorToWrite& tensor = tensors_[index];
    emit.Text(",");
    emit.String(tensor.name);
    emit.Text(":{\"dtype\":");
    emit.String(DTypeName(tensor.dtype));
    emit.Text(",\"shape\":[");
    for (size_t axis = 0; axis < tensor.shape.size; ++axis) {
      if (axis > 0) emit.Text(",");
      emit.Integer(tensor.shape[axis]);
    }
    emit.Text("],\"data_offsets\":[");
    emit.Integer(offset);
    emit.Text(",");
    offset += TensorBytes(tensor);
    emit.Integer(offset);
    emit.Text("]}");
  }
  emit.Text("}");
  return emit.size();
}

void SafetensorsWriter::Write(Span<uint8_t> out) const {
  HEED_DCHECK(out.size == bytes());
  StoreU64(header_bytes_, out.data);
  uint8_t* header = out.data + kLengthBytes;
  const uint64_t used = EmitHeader(header);
  std::memset(header + used, ' ', static_cast<size_t>(header_bytes_ - used));
  size_t at = static_cast<size_t>(kLengthBytes + header_bytes_);
  for (const uint32_t index : tensor_order_) {
    const TensorToWrite& tensor = tensors_[index];
    const size_t bytes = static_cast<size_t>(TensorBytes(tensor));
    EncodeFloats(tensor.dtype, tensor.values, out.Slice(at, bytes));
    at += bytes;
  }
}

}  // namespace heed
