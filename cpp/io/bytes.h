// SPDX-License-Identifier: MIT
// Little-endian numbers at any address. A file's bytes need not be aligned, so they are always
// copied out; compilers turn each of these into one load or store.
#ifndef HEED_IO_BYTES_H_
#define HEED_IO_BYTES_H_

#include <cstdint>

namespace heed {

inline uint16_t LoadU16(const uint8_t* from) {
  return static_cast<uint16_t>(from[0] | from[1] << 8);
}

inline uint32_t LoadU32(const uint8_t* from) {
  return uint32_t{LoadU16(from)} | uint32_t{LoadU16(from + 2)} << 16;
}

inline uint64_t LoadU64(const uint8_t* from) {
  return uint64_t{LoadU32(from)} | uint64_t{LoadU32(from + 4)} << 32;
}

inline void StoreU16(uint16_t value, uint8_t* to) {
  to[0] = static_cast<uint8_t>(value);
  to[1] = static_cast<uint8_t>(value >> 8);
}

inline void StoreU32(uint32_t value, uint8_t* to) {
  StoreU16(static_cast<uint16_t>(value), to);
  StoreU16(static_cast<uint16_t>(value >> 16), to + 2);
}

inline void StoreU64(uint64_t value, uint8_t* to) {
  StoreU32(static_cast<uint32_t>(value), to);
  StoreU32(static_cast<uint32_t>(value >> 32), to + 4);
}

}  // namespace heed

#endif  // HEED_IO_BYTES_H_
