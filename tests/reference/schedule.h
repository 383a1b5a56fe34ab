// SPDX-License-Identifier: MIT
#ifndef HEED_TESTS_REFERENCE_SCHEDULE_H_
#define HEED_TESTS_REFERENCE_SCHEDULE_H_

#include <cmath>
#include <cstddef>
#include <numbers>

namespace heed::reference {

enum class ScheduleKind { kConstant, kCosine, kLinear, kWsd };

struct Schedule {
  ScheduleKind kind = ScheduleKind::kConstant;
  double learning_rate = 0.0;  // the peak
  double min_learning_rate = 0.0;
  size_t warmup = 0;
  size_t steps = 1;
  double decay_fraction = 0.2;  // wsd only
};

// Rate of step 0 .. steps - 1. Warm-up rises linearly and is never 0; the cosine (Loshchilov and
// Hutter 2017) runs from the peak at step `warmup` to the minimum at step `steps`, as does the line;
// wsd (Hu et al. 2024) falls on a line over the last part of the steps.
inline double LearningRate(const Schedule& schedule, size_t step) {
  const double peak = schedule.learning_rate, low = schedule.min_learning_rate;
  const double at = static_cast<double>(step), warmup = static_cast<double>(schedule.warmup);
  if (step < schedule.warmup) return peak * (at + 1.0) / (warmup + 1.0);
  if (schedule.kind == ScheduleKind::kConstant) return peak;
  const double end = static_cast<double>(schedule.steps);
  const double fraction = (at - warmup) / (end - warmup);
  if (schedule.kind == ScheduleKind::kLinear) return peak + (low - peak) * fraction;
  if (schedule.kind == ScheduleKind::kWsd) {
    const double begin = std::fmax(warmup, end * (1.0 - schedule.decay_fraction));
    return at <= begin ? peak : peak + (low - peak) * (at - begin) / (end - begin);
  }
  return low + 0.5 * (peak - low) * (1.0 + std::cos(std::numbers::pi * fraction));
}

}  // namespace heed::reference

#endif  // HEED_TESTS_REFERENCE_SCHEDULE_H_
