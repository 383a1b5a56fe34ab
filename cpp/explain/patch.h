// SPDX-License-Identifier: MIT
// Activation patching: a pass in which one activation is another pass's, and what that does to a
// difference of two logits (causal tracing, Meng et al. 2022; Wang et al. 2022).
#ifndef HEED_EXPLAIN_PATCH_H_
#define HEED_EXPLAIN_PATCH_H_

#include <cstddef>
#include <cstdint>

#include "base/span.h"
#include "base/status.h"
#include "explain/trace.h"

namespace heed {

struct PatchQuestion {
  PassPoint point = PassPoint::kStream;
  size_t row = 0;
  int32_t target = 0;
  int32_t rival = 0;
};

// logits[row][target] - logits[row][rival]
struct LogitDifferences {
  double own = 0.0;   // of the trace
  double from = 0.0;  // of the other one
};

// differences[n]: of the trace's pass with the activation of one place of the layer, number first + n,
// replaced by that of `from`. A place is a position; with kHeads it is a head, at all positions. Each
// pass starts behind the replaced activation. `from` may be the trace itself. The trace is as before
// afterwards. Errors: kInvalidArgument (traces of different length or models of different shape,
// ranges, no layers, kFeedForward without feed-forward layers), kNonFinite.
Result<LogitDifferences> PatchActivations(Trace* trace, const Trace& from,
                                          const PatchQuestion& question, size_t layer, size_t first,
                                          Span<double> differences);

}  // namespace heed

#endif  // HEED_EXPLAIN_PATCH_H_
