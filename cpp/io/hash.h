// SPDX-License-Identifier: MIT
// A fingerprint against accidents (other data, a damaged file), not against an attacker.
#ifndef HEED_IO_HASH_H_
#define HEED_IO_HASH_H_

#include <cstdint>

#include "base/span.h"

namespace heed {

inline constexpr uint64_t kFnvStart = 0xCBF29CE484222325u;

// FNV-1a, 64 bits, over `bytes`; pass the last result as `hash` to go on. Chosen over CRC-32, whose
// 32 bits collide once in some 10^4 distinct runs of a shared folder, and over the faster block
// hashes for its three lines: a token stream of 4 MB takes a few milliseconds.
inline uint64_t Fnv1a(Span<const uint8_t> bytes, uint64_t hash = kFnvStart) {
  for (const uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001B3u;
  return hash;
}

}  // namespace heed

#endif  // HEED_IO_HASH_H_
