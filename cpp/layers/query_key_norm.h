// SPDX-License-Identifier: MIT
// RMS norm of every head's queries and keys, before RoPE, with one weight vector (D) for all query
// heads and one for all key heads (Henry et al. 2020; as in Qwen 3): scores cannot grow with the
// weights' length.
#ifndef HEED_LAYERS_QUERY_KEY_NORM_H_
#define HEED_LAYERS_QUERY_KEY_NORM_H_

#include <cstddef>

#include "base/span.h"

namespace heed {

// Empty without the norm.
template <typename T>
struct QueryKeyNormParams {
  Span<T> query;  // (D)
  Span<T> key;    // (D)
  bool active() const { return !query.empty(); }
};

// What backward needs of forward.
struct QueryKeyNormSaved {
  Matrix<float> q;     // (N, H D) before the norm
  Matrix<float> k;     // (N, Hk D)
  Span<float> q_rstd;  // (N H)
  Span<float> k_rstd;  // (N Hk)
};

// A (N, heads D) matrix without gaps between rows, as (N heads, D).
Matrix<float> HeadRows(Matrix<float> m, size_t head_width);

// q (N, H D), k (N, Hk D) get the norms of saved.q, saved.k, and may be these.
void QueryKeyNormForward(const QueryKeyNormParams<const float>& params, size_t head_width,
                         const QueryKeyNormSaved& saved, Matrix<float> q, Matrix<float> k);

// d_q, d_k: in of the norms, out of saved.q, saved.k. d_params accumulate.
void QueryKeyNormBackward(const QueryKeyNormParams<const float>& params, size_t head_width,
                          const QueryKeyNormSaved& saved, Matrix<float> d_q, Matrix<float> d_k,
                          const QueryKeyNormParams<float>& d_params);

}  // namespace heed

#endif  // HEED_LAYERS_QUERY_KEY_NORM_H_
