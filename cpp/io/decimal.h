// SPDX-License-Identifier: MIT
// Real numbers as decimal text that reads back to the same bits.
#ifndef HEED_IO_DECIMAL_H_
#define HEED_IO_DECIMAL_H_

#include <cstddef>
#include <string_view>

namespace heed {

// Longest text below, with its zero: sign, 17 digits, point, exponent.
inline constexpr size_t kMaxDecimal = 32;

// Writes a finite number with the fewest digits that read back as the same value of its type (whole
// numbers below 10^7 in full), zero-terminated. By printf and strtod, whatever the locale: the
// tables that std::to_chars needs would weigh on the WebAssembly binary, and libc++ has
// std::from_chars for reals since LLVM 20 only.
void FormatDecimal(double value, char (&text)[kMaxDecimal]);
void FormatDecimal(float value, char (&text)[kMaxDecimal]);

// Reads a whole JSON number, rounded to nearest. False, and *value unchanged, for any other text
// (spaces, hexadecimal, nan, inf) and for what lies outside the type's finite range.
bool ParseDecimal(std::string_view text, double* value);
bool ParseDecimal(std::string_view text, float* value);

}  // namespace heed

#endif  // HEED_IO_DECIMAL_H_
