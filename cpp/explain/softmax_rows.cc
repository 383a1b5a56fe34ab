// SPDX-License-Identifier: MIT
#include "explain/softmax_rows.h"

#include "kernels/softmax.h"

namespace heed {

void MaskedSoftmax(ConstSpan scores, Span<const uint8_t> visible, Span<float> row,
                   Span<float> weights) {
  // Only what is visible goes through the kernel: no infinities, and zeros that are exact.
  size_t count = 0;
  for (size_t j = 0; j < visible.size; ++j) {
    if (visible[j] != 0) row[count++] = scores.empty() ? 0.0f : scores[j];
  }
  const Span<float> packed = row.Slice(0, count);
  Softmax(packed, packed);
  count = 0;
  for (size_t j = 0; j < visible.size; ++j) {
    weights[j] = visible[j] != 0 ? row[count++] : 0.0f;
  }
}

void SoftmaxRowsBackward(ConstMatrix weights, Matrix<float> gradients) {
  for (size_t i = 0; i < weights.rows; ++i) {
    double sum = 0.0, mean = 0.0;
    for (size_t j = 0; j < weights.cols; ++j) {
      sum += weights(i, j);
      mean += double{weights(i, j)} * gradients(i, j);
    }
    if (sum > 0.0) mean /= sum;
    for (size_t j = 0; j < weights.cols; ++j) {
      gradients(i, j) = static_cast<float>(weights(i, j) * (gradients(i, j) - mean));
    }
  }
}

}  // namespace heed
