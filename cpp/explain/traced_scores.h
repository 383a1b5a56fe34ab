// SPDX-License-Identifier: MIT
// From q.k to the scores that softmax reads, written out for a trace: scale, soft cap, ALiBi.
#ifndef HEED_EXPLAIN_TRACED_SCORES_H_
#define HEED_EXPLAIN_TRACED_SCORES_H_

#include <cstddef>

#include "base/span.h"
#include "layers/attention.h"

namespace heed {

// scores (T, T) comes as q.k of one head and leaves as its scores; `scale` is the shape's, or that of a
// what-if.
void ScoresFromProducts(const AttentionShape& shape, size_t head, float scale,
                        Matrix<float> scores);

// gradients (T, T): in of the scores, out of q.k. `q`, `k` are the head's (T, D), turned by RoPE.
void ScoresBackward(const AttentionShape& shape, float scale, ConstMatrix q, ConstMatrix k,
                    Matrix<float> gradients);

// d score / d q.k of one pair.
double ScoreSlope(const AttentionShape& shape, float scale, ConstSpan q, ConstSpan k);

}  // namespace heed

#endif  // HEED_EXPLAIN_TRACED_SCORES_H_
