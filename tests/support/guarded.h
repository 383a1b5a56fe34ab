// SPDX-License-Identifier: MIT
// Test buffers of floats with a poisoned surrounding, and the lengths and misalignments that every
// vector loop is run over.
#ifndef HEED_TESTS_SUPPORT_GUARDED_H_
#define HEED_TESTS_SUPPORT_GUARDED_H_

#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/span.h"
#include "support/foreach_target.h"

namespace heed::test {

// n floats that start `offset` floats after a 64-byte boundary. Around them lie NaNs with a mark in
// their bits: a kernel that uses one returns NaN, a kernel that writes one is caught by Intact().
// Row padding of a strided matrix is poisoned the same way.
class Guarded {
 public:
  explicit Guarded(size_t n, size_t offset = 0) : Guarded(1, n, n, offset) {}

  explicit Guarded(const std::vector<float>& values, size_t offset = 0)
      : Guarded(1, values.size(), values.size(), offset) {
    Set(values);
  }

  Guarded(size_t rows, size_t cols, size_t stride, size_t offset)
      : rows_(rows), cols_(cols), stride_(stride), storage_(rows * stride + 3 * kGuard) {
    for (float& value : storage_) value = Mark();
    const size_t misaligned =
        reinterpret_cast<uintptr_t>(storage_.data()) % (kGuard * sizeof(float)) / sizeof(float);
    start_ = kGuard + (kGuard - misaligned) % kGuard + offset % kGuard;
    for (size_t row = 0; row < rows; ++row) {
      for (size_t col = 0; col < cols; ++col) data()[row * stride + col] = 0.0f;
    }
  }

  Guarded(size_t rows, size_t cols, size_t stride, size_t offset,
          const std::vector<float>& values)
      : Guarded(rows, cols, stride, offset) {
    Set(values);
  }

  // A copy would lie at another alignment.
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

  // Row-major values without padding.
  void Set(const std::vector<float>& values) {
    REQUIRE(values.size() == rows_ * cols_);
    for (size_t i = 0; i < values.size(); ++i) data()[i / cols_ * stride_ + i % cols_] = values[i];
  }
  std::vector<float> Values() const {
    std::vector<float> values(rows_ * cols_);
    for (size_t i = 0; i < values.size(); ++i) values[i] = data()[i / cols_ * stride_ + i % cols_];
    return values;
  }

  float* data() { return storage_.data() + start_; }
  const float* data() const { return storage_.data() + start_; }
  Span<float> span() { return Span<float>(data(), rows_ * cols_); }
  Matrix<float> matrix() { return Matrix<float>(data(), rows_, cols_, stride_); }

  // No float around the values, and none between rows, was written.
  bool Intact() const {
    for (size_t i = 0; i < storage_.size(); ++i) {
      const size_t inside = i - start_;  // wraps below the start
      if (i >= start_ && inside < rows_ * stride_ && inside % stride_ < cols_) continue;
      uint32_t bits;
      std::memcpy(&bits, &storage_[i], sizeof(bits));
      if (bits != kMark) return false;
    }
    return true;
  }

 private:
  static constexpr size_t kGuard = 16;  // floats in 64 bytes, the widest vector
  static constexpr uint32_t kMark = 0x7FC5A5A5;
  static float Mark() {
    float value;
    std::memcpy(&value, &kMark, sizeof(value));
    return value;
  }

  size_t rows_, cols_, stride_;
  std::vector<float> storage_;
  size_t start_ = 0;
};

// Runs body(n, offset) on every target for n = 0 .. 2N + 3 with the widest N (16), lengths around
// four vectors (the unrolled sums) and some beyond, at three misalignments.
template <class Body>
void ForEachLength(Body&& body) {
  ForEachTarget([&](const char* target) {
    std::vector<size_t> lengths;
    for (size_t n = 0; n <= 35; ++n) lengths.push_back(n);
    for (const size_t n : {48, 63, 64, 65, 66, 95, 128, 129, 200}) lengths.push_back(n);
    for (const size_t n : lengths) {
      for (const size_t offset : {size_t{0}, size_t{1}, size_t{3}}) {
        INFO("target " << target << ", n " << n << ", offset " << offset);
        body(n, offset);
      }
    }
  });
}

// Same bits, so that -0 differs from 0 and NaN equals itself.
inline bool SameBits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
}

}  // namespace heed::test

#endif  // HEED_TESTS_SUPPORT_GUARDED_H_
