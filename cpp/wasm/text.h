// SPDX-License-Identifier: MIT
// Text into memory of a known size; what does not fit is counted, so that one run without memory
// measures for the next.
#ifndef HEED_WASM_TEXT_H_
#define HEED_WASM_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "base/span.h"

namespace heed {

class TextWriter {
 public:
  explicit TextWriter(Span<char> text) : text_(text) {}

  void Append(const char* piece) { Append(piece, std::strlen(piece)); }
  void Append(const char* piece, size_t length) {
    if (length_ < text_.size) {
      const size_t room = text_.size - length_;
      std::memcpy(text_.data + length_, piece, length < room ? length : room);
    }
    length_ += length;
  }
  void AppendNumber(uint64_t number) {
    char digits[24];
    std::snprintf(digits, sizeof(digits), "%llu", static_cast<unsigned long long>(number));
    Append(digits);
  }

  // Of the whole text, whether or not it fitted.
  size_t length() const { return length_; }

 private:
  Span<char> text_;
  size_t length_ = 0;
};

}  // namespace heed

#endif  // HEED_WASM_TEXT_H_
