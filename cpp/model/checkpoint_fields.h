// SPDX-License-Identifier: MIT
// Options as the text of a checkpoint's metadata: booleans true and false, numbers in decimal,
// enumerations by their canonical names.
#ifndef HEED_MODEL_CHECKPOINT_FIELDS_H_
#define HEED_MODEL_CHECKPOINT_FIELDS_H_

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <type_traits>

#include "base/enum_names.h"
#include "base/status.h"

namespace heed {

// Longest value of a field, with its zero; longer text in a file is no value of any field.
inline constexpr size_t kMaxFieldText = 48;

void FormatField(bool value, char (&text)[kMaxFieldText]);
void FormatField(uint32_t value, char (&text)[kMaxFieldText]);
void FormatField(uint64_t value, char (&text)[kMaxFieldText]);
void FormatField(float value, char (&text)[kMaxFieldText]);
void FormatField(double value, char (&text)[kMaxFieldText]);
template <typename E, std::enable_if_t<std::is_enum_v<E>, int> = 0>
void FormatField(E value, char (&text)[kMaxFieldText]) {
  std::snprintf(text, sizeof(text), "%s", EnumName(value));
}

// The inverse. kBadData names `key`, what was expected and the text found.
Status ParseField(const char* key, std::string_view text, bool* value);
Status ParseField(const char* key, std::string_view text, uint32_t* value);
Status ParseField(const char* key, std::string_view text, uint64_t* value);
Status ParseField(const char* key, std::string_view text, float* value);
Status ParseField(const char* key, std::string_view text, double* value);

Status WrongField(const char* key, const char* expected, std::string_view text);

template <typename E, std::enable_if_t<std::is_enum_v<E>, int> = 0>
Status ParseField(const char* key, std::string_view text, E* value) {
  if (ParseEnum(text.data(), text.size(), value)) return Status();
  char names[96] = "one of";
  size_t length = 6;
  for (size_t i = 0; i < EnumCount<E>() && length < sizeof(names); ++i) {
    length += static_cast<size_t>(
        std::snprintf(names + length, sizeof(names) - length, " %s", kEnumNames<E>[i]));
  }
  return WrongField(key, names, text);
}

}  // namespace heed

#endif  // HEED_MODEL_CHECKPOINT_FIELDS_H_
