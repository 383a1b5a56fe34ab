// SPDX-License-Identifier: MIT
// One aligned block per purpose (parameters, gradients, moments, activations), sized before it is
// asked for. Planning is checked 64-bit arithmetic, so a request of any size is either met or
// refused with its byte count; after that nothing in a training step allocates.
#ifndef HEED_BASE_ARENA_H_
#define HEED_BASE_ARENA_H_

#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/span.h"
#include "base/status.h"

namespace heed {

// Every slice starts at a multiple of this many bytes: a cache line, and the widest vector
// (AVX-512) of any target.
inline constexpr size_t kAlignment = 64;

// Adds up the slices of an arena. Overflow is sticky and makes the plan unsatisfiable.
class ArenaPlan {
 public:
  // Reserves count elements of `element_bytes`; returns the slice's offset in bytes.
  uint64_t Add(uint64_t count, uint64_t element_bytes);
  template <typename T>
  uint64_t Add(uint64_t count) {
    return Add(count, sizeof(T));
  }
  // Bytes needed so far; UINT64_MAX once the arithmetic has overflowed.
  uint64_t bytes() const { return bytes_; }
  bool overflowed() const { return bytes_ == UINT64_MAX; }

 private:
  uint64_t bytes_ = 0;
};

// a * b, or UINT64_MAX when that does not fit.
uint64_t CheckedMul(uint64_t a, uint64_t b);
// a + b, or UINT64_MAX when that does not fit or either operand is UINT64_MAX.
uint64_t CheckedAdd(uint64_t a, uint64_t b);

class Arena {
 public:
  Arena() = default;
  ~Arena() { Release(); }
  Arena(Arena&& other) noexcept { *this = std::move(other); }
  Arena& operator=(Arena&& other) noexcept;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Zero-filled block of `bytes`; `purpose` is named in the message. kOutOfMemory when it cannot be
  // had (an earlier block of this arena is kept then).
  Status Allocate(uint64_t bytes, const char* purpose);
  void Release();

  uint64_t bytes() const { return bytes_; }
  template <typename T>
  Span<T> Slice(uint64_t offset, uint64_t count) const {
    HEED_DCHECK(offset % alignof(T) == 0);
    HEED_DCHECK(offset <= bytes_ && count <= (bytes_ - offset) / sizeof(T));
    return Span<T>(reinterpret_cast<T*>(data_ + offset), static_cast<size_t>(count));
  }

 private:
  uint8_t* data_ = nullptr;
  uint64_t bytes_ = 0;
};

// Counters over all arenas of the process: what `engine.memory()` reports and leak tests assert.
struct ArenaTotals {
  uint64_t bytes_in_use = 0;
  uint64_t peak_bytes = 0;
  uint64_t blocks = 0;
};
ArenaTotals GetArenaTotals();

// Test hook: the n-th next allocation fails (1 = the next one); once, or from then on. 0 = off.
void SetArenaFailure(uint64_t nth, bool for_ever);

}  // namespace heed

#endif  // HEED_BASE_ARENA_H_
