// SPDX-License-Identifier: MIT
#include "io/json_scanner.h"

#include "io/utf8.h"

namespace heed {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsHighSurrogate(int32_t unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
bool IsLowSurrogate(int32_t unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

}  // namespace

JsonToken JsonScanner::Next() {
  while (at_ < text_.size() && std::string_view(" \t\n\r").find(text_[at_]) != text_.npos) ++at_;
  begin_ = at_;
  token_ = Scan();
  return token_;
}

JsonString JsonScanner::string() const {
  HEED_DCHECK(token_ == JsonToken::kString);
  return JsonString::Raw(text_.substr(begin_ + 1, at_ - begin_ - 2), has_escapes_);
}

JsonToken JsonScanner::Scan() {
  if (at_ == text_.size()) return JsonToken::kEnd;
  const char c = text_[at_];
  switch (c) {
    case '{':
      ++at_;
      return JsonToken::kObjectBegin;
    case '}':
      ++at_;
      return JsonToken::kObjectEnd;
    case '[':
      ++at_;
      return JsonToken::kArrayBegin;
    case ']':
      ++at_;
      return JsonToken::kArrayEnd;
    case ':':
      ++at_;
      return JsonToken::kColon;
    case ',':
      ++at_;
      return JsonToken::kComma;
    case '"':
      return ScanString();
    case 't':
      return ScanWord("true", JsonToken::kTrue);
    case 'f':
      return ScanWord("false", JsonToken::kFalse);
    case 'n':
      return ScanWord("null", JsonToken::kNull);
    default:
      break;
  }
  if (c == '-' || IsDigit(c)) return ScanNumber();
  return Malformed("a character that starts no JSON value");
}

JsonToken JsonScanner::ScanWord(std::string_view word, JsonToken token) {
  if (text_.substr(at_, word.size()) != word) return Malformed("a word that is no JSON value");
  at_ += word.size();
  return token;
}

JsonToken JsonScanner::ScanString() {
  has_escapes_ = false;
  ++at_;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '"') {
      ++at_;
      return JsonToken::kString;
    }
    if (static_cast<uint8_t>(c) < 0x20) return Malformed("a control character in a string");
    if (c == '\\') {
      has_escapes_ = true;
      if (const char* problem = ScanEscape()) return Malformed(problem);
      continue;
    }
    const size_t length = Utf8SequenceLength(AsBytes(text_.substr(at_)));
    if (length == 0) return Malformed("ill-formed UTF-8 in a string");
    at_ += length;
  }
  return Malformed("a string without end");
}

const char* JsonScanner::ScanEscape() {
  constexpr size_t kUnitEscape = 6;  // backslash, u, four digits
  if (text_.size() - at_ < 2) return "a string without end";
  const char kind = text_[at_ + 1];
  if (kind != 'u') {
    if (std::string_view("\"\\/bfnrt").find(kind) == std::string_view::npos) {
      return "an unknown escape in a string";
    }
    at_ += 2;
    return nullptr;
  }
  if (text_.size() - at_ < kUnitEscape) return "a string without end";
  const int32_t unit = ParseHexUnit(text_.data() + at_ + 2);
  if (unit < 0) return "a \\u escape without four hexadecimal digits";
  at_ += kUnitEscape;
  if (IsLowSurrogate(unit)) return "an unpaired surrogate in a string";
  if (!IsHighSurrogate(unit)) return nullptr;
  if (text_.size() - at_ < kUnitEscape || text_[at_] != '\\' || text_[at_ + 1] != 'u' ||
      !IsLowSurrogate(ParseHexUnit(text_.data() + at_ + 2))) {
    return "an unpaired surrogate in a string";
  }
  at_ += kUnitEscape;
  return nullptr;
}

bool JsonScanner::SkipDigits() {
  const size_t start = at_;
  while (IsDigit(Peek())) ++at_;
  return at_ != start;
}

JsonToken JsonScanner::ScanNumber() {
  if (Peek() == '-') ++at_;
  const bool leading_zero = Peek() == '0';
  const size_t integer = at_;
  if (!SkipDigits()) return Malformed("a minus sign without digits");
  if (leading_zero && at_ - integer > 1) return Malformed("a number with a leading zero");
  if (Peek() == '.') {
    ++at_;
    if (!SkipDigits()) return Malformed("a number without digits after its point");
  }
  if (Peek() == 'e' || Peek() == 'E') {
    ++at_;
    if (Peek() == '+' || Peek() == '-') ++at_;
    if (!SkipDigits()) return Malformed("a number without digits in its exponent");
  }
  return JsonToken::kNumber;
}

bool ParseUnsigned(std::string_view number, uint64_t* value) {
  if (number.empty()) return false;
  uint64_t result = 0;
  for (const char c : number) {
    if (!IsDigit(c)) return false;
    const uint64_t digit = static_cast<uint64_t>(c - '0');
    if (result > (UINT64_MAX - digit) / 10) return false;
    result = result * 10 + digit;
  }
  *value = result;
  return true;
}

}  // namespace heed
