// SPDX-License-Identifier: MIT
#ifndef HEED_EXPLAIN_SOFTMAX_ROWS_H_
#define HEED_EXPLAIN_SOFTMAX_ROWS_H_

#include <cstdint>

#include "base/span.h"

namespace heed {

// weights = softmax over the visible scores, exactly 0 elsewhere; all 0 when nothing is visible.
// Scores without elements count as equal. `row` has room for the scores.
void MaskedSoftmax(ConstSpan scores, Span<const uint8_t> visible, Span<float> row,
                   Span<float> weights);

// gradients: in of the weights, out of the scores: dS_ij = A_ij (dA_ij - sum_k A_ik dA_ik). The mean is
// taken in double and over the row's own sum, so that rows sum to 0 far below the size of their terms.
void SoftmaxRowsBackward(ConstMatrix weights, Matrix<float> gradients);

}  // namespace heed

#endif  // HEED_EXPLAIN_SOFTMAX_ROWS_H_
