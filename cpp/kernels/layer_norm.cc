// SPDX-License-Identifier: MIT
#include "kernels/layer_norm.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/layer_norm.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After foreach_target:
#include "hwy/highway.h"
#include "kernels/layer_norm-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace {

void LayerNormForward(ConstMatrix x, ConstSpan weight, ConstSpan bias, float epsilon,
                      Matrix<float> y, Span<float> mean, Span<float> rstd) {
  const hn::ScalableTag<float> d;
  for (size_t row = 0; row < x.rows; ++row) {
    LayerNormRow(d, x.cols, x.Row(row), weight.data, bias.empty() ? nullptr : bias.data, epsilon,
                 y.Row(row), mean[row], rstd[row]);
  }
}

void LayerNormBackward(ConstMatrix d_y, ConstMatrix x, ConstSpan weight, ConstSpan mean,
                       ConstSpan rstd, Matrix<float> d_x, Span<float> d_weight,
                       Span<float> d_bias) {
  const hn::ScalableTag<float> d;
  for (size_t row = 0; row < x.rows; ++row) {
    if (d_bias.empty()) {
      LayerNormRowBackward<false>(d, x.cols, d_y.Row(row), x.Row(row), weight.data, mean[row],
                                  rstd[row], d_x.Row(row), d_weight.data, nullptr);
    } else {
      LayerNormRowBackward<true>(d, x.cols, d_y.Row(row), x.Row(row), weight.data, mean[row],
                                 rstd[row], d_x.Row(row), d_weight.data, d_bias.data);
    }
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heed {

HWY_EXPORT(LayerNormForward);
HWY_EXPORT(LayerNormBackward);

void LayerNormForward(ConstMatrix x, ConstSpan weight, ConstSpan bias, float epsilon,
                      Matrix<float> y, Span<float> mean, Span<float> rstd) {
  HEED_DCHECK(y.rows == x.rows && y.cols == x.cols && weight.size == x.cols);
  HEED_DCHECK(bias.empty() || bias.size == x.cols);
  HEED_DCHECK(mean.size == x.rows && rstd.size == x.rows);
  if (x.cols == 0) return;
  HWY_DYNAMIC_DISPATCH(LayerNormForward)(x, weight, bias, epsilon, y, mean, rstd);
}

void LayerNormBackward(ConstMatrix d_y, ConstMatrix x, ConstSpan weight, ConstSpan mean,
                       ConstSpan rstd, Matrix<float> d_x, Span<float> d_weight,
                       Span<float> d_bias) {
  HEED_DCHECK(d_y.rows == x.rows && d_y.cols == x.cols);
  HEED_DCHECK(d_x.rows == x.rows && d_x.cols == x.cols);
  HEED_DCHECK(weight.size == x.cols && d_weight.size == x.cols);
  HEED_DCHECK(d_bias.empty() || d_bias.size == x.cols);
  HEED_DCHECK(mean.size == x.rows && rstd.size == x.rows);
  HWY_DYNAMIC_DISPATCH(LayerNormBackward)(d_y, x, weight, mean, rstd, d_x, d_weight, d_bias);
}

}  // namespace heed
#endif  // HWY_ONCE
