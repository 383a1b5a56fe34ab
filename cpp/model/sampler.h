// SPDX-License-Identifier: MIT
// Chooses the next token from logits.
#ifndef HEED_MODEL_SAMPLER_H_
#define HEED_MODEL_SAMPLER_H_

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

// Token of draw number `draw` from logits (V); top-k is applied before top-p, ties go to lower ids.
// probabilities (V) and order (V) are workspace. kNonFinite when a logit is not finite.
Result<int32_t> SampleToken(const SamplingConfig& config, uint64_t draw, ConstSpan logits,
                            Span<float> probabilities, Span<int32_t> order);

}  // namespace heed

#endif  // HEED_MODEL_SAMPLER_H_
