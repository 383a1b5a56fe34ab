// SPDX-License-Identifier: MIT
#include "kernels/rms_norm.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rms_norm.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After foreach_target:
#include "hwy/highway.h"
#include "kernels/rms_norm-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace {

void RmsNormForward(ConstMatrix x, ConstSpan weight, float epsilon, Matrix<float> y,
                    Span<float> rstd) {
  for (size_t row = 0; row < x.rows; ++row) {
    RmsNormRow(hn::ScalableTag<float>(), x.cols, x.Row(row), weight.data, epsilon, y.Row(row),
               rstd[row]);
  }
}

void RmsNormBackward(ConstMatrix d_y, ConstMatrix x, ConstSpan weight, ConstSpan rstd,
                     Matrix<float> d_x, Span<float> d_weight) {
  for (size_t row = 0; row < x.rows; ++row) {
    RmsNormRowBackward(hn::ScalableTag<float>(), x.cols, d_y.Row(row), x.Row(row), weight.data,
                       rstd[row], d_x.Row(row), d_weight.data);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heed {

HWY_EXPORT(RmsNormForward);
HWY_EXPORT(RmsNormBackward);

void RmsNormForward(ConstMatrix x, ConstSpan weight, float epsilon, Matrix<float> y,
                    Span<float> rstd) {
  HEED_DCHECK(y.rows == x.rows && y.cols == x.cols && weight.size == x.cols);
  HEED_DCHECK(rstd.size == x.rows);
  if (x.cols == 0) return;
  HWY_DYNAMIC_DISPATCH(RmsNormForward)(x, weight, epsilon, y, rstd);
}

void RmsNormBackward(ConstMatrix d_y, ConstMatrix x, ConstSpan weight, ConstSpan rstd,
                     Matrix<float> d_x, Span<float> d_weight) {
  HEED_DCHECK(d_y.rows == x.rows && d_y.cols == x.cols);
  HEED_DCHECK(d_x.rows == x.rows && d_x.cols == x.cols);
  HEED_DCHECK(weight.size == x.cols && d_weight.size == x.cols && rstd.size == x.rows);
  HWY_DYNAMIC_DISPATCH(RmsNormBackward)(d_y, x, weight, rstd, d_x, d_weight);
}

}  // namespace heed
#endif  // HWY_ONCE
