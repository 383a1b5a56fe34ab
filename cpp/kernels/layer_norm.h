// SPDX-License-Identifier: MIT
// Layer normalization (Ba, Kiros, Hinton 2016): y = (x - mean) * rstd * weight + bias over each row.
#ifndef HEED_KERNELS_LAYER_NORM_H_
#define HEED_KERNELS_LAYER_NORM_H_

#include "base/span.h"

namespace heed {

// x, y (N, C), y may be x; weight (C); bias (C) or empty; mean, rstd (N), written for the backward
// pass. Variance is two-pass and biased (divided by C); a constant row gives exactly the bias; rows
// up to 1e30 do not overflow.
void LayerNormForward(ConstMatrix x, ConstSpan weight, ConstSpan bias, float epsilon,
                      Matrix<float> y, Span<float> mean, Span<float> rstd);

// d_x (N, C) is overwritten and may be d_y; d_weight and d_bias (C; d_bias may be empty) accumulate,
// rows in ascending order.
void LayerNormBackward(ConstMatrix d_y, ConstMatrix x, ConstSpan weight, ConstSpan mean,
                       ConstSpan rstd, Matrix<float> d_x, Span<float> d_weight,
                       Span<float> d_bias);

}  // namespace heed

#endif  // HEED_KERNELS_LAYER_NORM_H_
