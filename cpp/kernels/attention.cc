// SPDX-License-Identifier: MIT
#include "kernels/attention.h"

#include "kernels/attention_blocks.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/attention.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After foreach_target:
#include "hwy/highway.h"
#include "kernels/attention-inl.h"
#include "kernels/attention_backward-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace {

void ForwardTiles(const ForwardHead& head) { TiledForward(head); }

void ForwardRows(const ConstMatrix& q, const ConstMatrix& k, const ConstMatrix& v,
                 const AttentionOptions& options, const Matrix<float>& out, const Span<float>& lse,
                 float* scores) {
  RowsForward(q, k, v, options, out, lse, scores);
}

void BackwardTiles(BackwardHead& head) { TiledBackward(head); }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>

namespace heed {

HWY_EXPORT(ForwardTiles);
HWY_EXPORT(ForwardRows);
HWY_EXPORT(BackwardTiles);
namespace {

// Fewer query rows than this go one by one: packing the keys would cost more than it saves.
constexpr size_t kFewQueries = 4;

}  // namespace

size_t AttentionScratchFloats(size_t query_time, size_t key_time, size_t head_width) {
  const size_t rows = query_time < kFewQueries ? key_time : 0;
  const size_t forward = ForwardScratch(nullptr, query_time, head_width).cursor.used();
  const size_t backward = BackwardScratch(nullptr, head_width).cursor.used();
  return std::max({rows, forward, backward});
}

void AttentionForward(ConstMatrix q, ConstMatrix k, ConstMatrix v, const AttentionOptions& options,
                      Matrix<float> out, Span<float> lse, Span<float> scratch) {
  HEED_DCHECK(q.rows <= k.rows && k.rows == v.rows && q.rows == out.rows && lse.size == q.rows);
  HEED_DCHECK(q.cols == k.cols && q.cols == v.cols && q.cols == out.cols);
  HEED_DCHECK(scratch.size >= AttentionScratchFloats(q.rows, k.rows, q.cols));
  if (q.rows < kFewQueries) {
    HWY_DYNAMIC_DISPATCH(ForwardRows)(q, k, v, options, out, lse, scratch.data);
    return;
  }
  HWY_DYNAMIC_DISPATCH(ForwardTiles)
  (ForwardHead{q, k, v, options, out, lse, ForwardScratch(scratch.data, q.rows, q.cols)});
}

void AttentionBackward(ConstMatrix d_out, ConstMatrix q, ConstMatrix k, ConstMatrix v,
                       ConstMatrix out, ConstSpan lse, const AttentionOptions& options,
                       Matrix<float> d_q, Matrix<float> d_k, Matrix<float> d_v,
                       Span<float> scratch) {
  HEED_DCHECK(q.rows <= k.rows && k.rows == v.rows && q.rows == out.rows && lse.size == q.rows);
  HEED_DCHECK(q.cols == k.cols && q.cols == v.cols && q.cols == out.cols);
  HEED_DCHECK(d_out.rows == q.rows && d_out.cols == q.cols);
  HEED_DCHECK(d_q.rows == q.rows && d_k.rows == k.rows && d_v.rows == v.rows);
  HEED_DCHECK(d_q.cols == q.cols && d_k.cols == q.cols && d_v.cols == q.cols);
  HEED_DCHECK(scratch.size >= AttentionScratchFloats(q.rows, k.rows, q.cols));
  BackwardHead head{
      d_out, q, k, v, out, lse, options, d_q, d_k, d_v, BackwardScratch(scratch.data, q.cols)};
  HWY_DYNAMIC_DISPATCH(BackwardTiles)(head);
}

}  // namespace heed
#endif  // HWY_ONCE
