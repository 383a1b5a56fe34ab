// SPDX-License-Identifier: MIT
// Attention as a plain function of the caller's own matrices, and its backward pass:
//   Q = X W_Q, K = X W_K, V = X W_V, S = scale Q K^T, A = softmax of the visible part of each row,
//   C = A V (Vaswani et al. 2017).
#ifndef HEED_EXPLAIN_ATTENTION_FUNCTION_H_
#define HEED_EXPLAIN_ATTENTION_FUNCTION_H_

#include <cstdint>

#include "base/arena.h"
#include "base/span.h"
#include "base/status.h"
#include "model/plan.h"

namespace heed {

struct AttentionArguments {
  ConstMatrix x;    // (T, C)
  ConstMatrix w_q;  // (C, D)
  ConstMatrix w_k;  // (C, D)
  ConstMatrix w_v;  // (C, Dv), or without data: V = X
  Span<const uint8_t> visible;  // (T T): 1 where row i may look at column j; each row has a 1
  float scale = 1.0f;
};

struct AttentionResults {
  Matrix<float> q, k, v;  // (T, D), (T, D), (T, Dv)
  Matrix<float> scores;   // (T, T) before the mask
  Matrix<float> weights;  // (T, T)
  Matrix<float> out;      // (T, Dv)
};

// Gradients of some function of `out`.
struct AttentionResultGradients {
  Matrix<float> q, k, v, scores, weights;  // scores and weights 0 where hidden
  Matrix<float> x, w_q, w_k, w_v;
};

// Shapes that fit, finite elements and a visible column in every row, or kInvalidArgument naming the
// argument.
Status CheckAttentionArguments(const AttentionArguments& arguments);

AttentionResults PlanAttentionResults(const AttentionArguments& arguments, Planner* planner);
AttentionResultGradients PlanAttentionGradients(const AttentionArguments& arguments,
                                                Planner* planner);

// Arguments have been checked. kOutOfMemory for the scratch; kNonFinite when a result is not finite.
Status AttentionFunction(const AttentionArguments& arguments, const AttentionResults& results);
// d_out (T, Dv). `results` are those of the forward pass.
Status AttentionFunctionBackward(const AttentionArguments& arguments,
                                 const AttentionResults& results, ConstMatrix d_out,
                                 const AttentionResultGradients& gradients);

}  // namespace heed

#endif  // HEED_EXPLAIN_ATTENTION_FUNCTION_H_
