// SPDX-License-Identifier: MIT
// Sums over equal shapes and over repeated rows: residual joins, position tables, biases.
#ifndef HEED_KERNELS_ELEMENTWISE_H_
#define HEED_KERNELS_ELEMENTWISE_H_

#include "base/span.h"

namespace heed {

// y += x; same size.
void AddTo(ConstSpan x, Span<float> y);

// out = a + b; same size; out may be a or b.
void Add(ConstSpan a, ConstSpan b, Span<float> out);

// y = x * factor; y may be x.
void Scale(ConstSpan x, float factor, Span<float> y);

// Row r of x (N, C) += row r % table.rows of table (T, C). N is a multiple of T.
void AddRepeatedRows(ConstMatrix table, Matrix<float> x);

// Row t of d_table (T, C) += the sum of the rows t, t + T, t + 2T, ... of d_x (N, C), ascending.
void AccumulateRepeatedRows(ConstMatrix d_x, Matrix<float> d_table);

// sums (C) += the column sums of x (N, C), rows in ascending order.
void AccumulateColumnSums(ConstMatrix x, Span<float> sums);

}  // namespace heed

#endif  // HEED_KERNELS_ELEMENTWISE_H_
