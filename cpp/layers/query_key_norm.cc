// SPDX-License-Identifier: MIT
#include "layers/query_key_norm.h"

#include "kernels/rms_norm.h"
#include "layers/norm.h"

namespace heed {

Matrix<float> HeadRows(Matrix<float> m, size_t head_width) {
  HEED_DCHECK(m.stride == m.cols && m.cols % head_width == 0);
  return Matrix<float>(m.data, m.rows * (m.cols / head_width), head_width);
}

void QueryKeyNormForward(const QueryKeyNormParams<const float>& params, size_t head_width,
                         const QueryKeyNormSaved& saved, Matrix<float> q, Matrix<float> k) {
  const auto norm = [&](Matrix<float> x, ConstSpan weight, Span<float> rstd, Matrix<float> y) {
    const Matrix<float> rows = HeadRows(x, head_width);
    RmsNormForward(rows, weight, kNormEpsilon, HeadRows(y, head_width), rstd.Slice(0, rows.rows));
  };
  norm(saved.q, params.query, saved.q_rstd, q);
  norm(saved.k, params.key, saved.k_rstd, k);
}

void QueryKeyNormBackward(const QueryKeyNormParams<const float>& params, size_t head_width,
                          const QueryKeyNormSaved& saved, Matrix<float> d_q, Matrix<float> d_k,
                          const QueryKeyNormParams<float>& d_params) {
  const auto norm = [&](Matrix<float> d, Matrix<float> x, ConstSpan weight, ConstSpan rstd,
                        Span<float> d_weight) {
    const Matrix<float> rows = HeadRows(d, head_width);
    RmsNormBackward(rows, HeadRows(x, head_width), weight, rstd.Slice(0, rows.rows), rows,
                    d_weight);
  };
  norm(d_q, saved.q, params.query, saved.q_rstd, d_params.query);
  norm(d_k, saved.k, params.key, saved.k_rstd, d_params.key);
}

}  // namespace heed
