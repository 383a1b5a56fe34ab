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
    const VisibleRuns runs(options, q.rows, k.rows, i);
    const KeyRange keys = runs.run[0].keys;
    float* row = weights.Row(i);
    ScoreRuns(d, q.Row(i), k, runs, options, row + keys.first);
    SoftmaxRow(d, row + keys.first, keys.size(), row + keys.first);
    for (size_t j = 0; j < keys.first; ++j) row[j] = 0.0f;
    for (size_t j = keys.end; j < k.rows; ++j) row[j] = 0.0f;
    WeightedValues(d, row + keys.first, v, options.dropout, i, runs, out.Row(i));
  }
}

template <class D>
HWY_INLINE void PlainBackward(D d, const ConstMatrix& d_out, const ConstMatrix& q,
                              const ConstMatrix& k, const ConstMatrix& v,
                              const ConstMatrix& weights, const AttentionOptions& options,
                              const Matrix<float>& d_scores, const Matrix<float>& d_q,
                              const Matrix<float>& d_k, const Matrix<float>& d_v) {
  for (size_t i = 0; i < q.rows; ++i) {
    const VisibleRuns runs(options, q.rows, k.rows, i);
    const KeyRange keys = runs.run[0].keys;
    const float* weight = weights.Row(i);
    float* row = d_scores.Row(i);
    // out = sum_j weight_j factor_j v_j; row holds d_weight.
    ForDropoutFactors(options.dropout, i, keys, [&](size_t j, float factor) HEED_LAMBDA {
      row[j] = factor * Dot(d, d_out.Row(i), v.Row(j), v.cols);
      AddScaled(d, weight[j] * factor, d_out.Row(i), v.cols, d_v.Row(j));
    });
    // weight = softmax(score): d_score = weight * (d_weight - sum_j weight_j d_weight_j).
    const float mean = Dot(d, weight + keys.first, row + keys.first, keys.size());
    for (size_t j = keys.first; j < keys.end; ++j) row[j] = weight[j] * (row[j] - mean);
    for (size_t j = 0; j < keys.first; ++j) row[j] = 0.0f;
    for (size_t j = keys.end; j < k.rows; ++j) row[j] = 0.0f;
    float* d_query = d_q.Row(i);
    for (size_t c = 0; c < q.cols; ++c) d_query[c] = 0.0f;
    for (size_t j = keys.first; j < keys.end; ++j) {
      float slope = Dot(d, q.Row(i), k.Row(j), k.cols);
      ScoreSlopes(d, options, 1, &slope, &slope);
      AddScaled(d, slope * row[j], k.Row(j), k.cols, d_query);
      AddScaled(d, slope * row[j], q.Row(i), q.cols, d_k.Row(j));
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
