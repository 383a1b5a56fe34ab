// SPDX-License-Identifier: MIT
// Timing on a machine that others use too. Figures of merit are ratios, so what is compared is
// timed in turns of about a millisecond. Of a block of turns the best counts, for both sides: a turn
// that was preempted says nothing. Of the blocks the median counts: clock rates vary with heat.
#ifndef HEED_BENCH_MEASURE_H_
#define HEED_BENCH_MEASURE_H_

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
// starts with unoptimised code and swaps it in the background, perhaps half a second later.
template <class Function>
size_t CallsFor(double target_ms, double warm_ms, Function&& function) {
  const double end = NowMs() + warm_ms;
  size_t calls = 1;
  while (true) {
    const double ms = TimeMs(calls, function);
    if (ms < 0.5 * target_ms) {
      calls *= 2;
    } else if (NowMs() >= end) {
      const double ideal = static_cast<double>(calls) * target_ms / ms;
      return ideal < 1.0 ? 1 : static_cast<size_t>(ideal);
    } else if (ms > 2.0 * target_ms && calls > 1) {
      calls /= 2;
    }
  }
}

// The middle value; of an even number the lower of two. values must not be empty; it is reordered.
double Median(std::vector<double>& values);

double GeometricMean(const std::vector<double>& values);

}  // namespace heed::bench

#endif  // HEED_BENCH_MEASURE_H_
