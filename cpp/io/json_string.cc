// SPDX-License-Identifier: MIT
#include "io/json_string.h"

#include <cstring>

namespace heed {
namespace {

size_t EncodeUtf8(uint32_t point, uint8_t out[4]) {
  if (point < 0x80) {
    out[0] = static_cast<uint8_t>(point);
    return 1;
  }
  const size_t size = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  constexpr uint8_t kLead[] = {0, 0, 0xC0, 0xE0, 0xF0};
  for (size_t i = size - 1; i > 0; --i) {
    out[i] = static_cast<uint8_t>(0x80 | (point & 0x3F));
    point >>= 6;
  }
  out[0] = static_cast<uint8_t>(kLead[size] | point);
  return size;
}

}  // namespace

int32_t ParseHexUnit(const char* digits) {
  int32_t unit = 0;
  for (size_t i = 0; i < 4; ++i) {
    const char c = digits[i];
    int32_t digit = 0;
    if (c >= '0' && c <= '9') {
      digit = c - '0';
    } else if (c >= 'a' && c <= 'f') {
      digit = c - 'a' + 10;
    } else if (c >= 'A' && c <= 'F') {
      digit = c - 'A' + 10;
    } else {
      return -1;
    }
    unit = unit * 16 + digit;
  }
  return unit;
}

// The scanner has checked the escape: nothing here can run past the end.
void JsonStringBytes::DecodeEscape() {
  const char kind = text_[at_ + 1];
  pending_at_ = 0;
  if (kind != 'u') {
    // b, f, n, r and t name control characters; the other three stand for themselves.
    static constexpr char kNamed[] = "bfnrt";
    static constexpr char kControl[] = "\b\f\n\r\t";
    const char* found = std::strchr(kNamed, kind);
    pending_[0] = static_cast<uint8_t>(found == nullptr ? kind : kControl[found - kNamed]);
    pending_size_ = 1;
    at_ += 2;
    return;
  }
  uint32_t point = static_cast<uint32_t>(ParseHexUnit(text_.data() + at_ + 2));
  at_ += 6;
  if (point >= 0xD800 && point <= 0xDBFF) {
    const uint32_t low = static_cast<uint32_t>(ParseHexUnit(text_.data() + at_ + 2));
    point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
    at_ += 6;
  }
  pending_size_ = EncodeUtf8(point, pending_);
}

bool JsonStringBytes::Next(uint8_t* byte) {
  if (pending_at_ == pending_size_) {
    if (at_ == text_.size()) return false;
    if (!escaped_ || text_[at_] != '\\') {
      *byte = static_cast<uint8_t>(text_[at_++]);
      return true;
    }
    DecodeEscape();
  }
  *byte = pending_[pending_at_++];
  return true;
}

size_t JsonString::size() const {
  if (!escaped_) return text_.size();
  size_t size = 0;
  uint8_t byte = 0;
  for (JsonStringBytes bytes(*this); bytes.Next(&byte);) ++size;
  return size;
}

void JsonString::CopyTo(Span<char> out) const {
  JsonStringBytes bytes(*this);
  uint8_t byte = 0;
  for (size_t i = 0; bytes.Next(&byte); ++i) out[i] = static_cast<char>(byte);
}

bool JsonString::StartsWith(std::string_view prefix) const {
  JsonStringBytes bytes(*this);
  for (const char c : prefix) {
    uint8_t byte = 0;
    if (!bytes.Next(&byte) || byte != static_cast<uint8_t>(c)) return false;
  }
  return true;
}

int JsonString::Compare(const JsonString& other) const {
  if (!escaped_ && !other.escaped_) return text_.compare(other.text_);
  JsonStringBytes left_bytes(*this), right_bytes(other);
  for (;;) {
    uint8_t left = 0, right = 0;
    const bool more_left = left_bytes.Next(&left);
    const bool more_right = right_bytes.Next(&right);
    if (!more_left || !more_right) return int{more_left} - int{more_right};
    if (left != right) return int{left} - int{right};
  }
}

}  // namespace heed
