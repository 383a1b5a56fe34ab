// SPDX-License-Identifier: MIT
// Calls of the explaining half; conventions as in calls.h.
#ifndef HEED_WASM_CALLS_EXPLAIN_H_
#define HEED_WASM_CALLS_EXPLAIN_H_

#include "base/status.h"
#include "explain/contributions.h"
#include "wasm/engine.h"
#include "wasm/replies.h"

namespace heed::calls {

TraceReply CreateTrace(double model, double tokens, double targets, double what_ifs,
                       bool gradients);
BytesReply TraceFloats(double trace, TracePart part);
HandleReply ListTrace(double trace);
HandleReply TraceContributions(double trace, Projection projection, double layer, double head);
HandleReply TraceLogitParts(double trace, double layer, double row, double target, double rival);
HandleReply SweepTrace(double trace, double layer, double head, double row, double column,
                       double by);
HandleReply CutTraceEdges(double trace, double layer, double head, double row, bool renormalise);
HandleReply CutTraceHeads(double trace, double layer, bool mean);
HandleReply PatchTrace(double trace, double from, PassPoint point, double layer, double first,
                       double count, double row, double target, double rival);
HandleReply ReadTraceLens(double trace, double place, double top);
HandleReply Attend(double matrices, double visible, double time, double width, double head_width,
                   double value_width, double scale);
HandleReply AttendBackward(double matrices, double visible, double d_out, double time,
                           double width, double head_width, double value_width, double scale);

}  // namespace heed::calls

#endif  // HEED_WASM_CALLS_EXPLAIN_H_
