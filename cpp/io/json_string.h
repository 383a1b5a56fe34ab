// SPDX-License-Identifier: MIT
#ifndef HEED_IO_JSON_STRING_H_
#define HEED_IO_JSON_STRING_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/span.h"

namespace heed {

// Text that may still hold JSON escapes: a view into a header, decoded only as it is compared or
// copied. So an index of a header never has to store a string. Content is a sequence of bytes (a
// decoded name may contain U+0000).
class JsonString {
 public:
  JsonString() = default;
  // Text that stands for itself.
  JsonString(std::string_view plain) : text_(plain) {}  // NOLINT
  JsonString(const char* plain) : text_(plain) {}       // NOLINT
  // The characters between the quotes of a string that JsonScanner accepted.
  static JsonString Raw(std::string_view between_quotes, bool has_escapes) {
    JsonString result(between_quotes);
    result.escaped_ = has_escapes;
    return result;
  }

  // As written in the file: escapes and all. Free of control characters if the scanner made it, so
  // this is what messages show.
  std::string_view raw() const { return text_; }

  // Bytes of the decoded text, UTF-8.
  size_t size() const;
  // Writes the decoded text; out.size == size().
  void CopyTo(Span<char> out) const;
  // Negative, zero or positive, comparing decoded bytes (which is code point order).
  int Compare(const JsonString& other) const;
  bool operator==(const JsonString& other) const { return Compare(other) == 0; }
  bool StartsWith(std::string_view prefix) const;

 private:
  friend class JsonStringBytes;
  std::string_view text_;
  bool escaped_ = false;
};

// The decoded bytes, one after the other.
class JsonStringBytes {
 public:
  explicit JsonStringBytes(const JsonString& string)
      : text_(string.text_), escaped_(string.escaped_) {}
  // False at the end.
  bool Next(uint8_t* byte);

 private:
  void DecodeEscape();

  std::string_view text_;
  bool escaped_;
  size_t at_ = 0;
  // The rest of a character that took an escape to write.
  uint8_t pending_[4] = {};
  size_t pending_at_ = 0;
  size_t pending_size_ = 0;
};

// The value of four hexadecimal digits at `digits`; -1 when one of them is none.
int32_t ParseHexUnit(const char* digits);

}  // namespace heed

#endif  // HEED_IO_JSON_STRING_H_
