// SPDX-License-Identifier: MIT
#ifndef HEED_IO_UTF8_H_
#define HEED_IO_UTF8_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/span.h"

namespace heed {

// Length in bytes, 1 to 4, of the well-formed UTF-8 sequence at the start of `bytes`; 0 when there
// is none: empty, cut short, a stray continuation, an overlong form, a surrogate or a value above
// U+10FFFF (table 3-7 of the Unicode standard).
size_t Utf8SequenceLength(Span<const uint8_t> bytes);

// Bytes before the first ill-formed sequence; bytes.size when all is well.
size_t ValidUtf8Prefix(Span<const uint8_t> bytes);

inline Span<const uint8_t> AsBytes(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

// A name as it may stand in a message: zero-terminated, valid UTF-8 without control characters
// (each offending byte becomes '?'), cut to 72 bytes with "..." at the end when longer.
class PrintableName {
 public:
  explicit PrintableName(std::string_view name);
  const char* c_str() const { return text_; }

 private:
  static constexpr size_t kLimit = 72;
  char text_[kLimit + 4];
};

}  // namespace heed

#endif  // HEED_IO_UTF8_H_
