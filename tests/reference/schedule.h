// SPDX-License-Identifier: MIT
#ifndef HEED_TESTS_REFERENCE_SCHEDULE_H_
#define HEED_TESTS_REFERENCE_SCHEDULE_H_

#include <cmath>
#include <cstddef>
#include <numbers>

namespace heed::reference {

enum class ScheduleKind { kConstant, kCosine };

struct Schedule {
  ScheduleKind kind = ScheduleKind::kConstant;
  double learning_rate = 0.0;  // the peak
  double min_learning_rate = 0.0;
  size_t warmup = 0;
  size_t steps = 1;
};

// Rate of step 0 .. steps - 1. Warm-up rises linearly and is never 0; the cosine (Loshchilov and
// Hutter 2017) runs from the peak at step `warmup` to the minimum at step `steps`.
inline double LearningRate(const Schedule& schedule, size_t step) {
  const double peak = schedule.learning_rate, low = schedule.min_learning_rate;
  const double at = static_cast<double>(step), warmup = static_cast<double>(schedule.warmup);
  if (step < schedule.warmup) return peak * (at + 1.0) / (warmup + 1.0);
  if (schedule.kind == ScheduleKind::kConstant) return peak;
  const double fraction = (at - warmup) / (static_cast<double>(schedule.steps) - warmup);
  return low + 0.5 * (peak - low) * (1.0 + std::cos(std::numbers::pi * fraction));
}

}  // namespace heed::reference

#endif  // HEED_TESTS_REFERENCE_SCHEDULE_H_
