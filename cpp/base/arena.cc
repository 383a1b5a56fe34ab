// SPDX-License-Identifier: MIT
#include "base/arena.h"

#include <atomic>
#include <cstdlib>
#include <cstring>

namespace heed {
namespace {

// Relaxed atomics compile to plain loads and stores in the single-thread WASM build.
std::atomic<uint64_t> g_bytes{0};
std::atomic<uint64_t> g_peak{0};
std::atomic<uint64_t> g_blocks{0};
std::atomic<uint64_t> g_fail_in{0};
std::atomic<bool> g_fail_for_ever{false};

bool InjectedFailure() {
  const uint64_t left = g_fail_in.load(std::memory_order_relaxed);
  if (left == 0) return false;
  if (left > 1) {
    g_fail_in.store(left - 1, std::memory_order_relaxed);
    return false;
  }
  if (!g_fail_for_ever.load(std::memory_order_relaxed)) {
    g_fail_in.store(0, std::memory_order_relaxed);
  }
  return true;
}

void* AllocateAligned(uint64_t bytes) {
  // The bound leaves room for the allocator's own header and rounding on a 32-bit heap.
  if (bytes > SIZE_MAX - 4096) return nullptr;
  void* data = nullptr;
  if (posix_memalign(&data, kAlignment, static_cast<size_t>(bytes)) != 0) return nullptr;
  return data;
}

}  // namespace

uint64_t CheckedMul(uint64_t a, uint64_t b) {
  if (a == UINT64_MAX || b == UINT64_MAX) return UINT64_MAX;
  if (a != 0 && b > UINT64_MAX / a) return UINT64_MAX;
  return a * b;
}

uint64_t CheckedAdd(uint64_t a, uint64_t b) {
  return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

uint64_t ArenaPlan::Add(uint64_t count, uint64_t element_bytes) {
  const uint64_t offset = bytes_;
  const uint64_t payload = CheckedMul(count, element_bytes);
  const uint64_t padded = CheckedAdd(payload, kAlignment - 1);
  bytes_ = padded == UINT64_MAX ? UINT64_MAX
                                : CheckedAdd(bytes_, padded / kAlignment * kAlignment);
  return offset;
}

Arena& Arena::operator=(Arena&& other) noexcept {
  if (this != &other) {
    Release();
    data_ = std::exchange(other.data_, nullptr);
    bytes_ = std::exchange(other.bytes_, 0);
  }
  return *this;
}

Status Arena::Allocate(uint64_t bytes, const char* purpose) {
  void* data = nullptr;
  if (bytes != UINT64_MAX && !InjectedFailure()) {
    data = AllocateAligned(bytes == 0 ? kAlignment : bytes);
  }
  if (data == nullptr) {
    if (bytes == UINT64_MAX) {
      return Status::Error(StatusCode::kOutOfMemory,
                           "%s: the size exceeds 64-bit arithmetic; make the model, the context "
                           "or the batch smaller",
                           purpose);
    }
    return Status::Error(StatusCode::kOutOfMemory,
                         "%s: %llu bytes could not be allocated; make the model, the context or "
                         "the batch smaller, or dispose what is no longer needed",
                         purpose, static_cast<unsigned long long>(bytes));
  }
  Release();
  std::memset(data, 0, static_cast<size_t>(bytes));
  data_ = static_cast<uint8_t*>(data);
  bytes_ = bytes;
  const uint64_t now = g_bytes.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  g_blocks.fetch_add(1, std::memory_order_relaxed);
  if (now > g_peak.load(std::memory_order_relaxed)) g_peak.store(now, std::memory_order_relaxed);
  return Status();
}

void Arena::Release() {
  if (data_ == nullptr) return;
  std::free(data_);
  g_bytes.fetch_sub(bytes_, std::memory_order_relaxed);
  g_blocks.fetch_sub(1, std::memory_order_relaxed);
  data_ = nullptr;
  bytes_ = 0;
}

ArenaTotals GetArenaTotals() {
  return {g_bytes.load(std::memory_order_relaxed), g_peak.load(std::memory_order_relaxed),
          g_blocks.load(std::memory_order_relaxed)};
}

void SetArenaFailure(uint64_t nth, bool for_ever) {
  g_fail_for_ever.store(for_ever, std::memory_order_relaxed);
  g_fail_in.store(nth, std::memory_order_relaxed);
}

}  // namespace heed
