// SPDX-License-Identifier: MIT
#ifndef HEED_KERNELS_EMBEDDING_H_
#define HEED_KERNELS_EMBEDDING_H_

#include <cstdint>

#include "base/span.h"

namespace heed {

// Row n of out (N, C) = row tokens[n] of table (V, C). Tokens are in [0, V): the caller has checked.
void EmbeddingForward(Span<const int32_t> tokens, ConstMatrix table, Matrix<float> out);

// Row tokens[n] of d_table (V, C) += row n of d_out (N, C), n ascending: repeated tokens add up.
void EmbeddingBackward(Span<const int32_t> tokens, ConstMatrix d_out, Matrix<float> d_table);

}  // namespace heed

#endif  // HEED_KERNELS_EMBEDDING_H_
