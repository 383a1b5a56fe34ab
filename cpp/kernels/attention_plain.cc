// SPDX-License-Identifier: MIT
#include "kernels/attention_plain.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/attention_plain.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After foreach_target:
#include "hwy/highway.h"
#include "kernels/attention_plain-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace {

void AttentionPlainForward(ConstMatrix q, ConstMatrix k, ConstMatrix v,
                           const AttentionOptions& options, Matrix<float> out,
                           Matrix<float> weights) {
  PlainForward(hn::ScalableTag<float>(), q, k, v, options, out, weights);
}

void AttentionPlainBackward(ConstMatrix d_out, ConstMatrix q, ConstMatrix k, ConstMatrix v,
                            ConstMatrix weights, const AttentionOptions& options,
                            Matrix<float> d_scores, Matrix<float> d_q, Matrix<float> d_k,
                            Matrix<float> d_v) {
  PlainBackward(hn::ScalableTag<float>(), d_out, q, k, v, weights, options, d_scores, d_q, d_k,
                d_v);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heed {

HWY_EXPORT(AttentionPlainForward);
HWY_EXPORT(AttentionPlainBackward);

void AttentionPlainForward(ConstMatrix q, ConstMatrix k, ConstMatrix v,
                           const AttentionOptions& options, Matrix<float> out,
                           Matrix<float> weights) {
  HEED_DCHECK(q.rows <= k.rows && k.rows == v.rows && q.rows == out.rows);
  HEED_DCHECK(q.cols == k.cols && v.cols == out.cols);
  HEED_DCHECK(weights.rows == q.rows && weights.cols == k.rows);
  HWY_DYNAMIC_DISPATCH(AttentionPlainForward)(q, k, v, options, out, weights);
}

void AttentionPlainBackward(ConstMatrix d_out, ConstMatrix q, ConstMatrix k, ConstMatrix v,
                            ConstMatrix weights, const AttentionOptions& options,
                            Matrix<float> d_scores, Matrix<float> d_q, Matrix<float> d_k,
                            Matrix<float> d_v) {
  HEED_DCHECK(q.rows <= k.rows && k.rows == v.rows && q.rows == d_out.rows);
  HEED_DCHECK(q.cols == k.cols && v.cols == d_out.cols);
  HEED_DCHECK(weights.rows == q.rows && weights.cols == k.rows);
  HEED_DCHECK(d_scores.rows == q.rows && d_scores.cols == k.rows);
  HEED_DCHECK(d_q.rows == q.rows && d_k.rows == k.rows && d_v.rows == v.rows);
  HEED_DCHECK(d_q.cols == q.cols && d_k.cols == k.cols && d_v.cols == v.cols);
  HWY_DYNAMIC_DISPATCH(AttentionPlainBackward)
  (d_out, q, k, v, weights, options, d_scores, d_q, d_k, d_v);
}

}  // namespace heed
#endif  // HWY_ONCE
