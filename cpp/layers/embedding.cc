// SPDX-License-Identifier: MIT
#include "layers/embedding.h"

#include <cmath>

#include "kernels/elementwise.h"
#include "kernels/embedding.h"

namespace heed {

void FillSinusoidalPositions(Matrix<float> positions) {
  const auto width = static_cast<double>(positions.cols);
  for (size_t t = 0; t < positions.rows; ++t) {
    for (size_t c = 0; c < positions.cols; ++c) {
      const double angle =
          static_cast<double>(t) * std::pow(10000.0, -static_cast<double>(c - c % 2) / width);
      positions(t, c) = static_cast<float>(c % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
  }
}

void EmbeddingLayerForward(Span<const int32_t> tokens, size_t time, ConstMatrix table,
                           ConstMatrix positions, Matrix<float> x) {
  EmbeddingForward(tokens, table, x);
  if (positions.rows > 0) AddRepeatedRows(positions.Rows(0, time), x);
}

void EmbeddingLayerBackward(Span<const int32_t> tokens, size_t time, ConstMatrix d_x,
                            Matrix<float> d_table, Matrix<float> d_positions) {
  EmbeddingBackward(tokens, d_x, d_table);
  if (d_positions.rows > 0) AccumulateRepeatedRows(d_x, d_positions.Rows(0, time));
}

}  // namespace heed
