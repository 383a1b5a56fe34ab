// SPDX-License-Identifier: MIT
// The loss of one example under many small changes, a forward pass each.
#ifndef HEED_EXPLAIN_SWEEP_H_
#define HEED_EXPLAIN_SWEEP_H_

#include <cstddef>

#include "base/span.h"
#include "base/status.h"
#include "explain/trace.h"

namespace heed {

// losses[n] (mean, nats) with by[n] added to one scaled score. `score` says which; it has been checked
// with the trace's model. kNonFinite when a loss is not. The trace is as before afterwards.
Status SweepScore(Trace* trace, WhatIf score, ConstSpan by, Span<double> losses);

// One row of a head.
struct EdgeRow {
  size_t layer = 0;
  size_t head = 0;
  size_t row = 0;
};

// Likewise. losses (T): with the edge from the row to column j cut, NaN where the mask hides it.
// `renormalise` gives its share to the rest of the row. kInvalidArgument for a row there is not.
Status CutEdges(Trace* trace, const EdgeRow& at, bool renormalise, Span<double> losses);

// Likewise. losses (H): with a head of the layer cut, its output 0 or its mean over the rows.
// kInvalidArgument for a layer there is not.
Status CutHeads(Trace* trace, size_t layer, bool mean, Span<double> losses);

}  // namespace heed

#endif  // HEED_EXPLAIN_SWEEP_H_
