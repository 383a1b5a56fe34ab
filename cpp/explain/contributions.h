// SPDX-License-Identifier: MIT
// A projection's gradient as the sum of what tokens and pairs of tokens add to it. For one head, with
// the score gradients dS of scaled scores, x the projections' input, g the gradient of c:
//   dW_Q = sum_ij dS_ij scale x_i (x) k_j    dW_K = sum_ij dS_ij scale x_j (x) q_i
//   dW_V = sum_ij A_ij x_j (x) g_i
// With RoPE, k_j and q_i are turned back by the position of the row that they meet.
#ifndef HEED_EXPLAIN_CONTRIBUTIONS_H_
#define HEED_EXPLAIN_CONTRIBUTIONS_H_

#include <cstddef>
#include <cstdint>

#include "base/span.h"
#include "base/status.h"
#include "explain/trace.h"

namespace heed {

enum class Projection : uint8_t { kQuery, kKey, kValue };

// Below this norm relative to that of the whole gradient a share is rounding noise: float sums of a few
// hundred terms are good to about 1e-5.
inline constexpr double kSmallestMeaningfulNorm = 1e-6;

struct ContributionSums {
  double squared_norm = 0.0;  // of the head's part of the gradient
  bool meaningful = false;    // norm above kSmallestMeaningfulNorm of the whole gradient's and above 0
};

// Signed shares <part, gradient> / <gradient, gradient>, which sum to 1; 0 when not meaningful. pairs
// (T x T) by (i, j): row i looks at column j. tokens (T) by i for queries, by j for keys and values,
// sums of pairs. The head's gradient is that of this head alone, where key heads are shared too.
// Errors: kBadState without gradients, kInvalidArgument (layer, head, a projection the model has not).
Result<ContributionSums> Contributions(const Trace& trace, Projection projection, size_t layer,
                                       size_t head, Span<double> tokens, Span<double> pairs);

}  // namespace heed

#endif  // HEED_EXPLAIN_CONTRIBUTIONS_H_
