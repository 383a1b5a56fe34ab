// SPDX-License-Identifier: MIT
#include "model/sampler.h"

#include <algorithm>

#include "base/philox.h"
#include "kernels/elementwise.h"
#include "kernels/reduce.h"
#include "kernels/softmax.h"

namespace heed {
namespace {

// Uniform in (0, 1) with 53 bits: 24 bits would never reach tokens rarer than 6e-8.
double UniformDouble(const PhiloxBlock& bits) {
  const uint64_t high = uint64_t{bits[0]} << 21 | bits[1] >> 11;
  return (static_cast<double>(high) + 0.5) / 9007199254740992.0;
}

}  // namespace

Status CheckSampling(const SamplingConfig& config) {
  if (!(config.temperature >= 0.0 && config.temperature <= 1e6)) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "temperature is %g; it must be at least 0 (0 takes the likeliest token) "
                         "and at most 1e6",
                         config.temperature);
  }
  if (!(config.top_p > 0.0 && config.top_p <= 1.0)) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "topP is %g; it must be above 0 and at most 1 (1 keeps all tokens)",
                         config.top_p);
  }
  return Status();
}

Result<SamplingPool> PoolOf(const SamplingConfig& config, ConstSpan logits,
                            Span<float> probabilities, Span<int32_t> order) {
  if (!AllFinite(logits)) {
    return Status::Error(StatusCode::kNonFinite,
                         "a logit is not finite, so no token can be chosen; the weights or the "
                         "last training step are damaged: go back to an earlier state");
  }
  if (config.temperature == 0.0) {
    const size_t likeliest = ArgMax(logits);
    order[0] = static_cast<int32_t>(likeliest);
    probabilities[likeliest] = 1.0f;
    return SamplingPool{1, 1.0};
  }

  // Subtracting the maximum first keeps logits / temperature finite for any temperature.
  const float largest = logits[ArgMax(logits)];
  const auto inverse = static_cast<float>(1.0 / config.temperature);
  for (size_t i = 0; i < logits.size; ++i) {
    probabilities[i] = std::max((logits[i] - largest) * inverse, -1e30f);
  }
  Softmax(probabilities, probabilities);

  // Likeliest first. A total order: equal probabilities go by id, so any sort gives the same result.
  const size_t vocab = logits.size;
  for (size_t i = 0; i < vocab; ++i) order[i] = static_cast<int32_t>(i);
  const auto likelier = [&](int32_t a, int32_t b) {
    const float pa = probabilities[static_cast<size_t>(a)];
    const float pb = probabilities[static_cast<size_t>(b)];
    return pa != pb ? pa > pb : a < b;
  };
  size_t kept = config.top_k > 0 ? std::min<size_t>(config.top_k, vocab) : vocab;
  std::partial_sort(order.begin(), order.begin() + kept, order.end(), likelier);
  double total = 0.0;
  for (size_t i = 0; i < kept; ++i) total += double{probabilities[static_cast<size_t>(order[i])]};
  if (config.top_p < 1.0) {
    const double wanted = config.top_p * total;
    double sum = 0.0;
    size_t count = 0;
    while (count < kept && sum < wanted) {
      sum += double{probabilities[static_cast<size_t>(order[count++])]};
    }
    kept = count;
    total = sum;
  }
  return SamplingPool{kept, total};
}

int32_t DrawToken(const SamplingConfig& config, uint64_t draw, const SamplingPool& pool,
                  ConstSpan probabilities, Span<const int32_t> order) {
  const PhiloxBlock bits = RandomBits(config.seed, RandomStream::kSampling,
                                      static_cast<uint32_t>(draw), static_cast<uint32_t>(draw >> 32));
  double left = UniformDouble(bits) * pool.total;
  for (size_t i = 0; i + 1 < pool.size; ++i) {
    left -= double{probabilities[static_cast<size_t>(order[i])]};
    if (left < 0.0) return order[i];
  }
  return order[pool.size - 1];
}

}  // namespace heed
