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

}  // namespace heed

#endif  // HEED_EXPLAIN_SOFTMAX_ROWS_H_
