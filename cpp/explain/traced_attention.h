// SPDX-License-Identifier: MIT
// The attention layer with everything between its steps kept: the plain twin of the trained path,
// head by head in the order of the formulas, with the places where a what-if can reach in.
#ifndef HEED_EXPLAIN_TRACED_ATTENTION_H_
#define HEED_EXPLAIN_TRACED_ATTENTION_H_

#include <cstddef>
#include <cstdint>

#include "base/span.h"
#include "explain/trace_matrices.h"
#include "explain/what_if.h"
#include "layers/attention.h"
#include "model/config.h"
#include "model/plan.h"

namespace heed {

// Memory that one layer's pass needs for its own ends.
struct TracedAttentionBuffers {
  Matrix<float> softmax;        // (H T, T) weights before an edge was cut; kept for backward
  QueryKeyNormSaved norm;       // kept for backward
  Matrix<float> flow_q;         // (T, H D) gradients on their way to the projections
  Matrix<float> flow_k;         // (T, Hk D)
  Matrix<float> flow_v;         // (T, Hk D)
  Matrix<float> flow_c;         // (T, D)
  Matrix<float> flow_s;         // (T, T)
  Span<float> row;              // (T)
  Span<uint8_t> visible;        // (T)
  Span<float> scratch;          // packed operands
};
// Without `softmax` and `norm`, which each layer has for itself, and `scratch`, which others share.
TracedAttentionBuffers PlanTracedAttention(const ModelConfig& config, uint64_t time,
                                           Planner* planner);
uint64_t TracedAttentionScratchFloats(const ModelConfig& config, uint64_t time);

struct TracedAttention {
  const ModelConfig& config;
  AttentionShape shape;  // of one sequence
  AttentionParams<const float> params;
  Span<const WhatIf> what_ifs;
  size_t layer;
  TracedAttentionBuffers buffers;
};

// From values.x to q, k, v, s, a, c, o and y.
void TracedAttentionForward(const TracedAttention& pass, const TraceLayer& values);

// From gradients.y to those of o, c, a, s, q, k, v and x. What a what-if has fixed hands no gradient
// on; gradients of a at masked cells are 0. d_params accumulate.
void TracedAttentionBackward(const TracedAttention& pass, const TraceLayer& values,
                             const TraceLayer& gradients, const AttentionParams<float>& d_params);

}  // namespace heed

#endif  // HEED_EXPLAIN_TRACED_ATTENTION_H_
