// SPDX-License-Identifier: MIT
// What the head would say of the residual stream on its way: the final norm and the head applied to
// every place of it (the logit lens, nostalgebraist 2020).
#ifndef HEED_EXPLAIN_LENS_H_
#define HEED_EXPLAIN_LENS_H_

#include <cstddef>
#include <cstdint>

#include "base/span.h"
#include "base/status.h"
#include "explain/trace.h"

namespace heed {

// The distinct places in the order of the pass: r of each layer and, where there are feed-forward
// layers, its m; then last.
size_t LensPlaces(const ModelConfig& config);

// Per row of a place.
struct LensRows {
  Span<int32_t> ids;          // (T top) likeliest first, equal logits by id
  Span<float> probabilities;  // (T top)
  Span<double> target;        // (T) probability of the target, NaN where none counts
  Span<int32_t> rank;         // (T) the target's, 1 for the likeliest, 0 where none counts
  Span<double> entropy;       // (T) nats
};

// At the last place the probabilities are the trace's own, bit for bit; the trace is as before
// afterwards. Errors: kInvalidArgument (a place there is not, top outside 1 to V), kNonFinite.
Status ReadLens(Trace* trace, size_t place, size_t top, const LensRows& rows);

}  // namespace heed

#endif  // HEED_EXPLAIN_LENS_H_
