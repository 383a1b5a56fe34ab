// SPDX-License-Identifier: MIT
#include "kernels/embedding.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/embedding.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After foreach_target:
#include "hwy/highway.h"
#include "kernels/embedding-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace {

void EmbeddingForward(Span<const int32_t> tokens, ConstMatrix table, Matrix<float> out) {
  GatherRows(hn::ScalableTag<float>(), tokens, table, out);
}

void EmbeddingBackward(Span<const int32_t> tokens, ConstMatrix d_out, Matrix<float> d_table) {
  ScatterAddRows(hn::ScalableTag<float>(), tokens, d_out, d_table);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heed {

HWY_EXPORT(EmbeddingForward);
HWY_EXPORT(EmbeddingBackward);

void EmbeddingForward(Span<const int32_t> tokens, ConstMatrix table, Matrix<float> out) {
  HEED_DCHECK(tokens.size == out.rows && table.cols == out.cols);
  HWY_DYNAMIC_DISPATCH(EmbeddingForward)(tokens, table, out);
}

void EmbeddingBackward(Span<const int32_t> tokens, ConstMatrix d_out, Matrix<float> d_table) {
  HEED_DCHECK(tokens.size == d_out.rows && d_table.cols == d_out.cols);
  HWY_DYNAMIC_DISPATCH(EmbeddingBackward)(tokens, d_out, d_table);
}

}  // namespace heed
#endif  // HWY_ONCE
