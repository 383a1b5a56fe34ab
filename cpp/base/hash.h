// SPDX-License-Identifier: MIT
#ifndef HEED_BASE_HASH_H_
#define HEED_BASE_HASH_H_

#include <cstddef>
#include <cstdint>

namespace heed {

inline constexpr uint64_t kHashSeed = 0xCBF29CE484222325;

// 64-bit FNV-1a (Fowler, Noll, Vo) of `bytes` bytes, continuing from `hash`. Tells equal from
// changed; no defence against someone who wants a collision.
inline uint64_t HashBytes(const void* data, size_t bytes, uint64_t hash = kHashSeed) {
  const auto* p = static_cast<const uint8_t*>(data);
  for (size_t i = 0; i < bytes; ++i) hash = (hash ^ p[i]) * 0x100000001B3;
  return hash;
}

}  // namespace heed

#endif  // HEED_BASE_HASH_H_
