// SPDX-License-Identifier: MIT

// Per-target include guard.
#if defined(HEED_KERNELS_ATTENTION_PLAIN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEED_KERNELS_ATTENTION_PLAIN_INL_H_
#undef HEED_KERNELS_ATTENTION_PLAIN_INL_H_
#else
#define HEED_KERNELS_ATTENTION_PLAIN_INL_H_
#endif

#include <cstddef>

#include "base/span.h"
#include "hwy/highway.h"
#include "kernels/attention.h"
#include "kernels/attention_row-inl.h"
#include "kernels/softmax-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D>
HWY_INLINE void PlainForward(D d, const ConstMatrix& q, const ConstMatrix& k, const ConstMatrix& v,
                             const AttentionOptions& options, const Matrix<float>& out,
                             const Matrix<float>& weights) {
  for (size_t i = 0; i < q.rows; ++i) {
    const size_t visible = VisibleKeys(options, q.rows, k.rows, i);
    float* row = weights.Row(i);
    ScoreRow(d, q.Row(i), k, visible, options.scale, row);
    SoftmaxRow(d, row, visible, row);
    for (size_t j = visible; j < k.rows; ++j) row[j] = 0.0f;
    WeightedValues(d, row, v, options.dropout, i, visible, out.Row(i));
  }
}

template <class D>
HWY_INLINE void PlainBackward(D d, const ConstMatrix& d_out, const ConstMatrix& q,
                              const ConstMatrix& k, const ConstMatrix& v,
                              const ConstMatrix& weights, const AttentionOptions& options,
                              const Matrix<float>& d_scores, const Matrix<float>& d_q,
                              const Matrix<float>& d_k, const Matrix<float>& d_v) {
  for (size_t i = 0; i < q.rows; ++i) {
    const size_t visible = VisibleKeys(options, q.rows, k.rows, i);
    const float* weight = weights.Row(i);
    float* row = d_scores.Row(i);
    // out = sum_j weight_j factor_j v_j; row holds d_weight.
    ForDropoutFactors(options.dropout, i, visible, [&](size_t j, float factor) HEED_LAMBDA {
      row[j] = factor * Dot(d, d_out.Row(i), v.Row(j), v.cols);
      AddScaled(d, weight[j] * factor, d_out.Row(i), v.cols, d_v.Row(j));
    });
    // weight = softmax(score): d_score = weight * (d_weight - sum_j weight_j d_weight_j).
    const float mean = Dot(d, weight, row, visible);
    for (size_t j = 0; j < visible; ++j) row[j] = weight[j] * (row[j] - mean);
    for (size_t j = visible; j < k.rows; ++j) row[j] = 0.0f;
    // score_j = scale q.k_j
    float* d_query = d_q.Row(i);
    for (size_t c = 0; c < q.cols; ++c) d_query[c] = 0.0f;
    for (size_t j = 0; j < visible; ++j) {
      AddScaled(d, options.scale * row[j], k.Row(j), k.cols, d_query);
      AddScaled(d, options.scale * row[j], q.Row(i), q.cols, d_k.Row(j));
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
