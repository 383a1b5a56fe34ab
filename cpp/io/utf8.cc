// SPDX-License-Identifier: MIT
#include "io/utf8.h"

#include <cstring>

namespace heed {

size_t Utf8SequenceLength(Span<const uint8_t> bytes) {
  if (bytes.empty()) return 0;
  const uint8_t lead = bytes[0];
  if (lead < 0x80) return 1;
  // Only the second byte's range depends on the lead: it is what rules out overlong forms
  // (E0, F0), surrogates (ED) and values above U+10FFFF (F4).
  size_t length = 0;
  uint8_t low = 0x80, high = 0xBF;
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
  } else {
    return 0;
  }
  if (bytes.size < length || bytes[1] < low || bytes[1] > high) return 0;
  for (size_t i = 2; i < length; ++i) {
    if ((bytes[i] & 0xC0) != 0x80) return 0;
  }
  return length;
}

size_t ValidUtf8Prefix(Span<const uint8_t> bytes) {
  size_t at = 0;
  while (at < bytes.size) {
    const size_t length = Utf8SequenceLength(bytes.Slice(at, bytes.size - at));
    if (length == 0) break;
    at += length;
  }
  return at;
}

PrintableName::PrintableName(std::string_view name) {
  const Span<const uint8_t> bytes = AsBytes(name);
  size_t out = 0, at = 0;
  while (at < bytes.size) {
    const size_t length = Utf8SequenceLength(bytes.Slice(at, bytes.size - at));
    const bool printable = length > 1 || (length == 1 && bytes[at] >= 0x20 && bytes[at] != 0x7F);
    const size_t step = printable ? length : 1;
    if (out + step > kLimit) break;
    if (printable) {
      std::memcpy(text_ + out, name.data() + at, step);
    } else {
      text_[out] = '?';
    }
    out += step;
    at += step;
  }
  std::memcpy(text_ + out, "...", 3);
  text_[at < bytes.size ? out + 3 : out] = '\0';
}

}  // namespace heed
