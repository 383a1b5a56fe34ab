// SPDX-License-Identifier: MIT
// The canonical names of an enumeration's values, in order: files, JSON and messages use no others.
#ifndef HEED_BASE_ENUM_NAMES_H_
#define HEED_BASE_ENUM_NAMES_H_

#include <cstddef>
#include <cstring>

namespace heed {

// Specialise as: template <> inline constexpr const char* kEnumNames<E>[] = {"a", "b"};
template <typename E>
inline constexpr const char* kEnumNames[] = {nullptr};

template <typename E>
constexpr size_t EnumCount() {
  return sizeof(kEnumNames<E>) / sizeof(kEnumNames<E>[0]);
}

template <typename E>
bool IsEnumValue(E value) {
  return static_cast<size_t>(value) < EnumCount<E>();
}

template <typename E>
const char* EnumName(E value) {
  return IsEnumValue(value) ? kEnumNames<E>[static_cast<size_t>(value)] : "?";
}

// False, and *value unchanged, when no value has this name.
template <typename E>
bool ParseEnum(const char* name, size_t length, E* value) {
  for (size_t i = 0; i < EnumCount<E>(); ++i) {
    if (std::strlen(kEnumNames<E>[i]) == length &&
        std::memcmp(kEnumNames<E>[i], name, length) == 0) {
      *value = static_cast<E>(i);
      return true;
    }
  }
  return false;
}

}  // namespace heed

#endif  // HEED_BASE_ENUM_NAMES_H_
