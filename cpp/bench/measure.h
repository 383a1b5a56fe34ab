// SPDX-License-Identifier: MIT
// Timing on a machine that others use too. Figures of merit are ratios, so what is compared is
// timed in turns of about a millisecond. Of a block of turns the best counts, for both sides: a
// turn that was preempted says nothing. Of the blocks the median counts: clock rates vary with
// heat.
#ifndef HEED_BENCH_MEASURE_H_
#define HEED_BENCH_MEASURE_H_

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/clock.h"

namespace heed::bench {

// Milliseconds that `function` takes when called `calls` times.
template <class Function>
double TimeMs(size_t calls, Function&& function) {
  const double start = NowMs();
  for (size_t i = 0; i < calls; ++i) function();
  return NowMs() - start;
}

// How often to call `function` so that it takes about `target_ms`. Runs it for `warm_ms` first: V8
// starts with unoptimised code and swaps it in the background, perhaps half a second later. The
// best of several timings decides: a preempted one would make every later sample too short for the
// clock (5 microseconds in an isolated page).
template <class Function>
size_t CallsFor(double target_ms, double warm_ms, Function&& function) {
  for (const double end = NowMs() + warm_ms; NowMs() < end;) function();
  for (size_t calls = 1;; calls *= 2) {
    double best = TimeMs(calls, function);
    for (int repeat = 0; repeat < 7; ++repeat) best = std::min(best, TimeMs(calls, function));
    if (best < 0.5 * target_ms) continue;
    const double ideal = static_cast<double>(calls) * target_ms / best;
    return ideal < 1.0 ? 1 : static_cast<size_t>(ideal);
  }
}

// The middle value; of an even number the lower of two. values must not be empty; it is reordered.
double Median(std::vector<double>& values);

double GeometricMean(const std::vector<double>& values);

}  // namespace heed::bench

#endif  // HEED_BENCH_MEASURE_H_
