// SPDX-License-Identifier: MIT
// A difference of two logits as the sum of what wrote it: every edge of one layer's attention, the
// other layers' outputs, the embedding, the biases. The scale of the final norm is held at its present
// value, which makes the head linear (the convention of Elhage et al. 2021).
#ifndef HEED_EXPLAIN_LOGIT_PARTS_H_
#define HEED_EXPLAIN_LOGIT_PARTS_H_

#include <cstddef>
#include <cstdint>

#include "base/span.h"
#include "base/status.h"
#include "explain/trace.h"

namespace heed {

struct LogitQuestion {
  size_t layer = 0;
  size_t row = 0;
  int32_t target = 0;
  int32_t rival = 0;
};

struct LogitPartSums {
  double difference = 0.0;  // logits[row][target] - logits[row][rival]
  double embedding = 0.0;   // token and position
  double bias = 0.0;        // of the layer's output projection, and of the final norm
};

// edges (H T): A_ij v_j W_O of head h and column j, by h T + j. attention (L): outputs of the other
// layers, 0 for the layer asked for. feed_forward (L). All terms sum to `difference`. Errors:
// kInvalidArgument (ranges; a post-norm model, whose norms rescale every part again; no layers).
Result<LogitPartSums> LogitParts(const Trace& trace, const LogitQuestion& question,
                                 Span<double> edges, Span<double> attention,
                                 Span<double> feed_forward);

}  // namespace heed

#endif  // HEED_EXPLAIN_LOGIT_PARTS_H_
