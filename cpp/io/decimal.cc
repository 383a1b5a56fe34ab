// SPDX-License-Identifier: MIT
#include "io/decimal.h"

#include <clocale>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/check.h"
#include "io/json_scanner.h"

namespace heed {
namespace {

// The longest decimal point of any locale, in bytes, is below this.
constexpr size_t kMaxPoint = 16;
// Longest text that is read: 500 digits are more than any number of interest is written with.
constexpr size_t kMaxText = 500;

// Whole numbers below this are written without an exponent: 10000, not 1e+04.
constexpr int kWhole = 10'000'000;

// The decimal point that printf and strtod use, set by the program that Heed is part of.
const char* LocalPoint() { return std::localeconv()->decimal_point; }

double Read(const char* text, double) { return std::strtod(text, nullptr); }
float Read(const char* text, float) { return std::strtof(text, nullptr); }

// `from` with its first `point` exchanged for `replacement`; `to` has room for it.
void ReplacePoint(const char* from, const char* point, const char* replacement, char* to) {
  const char* found = std::strstr(from, point);
  if (found == nullptr) {
    std::strcpy(to, from);
    return;
  }
  const size_t before = static_cast<size_t>(found - from);
  std::memcpy(to, from, before);
  std::strcpy(to + before, replacement);
  std::strcat(to, found + std::strlen(point));
}

template <typename T>
void Format(T value, int digits, char (&text)[kMaxDecimal]) {
  HEED_DCHECK(std::isfinite(value));
  if (std::fabs(value) < T{kWhole} && value == std::trunc(value)) {
    std::snprintf(text, sizeof(text), "%.0f", static_cast<double>(value));
    return;
  }
  char local[kMaxDecimal + kMaxPoint];
  for (int precision = 1;; ++precision) {
    std::snprintf(local, sizeof(local), "%.*g", precision, static_cast<double>(value));
    if (precision == digits || Read(local, T()) == value) break;
  }
  ReplacePoint(local, LocalPoint(), ".", text);
}

template <typename T>
bool Parse(std::string_view text, T* value) {
  JsonScanner scanner(text);
  if (scanner.Next() != JsonToken::kNumber || scanner.token_text().size() != text.size()) {
    return false;
  }
  if (text.size() > kMaxText) return false;
  char plain[kMaxText + 1];
  char local[kMaxText + kMaxPoint + 1];
  std::memcpy(plain, text.data(), text.size());
  plain[text.size()] = '\0';
  ReplacePoint(plain, ".", LocalPoint(), local);
  const T read = Read(local, T());
  if (!std::isfinite(read)) return false;
  *value = read;
  return true;
}

}  // namespace

// 17 and 9 significant digits always suffice (IEEE 754-2008, 5.12.2).
void FormatDecimal(double value, char (&text)[kMaxDecimal]) { Format(value, 17, text); }
void FormatDecimal(float value, char (&text)[kMaxDecimal]) { Format(value, 9, text); }

bool ParseDecimal(std::string_view text, double* value) { return Parse(text, value); }
bool ParseDecimal(std::string_view text, float* value) { return Parse(text, value); }

}  // namespace heed
