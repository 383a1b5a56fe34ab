// SPDX-License-Identifier: MIT
// The first layer: a row of the token table plus a row of the position table for every token.
#ifndef HEED_LAYERS_EMBEDDING_H_
#define HEED_LAYERS_EMBEDDING_H_

#include <cstddef>
#include <cstdint>

#include "base/span.h"

namespace heed {

// Fills positions (T, C): P[t, 2i] = sin(t / 10000^(2i/C)), P[t, 2i+1] = cos(the same) (Vaswani et
// al. 2017), evaluated in double. An odd C ends with a sine.
void FillSinusoidalPositions(Matrix<float> positions);

// tokens (N) are B sequences of T; table (V, C); positions (T or more, C), or without rows for none;
// x (N, C).
void EmbeddingLayerForward(Span<const int32_t> tokens, size_t time, ConstMatrix table,
                           ConstMatrix positions, Matrix<float> x);

// d_table accumulates, and d_positions unless it has no rows (fixed or no positions).
void EmbeddingLayerBackward(Span<const int32_t> tokens, size_t time, ConstMatrix d_x,
                            Matrix<float> d_table, Matrix<float> d_positions);

}  // namespace heed

#endif  // HEED_LAYERS_EMBEDDING_H_
