// SPDX-License-Identifier: MIT
// The attention layer: project to queries, keys and values, mix the values of each head, project
// back. H query heads share Hk key and value heads in runs of H / Hk (Ainslie et al. 2023).
#ifndef HEED_LAYERS_ATTENTION_H_
#define HEED_LAYERS_ATTENTION_H_

#include <cstddef>
#include <cstdint>

#include "base/span.h"
#include "kernels/dropout.h"
#include "kernels/rope.h"
#include "layers/linear.h"
#include "layers/query_key_norm.h"

namespace heed {

// Projections may be absent (no data): without queries and keys the weights are uniform over what is
// visible, without a value projection V = x, without an output projection y is the heads' mixed
// values.
template <typename T>
struct AttentionParams {
  LinearParams<T> query;   // (C, H D)
  LinearParams<T> key;     // (C, Hk D)
  LinearParams<T> value;   // (C, Hk D)
  LinearParams<T> output;  // (H D, C)
  QueryKeyNormParams<T> norm = {};
};

// Rotary tables; absent (cosines.rows == 0) without RoPE.
struct RopeTables {
  RopeLayout layout = RopeLayout::kHalves;
  ConstMatrix cosines;  // (T, D/2)
  ConstMatrix sines;    // (T, D/2)
  bool active() const { return cosines.rows > 0; }
};

struct AttentionShape {
  size_t batch = 0;  // B
  size_t time = 0;   // T
  size_t heads = 0;
  size_t kv_heads = 0;
  size_t head_width = 0;
  float scale = 1.0f;
  float softcap = 0.0f;  // kernels/attention.h
  bool alibi = false;    // each head's scores fall with distance, layers/alibi.h
  bool causal = true;
  size_t window = 0;  // kernels/attention.h
  RopeTables rope;
};

// What backward needs of forward; a second one (without lse) holds the gradients of the same values.
struct AttentionSaved {
  Matrix<float> q;      // (B T, H D), turned by RoPE
  Matrix<float> k;      // (B T, Hk D), turned by RoPE
  Matrix<float> v;      // (B T, Hk D)
  Matrix<float> mixed;  // (B T, H D), the heads' weighted sums of values, side by side
  Span<float> lse;      // (B H T)
  QueryKeyNormSaved norm = {};  // of the values only
};

// Dropout of the weights; head h of sequence b uses site first_site + b * H + h.
struct AttentionDropout {
  float probability = 0.0f;
  uint64_t key = 0;
  uint32_t first_site = 0;
};

// The layer's parts, for passes that keep what lies between them. q (N, H D), k, v (N, Hk D).
void ProjectToHeads(ConstMatrix x, const AttentionParams<const float>& params, Matrix<float> q,
                    Matrix<float> k, Matrix<float> v, Span<float> scratch);
// d_x (N, C) is overwritten; d_params accumulate. Gradients of q and k from before RoPE.
void ProjectToHeadsBackward(ConstMatrix x, const AttentionParams<const float>& params,
                            Matrix<float> d_q, Matrix<float> d_k, Matrix<float> d_v,
                            Matrix<float> d_x, const AttentionParams<float>& d_params,
                            Span<float> scratch);
// mixed (N, H D), y (N, C).
void ProjectFromHeads(ConstMatrix mixed, const LinearParams<const float>& output, Matrix<float> y,
                      Span<float> scratch);
// d_mixed is overwritten; d_output accumulates.
void ProjectFromHeadsBackward(ConstMatrix d_y, ConstMatrix mixed,
                              const LinearParams<const float>& output, Matrix<float> d_mixed,
                              const LinearParams<float>& d_output, Span<float> scratch);

// Turns queries and keys of `shape.time` positions in place; nothing without RoPE.
void RotateQueriesKeys(const AttentionShape& shape, RopeDirection direction, Matrix<float> q,
                       Matrix<float> k);

// Floats of scratch for both directions; kAlignment-aligned.
uint64_t AttentionLayerScratchFloats(uint64_t batch, uint64_t time, uint64_t width, uint64_t heads,
                                     uint64_t kv_heads, uint64_t head_width);

// x, y (B T, C). With `weights` (B H T, T) not empty the plain twin runs and leaves the weights
// there, 0 above the diagonal; lse is not written then.
void AttentionLayerForward(const AttentionShape& shape, ConstMatrix x,
                           const AttentionParams<const float>& params,
                           const AttentionDropout& dropout, const AttentionSaved& saved,
                           Matrix<float> y, Matrix<float> weights, Span<float> scratch);

// d_x (B T, C) is overwritten and may be d_y. d_saved is workspace.
void AttentionLayerBackward(const AttentionShape& shape, ConstMatrix d_y, ConstMatrix x,
                            const AttentionParams<const float>& params,
                            const AttentionDropout& dropout, const AttentionSaved& saved,
                            const AttentionSaved& d_saved, Matrix<float> d_x,
                            const AttentionParams<float>& d_params, Span<float> scratch);

// Keys and values of the tokens so far, for one sequence.
struct KeyValueCache {
  Matrix<float> k;  // (capacity, Hk D), turned by RoPE
  Matrix<float> v;  // (capacity, Hk D)
};

// Decodes x (N, C), one sequence (shape.batch and shape.time are not used). Its keys and values go
// to rows first_row .. first_row + N - 1 of the cache; `keys` rows of it are then valid. For N > 1
// the new rows must be the last ones (causal order); with N == 1 a full cache may be a ring, whose rows
// after the new one are the oldest. Rope tables hold the N new positions in rows 0 .. N - 1. q, mixed (N,
// H D) are workspace.
void AttentionLayerDecode(const AttentionShape& shape, ConstMatrix x,
                          const AttentionParams<const float>& params, const KeyValueCache& cache,
                          size_t first_row, size_t keys, Matrix<float> q, Matrix<float> mixed,
                          Matrix<float> y, Span<float> scratch);

}  // namespace heed

#endif  // HEED_LAYERS_ATTENTION_H_
