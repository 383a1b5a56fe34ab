// SPDX-License-Identifier: MIT
// Scaled dot-product attention of one head (Vaswani et al. 2017), tiled with the online
// softmax of Dao et al. (2022): memory is linear in T, no weight matrix is kept.
//
// Shapes: q, out (Tq, D), k, v (Tk, D), any row stride; Tq <= Tk. Query i sits at position
// Tk - Tq + i and, when causal, sees keys 0 .. that position or the window that ends there, so cached
// decoding (Tq = 1) is the same call.
#ifndef HEED_KERNELS_ATTENTION_H_
#define HEED_KERNELS_ATTENTION_H_

#include <cstddef>
#include <cstdint>

#include "base/span.h"
#include "kernels/dropout.h"

namespace heed {

// The score that softmax reads is softcap tanh(scale q.k / softcap) - slope distance; a softcap of 0
// leaves the tanh out (Bello et al. 2017, Gemma Team 2024), the slope is that of ALiBi (Press et al.
// 2022) and the distance that of the two positions.
struct AttentionOptions {
  float scale = 1.0f;
  float softcap = 0.0f;
  float slope = 0.0f;
  bool causal = true;   // false: every query sees every key
  // With causal: a query sees its own key and the window - 1 before it; 0 sees all of them.
  size_t window = 0;
  // For one query whose keys lie in a ring: the row of its own key, after which the oldest follow.
  static constexpr size_t kLast = SIZE_MAX;
  size_t newest = kLast;
  DropoutSite dropout;  // of the weights, element (i, j); weights still sum to 1 before it

  bool shaped() const { return softcap > 0.0f || slope != 0.0f; }
};

// Floats of scratch for a head of these sizes, for both directions.
size_t AttentionScratchFloats(size_t query_time, size_t key_time, size_t head_width);

// out is overwritten; lse (Tq) gets the log of each row's softmax denominator, log sum exp(s_ij).
void AttentionForward(ConstMatrix q, ConstMatrix k, ConstMatrix v, const AttentionOptions& options,
                      Matrix<float> out, Span<float> lse, Span<float> scratch);

// d_q (Tq, D) is overwritten; d_k, d_v (Tk, D) accumulate, since several query heads may share
// them. out and lse are the forward pass's results.
void AttentionBackward(ConstMatrix d_out, ConstMatrix q, ConstMatrix k, ConstMatrix v,
                       ConstMatrix out, ConstSpan lse, const AttentionOptions& options,
                       Matrix<float> d_q, Matrix<float> d_k, Matrix<float> d_v,
                       Span<float> scratch);

}  // namespace heed

#endif  // HEED_KERNELS_ATTENTION_H_
