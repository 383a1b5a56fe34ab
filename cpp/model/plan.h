// SPDX-License-Identifier: MIT
// One description of a memory layout serves to measure it and to lay it out: it runs once without an
// arena and once with one.
#ifndef HEED_MODEL_PLAN_H_
#define HEED_MODEL_PLAN_H_

#include <cstdint>

#include "base/arena.h"
#include "base/span.h"

namespace heed {

class Planner {
 public:
  // Measures only; views have no data.
  Planner() = default;
  // Hands out the arena's memory; it was allocated with a measuring run's bytes().
  explicit Planner(const Arena* arena) : arena_(arena) {}

  uint64_t bytes() const { return plan_.bytes(); }
  bool measuring() const { return arena_ == nullptr; }

  template <typename T>
  Span<T> Take(uint64_t count) {
    const uint64_t offset = plan_.Add<T>(count);
    if (measuring()) return Span<T>(nullptr, static_cast<size_t>(count));
    return arena_->Slice<T>(offset, count);
  }
  Span<float> Floats(uint64_t count) { return Take<float>(count); }
  Matrix<float> Floats(uint64_t rows, uint64_t cols) {
    const Span<float> span = Floats(CheckedMul(rows, cols));
    return Matrix<float>(span.data, static_cast<size_t>(rows), static_cast<size_t>(cols));
  }

 private:
  ArenaPlan plan_;
  const Arena* arena_ = nullptr;
};

}  // namespace heed

#endif  // HEED_MODEL_PLAN_H_
