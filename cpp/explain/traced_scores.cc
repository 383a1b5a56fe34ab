// SPDX-License-Identifier: MIT
#include "explain/traced_scores.h"

#include <cmath>

#include "kernels/elementwise.h"
#include "layers/alibi.h"

namespace heed {

void ScoresFromProducts(const AttentionShape& shape, size_t head, float scale,
                        Matrix<float> scores) {
  Scale(scores.Flat(), scale, scores.Flat());
  if (shape.softcap > 0.0f) {
    for (float& score : scores.Flat()) {
      score = static_cast<float>(shape.softcap * std::tanh(double{score} / shape.softcap));
    }
  }
  if (!shape.alibi) return;
  const double slope = AlibiSlope(head, shape.heads);
  for (size_t i = 0; i < scores.rows; ++i) {
    for (size_t j = 0; j < scores.cols; ++j) {
      const double distance = std::abs(static_cast<double>(i) - static_cast<double>(j));
      scores(i, j) = static_cast<float>(scores(i, j) - slope * distance);
    }
  }
}

double ScoreSlope(const AttentionShape& shape, float scale, ConstSpan q, ConstSpan k) {
  if (shape.softcap <= 0.0f) return scale;
  double product = 0.0;
  for (size_t c = 0; c < q.size; ++c) product += double{q[c]} * k[c];
  const double t = std::tanh(product * scale / shape.softcap);
  return scale * (1.0 - t * t);
}

void ScoresBackward(const AttentionShape& shape, float scale, ConstMatrix q, ConstMatrix k,
                    Matrix<float> gradients) {
  if (shape.softcap <= 0.0f) {
    Scale(gradients.Flat(), scale, gradients.Flat());
    return;
  }
  for (size_t i = 0; i < gradients.rows; ++i) {
    for (size_t j = 0; j < gradients.cols; ++j) {
      gradients(i, j) = static_cast<float>(
          gradients(i, j) * ScoreSlope(shape, scale, q.RowSpan(i), k.RowSpan(j)));
    }
  }
}

}  // namespace heed
