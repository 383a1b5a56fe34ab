// SPDX-License-Identifier: MIT
// Root mean square normalization (Zhang, Sennrich 2019): y = x / sqrt(mean(x^2) + epsilon) * weight.
#ifndef HEED_KERNELS_RMS_NORM_H_
#define HEED_KERNELS_RMS_NORM_H_

#include "base/span.h"

namespace heed {

// x, y (N, C), y may be x; weight (C); rstd (N) is written for the backward pass.
void RmsNormForward(ConstMatrix x, ConstSpan weight, float epsilon, Matrix<float> y,
                    Span<float> rstd);

// d_x (N, C) is overwritten and may be d_y; d_weight (C) accumulates, rows in ascending order.
void RmsNormBackward(ConstMatrix d_y, ConstMatrix x, ConstSpan weight, ConstSpan rstd,
                     Matrix<float> d_x, Span<float> d_weight);

}  // namespace heed

#endif  // HEED_KERNELS_RMS_NORM_H_
