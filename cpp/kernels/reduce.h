// SPDX-License-Identifier: MIT
#ifndef HEED_KERNELS_REDUCE_H_
#define HEED_KERNELS_REDUCE_H_

#include "base/span.h"

namespace heed {

// Sum of squares, held in f64: 128 values of 1e19 give 1.28e40. NaN or infinity if an element is.
double SumOfSquares(ConstSpan x);

// Whether every element is finite, by its exponent bits: no comparison that fast math or a target's
// min/max could change.
bool AllFinite(ConstSpan x);

// Index of the largest element, the first of equals; size >= 1. A NaN is never chosen unless all are.
size_t ArgMax(ConstSpan x);

}  // namespace heed

#endif  // HEED_KERNELS_REDUCE_H_
