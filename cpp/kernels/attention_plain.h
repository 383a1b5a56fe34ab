// SPDX-License-Identifier: MIT
// The plain twin of kernels/attention.h: it keeps the whole weight matrix. The oracle of the tiled
// kernel, and what is shown to people.
#ifndef HEED_KERNELS_ATTENTION_PLAIN_H_
#define HEED_KERNELS_ATTENTION_PLAIN_H_

#include "base/span.h"
#include "kernels/attention.h"

namespace heed {

// As AttentionForward; weights (Tq, Tk) gets softmax of the scores before dropout, exactly 0 where
// a key is masked.
void AttentionPlainForward(ConstMatrix q, ConstMatrix k, ConstMatrix v,
                           const AttentionOptions& options, Matrix<float> out,
                           Matrix<float> weights);

// As AttentionBackward, from the weights of the forward pass. d_scores (Tq, Tk) gets the gradient
// of the scores, 0 where masked.
void AttentionPlainBackward(ConstMatrix d_out, ConstMatrix q, ConstMatrix k, ConstMatrix v,
                            ConstMatrix weights, const AttentionOptions& options,
                            Matrix<float> d_scores, Matrix<float> d_q, Matrix<float> d_k,
                            Matrix<float> d_v);

}  // namespace heed

#endif  // HEED_KERNELS_ATTENTION_PLAIN_H_
