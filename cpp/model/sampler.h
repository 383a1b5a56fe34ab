// SPDX-License-Identifier: MIT
// Chooses the next token from logits.
#ifndef HEED_MODEL_SAMPLER_H_
#define HEED_MODEL_SAMPLER_H_

#include <cstddef>
#include <cstdint>

#include "base/span.h"
#include "base/status.h"

namespace heed {

struct SamplingConfig {
  double temperature = 1.0;  // 0: the likeliest token, the lowest id of equals
  uint32_t top_k = 0;        // keep the k likeliest; 0 or >= V keeps all
  double top_p = 1.0;        // keep the fewest likeliest tokens with this much probability, (0, 1]
  uint64_t seed = 0;
};

// kInvalidArgument naming the option, its value and its range.
Status CheckSampling(const SamplingConfig& config);

// The tokens that a draw chooses from: the first `size` of an order, and their probabilities' sum.
struct SamplingPool {
  size_t size = 0;
  double total = 0.0;
};

// From logits (V): temperature, then top-k, then top-p. Leaves the probabilities (V) and the ids (V),
// likeliest first as far as the pool goes, equal ones by id. kNonFinite when a logit is not finite.
Result<SamplingPool> PoolOf(const SamplingConfig& config, ConstSpan logits,
                            Span<float> probabilities, Span<int32_t> order);
// Token of draw number `draw`.
int32_t DrawToken(const SamplingConfig& config, uint64_t draw, const SamplingPool& pool,
                  ConstSpan probabilities, Span<const int32_t> order);

}  // namespace heed

#endif  // HEED_MODEL_SAMPLER_H_
