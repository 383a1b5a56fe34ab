// SPDX-License-Identifier: MIT
// Tokens of JSON text (RFC 8259). Well-formed UTF-8, complete escapes, paired surrogates and the
// syntax of numbers are checked here, the order of tokens by the caller. A scanner neither
// allocates nor recurses: depth is whatever the grammar of the caller allows.
#ifndef HEED_IO_JSON_SCANNER_H_
#define HEED_IO_JSON_SCANNER_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/span.h"
#include "io/json_string.h"

namespace heed {

enum class JsonToken : uint8_t {
  kEnd,
  kObjectBegin,
  kObjectEnd,
  kArrayBegin,
  kArrayEnd,
  kColon,
  kComma,
  kString,
  kNumber,
  kTrue,
  kFalse,
  kNull,
  kMalformed,
};

class JsonScanner {
 public:
  // Starts at byte `at` of `text`, which must outlive the scanner and every JsonString it gives.
  explicit JsonScanner(std::string_view text, size_t at = 0) : text_(text), at_(at), begin_(at) {}

  // Moves to the next token. After kMalformed or kEnd there is no going on.
  JsonToken Next();

  JsonToken token() const { return token_; }
  // The first byte of the current token, counted from the start of the text.
  size_t begin() const { return begin_; }
  // The byte after it.
  size_t end() const { return at_; }
  // The current token as written.
  std::string_view token_text() const { return text_.substr(begin_, at_ - begin_); }
  // The current token, a kString.
  JsonString string() const;
  // What is wrong with a kMalformed token, as a noun phrase.
  const char* problem() const { return problem_; }

 private:
  JsonToken Malformed(const char* problem) {
    problem_ = problem;
    return JsonToken::kMalformed;
  }
  JsonToken Scan();
  JsonToken ScanString();
  JsonToken ScanNumber();
  JsonToken ScanWord(std::string_view word, JsonToken token);
  // Reads one escape, or says what is wrong with it.
  const char* ScanEscape();
  // Skips digits; false when there are none.
  bool SkipDigits();
  // The next character, NUL at the end (a NUL in the text is malformed everywhere).
  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  std::string_view text_;
  size_t at_;
  size_t begin_;
  JsonToken token_ = JsonToken::kEnd;
  bool has_escapes_ = false;
  const char* problem_ = "";
};

// The value of a number token written as a plain non-negative integer (no sign, fraction or
// exponent) below 2^64; false for any other.
bool ParseUnsigned(std::string_view number, uint64_t* value);

}  // namespace heed

#endif  // HEED_IO_JSON_SCANNER_H_
