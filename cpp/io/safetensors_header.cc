// SPDX-License-Identifier: MIT
#include "io/safetensors_header.h"

#include "io/utf8.h"

namespace heed {
namespace {

using Number = unsigned long long;  // what %llu takes

constexpr std::string_view kDTypeKey = "dtype";
constexpr std::string_view kShapeKey = "shape";
constexpr std::string_view kOffsetsKey = "data_offsets";

class HeaderScan {
 public:
  HeaderScan(std::string_view header, uint64_t data_bytes, TensorRecord* tensors,
             uint32_t* metadata)
      : scanner_(header), data_bytes_(data_bytes), tensors_(tensors), metadata_(metadata) {}

  Status Run(HeaderCounts* counts);

 private:
  // kBadData: "<where>: expected <expected>, found <current token>".
  Status Unexpected(const char* expected) const;
  Status WrongTensor(const char* format, Number a, Number b) const;
  // Moves to the next key of the object whose brace was passed; the scanner then stands on the
  // colon.
  Status NextKey(bool first, JsonString* key, size_t* key_at, bool* done);
  // Moves to the next integer of the array whose bracket was passed.
  Status NextInteger(bool first, uint64_t* value, bool* done);
  Status ScanMetadata();
  Status ScanTensor();
  Status ScanTensorKey(const JsonString& key);
  Status ScanShape();
  Status ScanOffsets();
  Status CheckTensor() const;

  JsonScanner scanner_;
  uint64_t data_bytes_;
  TensorRecord* tensors_;
  uint32_t* metadata_;
  HeaderCounts counts_;
  bool has_metadata_ = false;

  // Where we are, for messages: the entry of the header and the key inside it.
  JsonString entry_;
  JsonString key_;
  bool in_entry_ = false;
  bool in_key_ = false;

  // The tensor being read.
  TensorRecord record_;
  uint64_t elements_ = 0;
  bool overflowed_ = false;
  bool has_dtype_ = false;
  bool has_shape_ = false;
  bool has_offsets_ = false;
};

// What stands where something else was expected, as a noun phrase.
const char* TokenNoun(const JsonScanner& scanner) {
  switch (scanner.token()) {
    case JsonToken::kEnd:
      return "the end of the header";
    case JsonToken::kObjectBegin:
      return "an object";
    case JsonToken::kObjectEnd:
      return "'}'";
    case JsonToken::kArrayBegin:
      return "an array";
    case JsonToken::kArrayEnd:
      return "']'";
    case JsonToken::kColon:
      return "':'";
    case JsonToken::kComma:
      return "','";
    case JsonToken::kString:
      return "the string";
    case JsonToken::kNumber:
      return "the number";
    case JsonToken::kTrue:
      return "true";
    case JsonToken::kFalse:
      return "false";
    case JsonToken::kNull:
      return "null";
    default:
      return scanner.problem();
  }
}

Status HeaderScan::Unexpected(const char* expected) const {
  const JsonToken token = scanner_.token();
  const bool quoted = token == JsonToken::kString || token == JsonToken::kNumber;
  return Status::Error(
      StatusCode::kBadData, "safetensors header%s%s%s%s: expected %s, found %s%s%s (byte %llu)",
      in_entry_ ? ", entry " : "", in_entry_ ? PrintableName(entry_.raw()).c_str() : "",
      in_key_ ? ", key " : "", in_key_ ? PrintableName(key_.raw()).c_str() : "", expected,
      TokenNoun(scanner_), quoted ? " " : "",
      quoted ? PrintableName(scanner_.token_text()).c_str() : "",
      static_cast<Number>(scanner_.begin()));
}

Status HeaderScan::WrongTensor(const char* format, Number a, Number b) const {
  const Status detail = Status::Error(StatusCode::kBadData, format, a, b);
  return Status::Error(StatusCode::kBadData, "safetensors tensor %s: %s",
                       PrintableName(entry_.raw()).c_str(), detail.message());
}

Status HeaderScan::NextKey(bool first, JsonString* key, size_t* key_at, bool* done) {
  JsonToken token = scanner_.Next();
  *done = token == JsonToken::kObjectEnd;
  if (*done) return Status();
  if (!first) {
    if (token != JsonToken::kComma) return Unexpected("',' or '}'");
    token = scanner_.Next();
  }
  if (token != JsonToken::kString) return Unexpected(first ? "a key or '}'" : "a key");
  *key = scanner_.string();
  *key_at = scanner_.begin();
  if (scanner_.Next() != JsonToken::kColon) return Unexpected("':' after a key");
  return Status();
}

Status HeaderScan::NextInteger(bool first, uint64_t* value, bool* done) {
  JsonToken token = scanner_.Next();
  *done = token == JsonToken::kArrayEnd;
  if (*done) return Status();
  if (!first) {
    if (token != JsonToken::kComma) return Unexpected("',' or ']'");
    token = scanner_.Next();
  }
  if (token != JsonToken::kNumber || !ParseUnsigned(scanner_.token_text(), value)) {
    return Unexpected("a plain integer from 0 to 2^64 - 1");
  }
  return Status();
}

Status HeaderScan::Run(HeaderCounts* counts) {
  if (scanner_.Next() != JsonToken::kObjectBegin || scanner_.begin() != 0) {
    return Unexpected("'{' at its first byte");
  }
  for (bool first = true;; first = false) {
    in_entry_ = false;
    bool done = false;
    size_t at = 0;
    HEED_RETURN_IF_ERROR(NextKey(first, &entry_, &at, &done));
    if (done) break;
    in_entry_ = true;
    if (entry_ == JsonString(kSafetensorsMetadataName)) {
      HEED_RETURN_IF_ERROR(ScanMetadata());
    } else {
      record_ = TensorRecord();
      record_.name_at = static_cast<uint32_t>(at);
      HEED_RETURN_IF_ERROR(ScanTensor());
    }
  }
  if (scanner_.Next() != JsonToken::kEnd) return Unexpected("nothing but spaces after its '}'");
  *counts = counts_;
  return Status();
}

Status HeaderScan::ScanMetadata() {
  if (has_metadata_) {
    return Status::Error(StatusCode::kBadData,
                         "safetensors header: the key __metadata__ stands twice; expected once");
  }
  has_metadata_ = true;
  if (scanner_.Next() != JsonToken::kObjectBegin) return Unexpected("an object of strings");
  for (bool first = true;; first = false) {
    bool done = false;
    size_t at = 0;
    HEED_RETURN_IF_ERROR(NextKey(first, &key_, &at, &done));
    if (done) return Status();
    in_key_ = true;
    if (scanner_.Next() != JsonToken::kString) return Unexpected("a string");
    in_key_ = false;
    if (metadata_ != nullptr) metadata_[counts_.metadata] = static_cast<uint32_t>(at);
    ++counts_.metadata;
  }
}

Status HeaderScan::ScanTensor() {
  has_dtype_ = has_shape_ = has_offsets_ = false;
  if (scanner_.Next() != JsonToken::kObjectBegin) {
    return Unexpected("an object with dtype, shape and data_offsets");
  }
  for (bool first = true;; first = false) {
    bool done = false;
    size_t at = 0;
    HEED_RETURN_IF_ERROR(NextKey(first, &key_, &at, &done));
    if (done) break;
    in_key_ = true;
    HEED_RETURN_IF_ERROR(ScanTensorKey(key_));
    in_key_ = false;
  }
  if (!has_dtype_ || !has_shape_ || !has_offsets_) {
    return Status::Error(
        StatusCode::kBadData,
        "safetensors tensor %s: expected the keys dtype, shape and data_offsets, found no %s",
        PrintableName(entry_.raw()).c_str(),
        (!has_dtype_   ? kDTypeKey
         : !has_shape_ ? kShapeKey
                       : kOffsetsKey)
            .data());
  }
  HEED_RETURN_IF_ERROR(CheckTensor());
  if (tensors_ != nullptr) tensors_[counts_.tensors] = record_;
  ++counts_.tensors;
  return Status();
}

Status HeaderScan::ScanTensorKey(const JsonString& key) {
  const bool is_dtype = key == JsonString(kDTypeKey);
  const bool is_shape = key == JsonString(kShapeKey);
  const bool is_offsets = key == JsonString(kOffsetsKey);
  bool* seen = is_dtype ? &has_dtype_ : is_shape ? &has_shape_ : &has_offsets_;
  if (!is_dtype && !is_shape && !is_offsets) {
    return Status::Error(
        StatusCode::kBadData,
        "safetensors tensor %s: expected the keys dtype, shape and data_offsets, found %s",
        PrintableName(entry_.raw()).c_str(), PrintableName(key.raw()).c_str());
  }
  if (*seen) {
    return Status::Error(StatusCode::kBadData,
                         "safetensors tensor %s: the key %s stands twice; expected once",
                         PrintableName(entry_.raw()).c_str(), PrintableName(key.raw()).c_str());
  }
  *seen = true;
  if (is_shape) return ScanShape();
  if (is_offsets) return ScanOffsets();
  if (scanner_.Next() != JsonToken::kString ||
      !ParseDType(scanner_.string().raw(), &record_.dtype)) {
    return Unexpected("an element type such as \"F32\", \"F16\" or \"BF16\"");
  }
  return Status();
}

Status HeaderScan::ScanShape() {
  if (scanner_.Next() != JsonToken::kArrayBegin) return Unexpected("an array of integers");
  record_.shape_at = static_cast<uint32_t>(scanner_.end());
  elements_ = 1;
  overflowed_ = false;
  for (bool first = true;; first = false) {
    bool done = false;
    uint64_t extent = 0;
    HEED_RETURN_IF_ERROR(NextInteger(first, &extent, &done));
    if (done) return Status();
    overflowed_ |= __builtin_mul_overflow(elements_, extent, &elements_);
    ++record_.rank;
  }
}

Status HeaderScan::ScanOffsets() {
  if (scanner_.Next() != JsonToken::kArrayBegin) return Unexpected("an array of two integers");
  uint64_t bounds[2] = {};
  for (size_t count = 0;; ++count) {
    bool done = false;
    uint64_t value = 0;
    HEED_RETURN_IF_ERROR(NextInteger(count == 0, &value, &done));
    if (done != (count == 2)) return Unexpected("exactly two integers");
    if (done) break;
    bounds[count] = value;
  }
  record_.begin = bounds[0];
  record_.end = bounds[1];
  return Status();
}

Status HeaderScan::CheckTensor() const {
  uint64_t bits = 0;
  if (overflowed_ || __builtin_mul_overflow(elements_, uint64_t{DTypeBits(record_.dtype)}, &bits)) {
    return WrongTensor("expected fewer than 2^64 bits of data, found a shape with more", 0, 0);
  }
  if (bits % 8 != 0) {
    return WrongTensor("expected whole bytes of data, found %llu elements of %llu bits", elements_,
                       DTypeBits(record_.dtype));
  }
  if (record_.begin > record_.end) {
    return WrongTensor("expected data_offsets in ascending order, found [%llu, %llu]",
                       record_.begin, record_.end);
  }
  if (record_.end > data_bytes_) {
    return WrongTensor(
        "its data ends at byte %llu, but the file has %llu bytes of data; the file "
        "may be cut short",
        record_.end, data_bytes_);
  }
  if (bits / 8 != record_.end - record_.begin) {
    return WrongTensor("expected %llu bytes by shape and dtype, found %llu by data_offsets",
                       bits / 8, record_.end - record_.begin);
  }
  return Status();
}

}  // namespace

Status ScanSafetensorsHeader(std::string_view header, uint64_t data_bytes, TensorRecord* tensors,
                             uint32_t* metadata, HeaderCounts* counts) {
  return HeaderScan(header, data_bytes, tensors, metadata).Run(counts);
}

}  // namespace heed
