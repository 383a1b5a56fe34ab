// SPDX-License-Identifier: MIT
// What the engine can do at most: multiply-adds on registers alone, at the width of the kernels.
#ifndef HEED_BENCH_PEAK_H_
#define HEED_BENCH_PEAK_H_

#include <cstddef>

namespace heed::bench {

// Name of the SIMD variant that the kernels of this build run on: "simd128", "AVX2", ...
const char* SimdVariant();

// Finds the best of loops with 4 to 16 independent accumulators, then times it on demand.
class Peak {
 public:
  // Takes 72 times sample_ms and 8 times warm_ms.
  Peak(double sample_ms, double warm_ms);

  // GFLOP/s of one sample; a multiply-add counts as two operations.
  double Sample() const;
  size_t accumulators() const { return accumulators_; }

 private:
  double SampleOf(size_t loop, size_t iterations) const;

  size_t loop_ = 0;
  size_t iterations_ = 0;
  size_t accumulators_ = 0;
};

}  // namespace heed::bench

#endif  // HEED_BENCH_PEAK_H_
