// SPDX-License-Identifier: MIT
#include "kernels/rope.h"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rope.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After foreach_target:
#include "hwy/highway.h"
#include "kernels/rope-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace {

void RopeRotate(RopeLayout layout, RopeDirection direction, ConstMatrix cosines,
                ConstMatrix sines, size_t first_position, size_t period, Matrix<float> x) {
  const hn::ScalableTag<float> d;
  const size_t pairs = cosines.cols;
  const float sign = direction == RopeDirection::kForward ? 1.0f : -1.0f;
  for (size_t row = 0; row < x.rows; ++row) {
    const size_t position = first_position + row % period;
    const float* c = cosines.Row(position);
    const float* s = sines.Row(position);
    float* head = x.Row(row);
    for (size_t col = 0; col < x.cols; col += 2 * pairs) {
      if (layout == RopeLayout::kHalves) {
        RotateHalves(d, pairs, c, s, sign, head + col);
      } else {
        RotateInterleaved(d, pairs, c, s, sign, head + col);
      }
    }
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heed {

HWY_EXPORT(RopeRotate);

void FillRopeTables(float base, Matrix<float> cosines, Matrix<float> sines,
                    uint64_t first_position) {
  HEED_DCHECK(cosines.rows == sines.rows && cosines.cols == sines.cols);
  const double pairs = static_cast<double>(cosines.cols);
  for (size_t i = 0; i < cosines.cols; ++i) {
    const double frequency = std::pow(double{base}, -static_cast<double>(i) / pairs);
    for (size_t t = 0; t < cosines.rows; ++t) {
      const double angle = static_cast<double>(first_position + t) * frequency;
      cosines(t, i) = static_cast<float>(std::cos(angle));
      sines(t, i) = static_cast<float>(std::sin(angle));
    }
  }
}

void RopeRotate(RopeLayout layout, RopeDirection direction, ConstMatrix cosines,
                ConstMatrix sines, size_t first_position, size_t period, Matrix<float> x) {
  HEED_DCHECK(cosines.rows == sines.rows && cosines.cols == sines.cols);
  if (x.rows == 0 || x.cols == 0) return;
  HEED_DCHECK(cosines.cols > 0 && x.cols % (2 * cosines.cols) == 0 && period > 0);
  HEED_DCHECK(first_position + (x.rows < period ? x.rows : period) <= cosines.rows);
  HWY_DYNAMIC_DISPATCH(RopeRotate)
  (layout, direction, cosines, sines, first_position, period, x);
}

}  // namespace heed
#endif  // HWY_ONCE
