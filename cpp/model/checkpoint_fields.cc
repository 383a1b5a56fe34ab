// SPDX-License-Identifier: MIT
#include "model/checkpoint_fields.h"

#include "io/decimal.h"
#include "io/json_scanner.h"
#include "io/utf8.h"

namespace heed {
namespace {

template <typename T>
void FormatReal(T value, char (&text)[kMaxFieldText]) {
  char decimal[kMaxDecimal];
  FormatDecimal(value, decimal);
  std::snprintf(text, sizeof(text), "%s", decimal);
}

}  // namespace

void FormatField(bool value, char (&text)[kMaxFieldText]) {
  std::snprintf(text, sizeof(text), "%s", value ? "true" : "false");
}

void FormatField(uint32_t value, char (&text)[kMaxFieldText]) {
  FormatField(uint64_t{value}, text);
}

void FormatField(uint64_t value, char (&text)[kMaxFieldText]) {
  std::snprintf(text, sizeof(text), "%llu", static_cast<unsigned long long>(value));
}

void FormatField(float value, char (&text)[kMaxFieldText]) { FormatReal(value, text); }
void FormatField(double value, char (&text)[kMaxFieldText]) { FormatReal(value, text); }

Status WrongField(const char* key, const char* expected, std::string_view text) {
  return Status::Error(StatusCode::kBadData, "checkpoint: metadata %s: expected %s, found \"%s\"",
                       key, expected, PrintableName(text).c_str());
}

Status ParseField(const char* key, std::string_view text, bool* value) {
  if (text != "true" && text != "false") return WrongField(key, "true or false", text);
  *value = text == "true";
  return Status();
}

Status ParseField(const char* key, std::string_view text, uint32_t* value) {
  uint64_t wide = 0;
  if (!ParseUnsigned(text, &wide) || wide > UINT32_MAX) {
    return WrongField(key, "a whole number below 2^32", text);
  }
  *value = static_cast<uint32_t>(wide);
  return Status();
}

Status ParseField(const char* key, std::string_view text, uint64_t* value) {
  return ParseUnsigned(text, value) ? Status() : WrongField(key, "a whole number below 2^64", text);
}

Status ParseField(const char* key, std::string_view text, float* value) {
  return ParseDecimal(text, value) ? Status() : WrongField(key, "a decimal number", text);
}

Status ParseField(const char* key, std::string_view text, double* value) {
  return ParseDecimal(text, value) ? Status() : WrongField(key, "a decimal number", text);
}

}  // namespace heed
