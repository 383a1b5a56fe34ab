// SPDX-License-Identifier: MIT
#ifndef HEED_KERNELS_SOFTMAX_H_
#define HEED_KERNELS_SOFTMAX_H_

#include "base/span.h"

namespace heed {

// y = exp(x - max x) / sum; y may be x; size 0 does nothing. A NaN in x makes the whole row NaN.
// Rows sum to 1 within 1e-6.
void Softmax(ConstSpan x, Span<float> y);

}  // namespace heed

#endif  // HEED_KERNELS_SOFTMAX_H_
