// SPDX-License-Identifier: MIT
// Every value a pass over the model keeps, and where it lies.
#ifndef HEED_MODEL_ACTIVATIONS_H_
#define HEED_MODEL_ACTIVATIONS_H_

#include <cstdint>

#include "layers/attention.h"
#include "layers/feed_forward.h"
#include "layers/norm.h"
#include "model/config.h"
#include "model/plan.h"

namespace heed {

enum class PassKind : uint8_t {
  kInference,  // layers share two sets of buffers in turn
  kTraining,   // every layer keeps its own, and there are buffers for gradients
};

// Values of one block, all (N, C) unless said otherwise. Pre:  normed1 = norm1(x), sum1 = x +
// attention(normed1), normed2 = norm2(sum1), sum2 = sum1 + ffn(normed2).  Post: sum1 = x +
// attention(x), normed1 = norm1(sum1), sum2 = normed1 + ffn(normed1), normed2 = norm2(sum2).
// Without norm the normed views are the views they would be made from; without ffn the second half
// is absent.
struct BlockActivations {
  Matrix<float> normed1;
  NormSaved norm1;
  AttentionSaved attention;
  Matrix<float> sum1;
  Matrix<float> normed2;
  NormSaved norm2;
  FeedForwardSaved ffn;
  Matrix<float> sum2;
  // What the block hands on: a view of one of the above.
  Matrix<float> output;
};

// Gradients that exist while one block's backward pass runs; blocks share them.
struct BackwardBuffers {
  Matrix<float> d_stream;  // of the residual stream
  Matrix<float> d_branch;
  Matrix<float> d_dropped;  // d_stream behind a branch's dropout; only with dropout
  AttentionSaved d_attention;
  FeedForwardSaved d_ffn;
};

struct Activations {
  Matrix<float> embedded;
  Span<BlockActivations> blocks;  // L, or min(L, 2) for inference
  Matrix<float> normed;           // final norm; a view of the last block's output without one
  NormSaved norm;
  BackwardBuffers backward;  // training only
  Span<float> scratch;

  BlockActivations& Block(size_t layer) const { return blocks[layer % blocks.size]; }
};

// Empty without the norm.
QueryKeyNormSaved PlanQueryKeyNorm(const ModelConfig& config, uint64_t rows, Planner* planner);

// Lays out a pass over `batch` sequences of `time` tokens.
Activations PlanActivations(const ModelConfig& config, uint64_t batch, uint64_t time, PassKind kind,
                            Planner* planner);

}  // namespace heed

#endif  // HEED_MODEL_ACTIVATIONS_H_
