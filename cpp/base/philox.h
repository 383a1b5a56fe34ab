// SPDX-License-Identifier: MIT
// Philox4x32-10, the counter-based generator of Salmon, Moraes, Dror and Shaw, "Parallel random
// numbers: as easy as 1, 2, 3" (SC 2011). Random bits are a function of (seed, stream, position):
// no state to save, the same in any order and for any number of threads.
#ifndef HEED_BASE_PHILOX_H_
#define HEED_BASE_PHILOX_H_

#include <array>
#include <cstdint>

namespace heed {

// What the bits are for. Distinct streams never share a counter. Saved runs depend on the numbers.
enum class RandomStream : uint32_t {
  kInit = 1,
  kBatch = 2,
  kDropout = 3,
  kSampling = 4,
  kTaskBatch = 5,    // key of a generated example, by step and row
  kTaskFixed = 6,    // key of a numbered one
  kTaskContent = 7,  // what the example of a key consists of
};

using PhiloxBlock = std::array<uint32_t, 4>;

inline PhiloxBlock Philox(uint64_t seed, PhiloxBlock counter) {
  constexpr uint32_t kMul0 = 0xD2511F53, kMul1 = 0xCD9E8D57;
  constexpr uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;
  uint32_t key0 = static_cast<uint32_t>(seed), key1 = static_cast<uint32_t>(seed >> 32);
  for (int round = 0; round < 10; ++round) {
    const uint64_t product0 = uint64_t{kMul0} * counter[0];
    const uint64_t product1 = uint64_t{kMul1} * counter[2];
    counter = {static_cast<uint32_t>(product1 >> 32) ^ counter[1] ^ key0,
               static_cast<uint32_t>(product1),
               static_cast<uint32_t>(product0 >> 32) ^ counter[3] ^ key1,
               static_cast<uint32_t>(product0)};
    key0 += kWeyl0;
    key1 += kWeyl1;
  }
  return counter;
}

// Four words for position (a, b, c) of a stream.
inline PhiloxBlock RandomBits(uint64_t seed, RandomStream stream, uint32_t a, uint32_t b,
                              uint32_t c = 0) {
  return Philox(seed, {a, b, static_cast<uint32_t>(stream), c});
}

// Uniform in [0, bound) for bound >= 1, by Lemire's multiply-shift without rejection: the bias is
// below bound / 2^32.
inline uint32_t UniformBelow(uint32_t bits, uint32_t bound) {
  return static_cast<uint32_t>((uint64_t{bits} * bound) >> 32);
}

// Uniform in (0, 1), never an end point: 2^23 equally spaced midpoints, exact in float. With 2^24 the
// upper half would need 25 bits and the last midpoint round to 1.
inline float UniformOpen(uint32_t bits) {
  return (static_cast<float>(bits >> 9) + 0.5f) * 0x1p-23f;
}

}  // namespace heed

#endif  // HEED_BASE_PHILOX_H_
