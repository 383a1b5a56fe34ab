// SPDX-License-Identifier: MIT
#include "kernels/dropout.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/dropout.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After foreach_target:
#include "hwy/highway.h"
#include "kernels/dropout-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace {

void DropoutFactors(const DropoutSite& dropout, uint32_t row, size_t first,
                    Span<float> factors) {
  FillFactors(hn::ScalableTag<float>(), dropout, row, first, factors.size, factors.data);
}

void ApplyDropout(const DropoutSite& dropout, uint32_t first_row, Matrix<float> x) {
  for (size_t row = 0; row < x.rows; ++row) {
    DropRow(hn::ScalableTag<float>(), dropout, first_row + static_cast<uint32_t>(row), x.cols,
            x.Row(row));
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heed {

HWY_EXPORT(DropoutFactors);
HWY_EXPORT(ApplyDropout);

void DropoutFactors(const DropoutSite& dropout, uint32_t row, size_t first,
                    Span<float> factors) {
  HEED_DCHECK(dropout.probability >= 0.0f && dropout.probability < 1.0f);
  HWY_DYNAMIC_DISPATCH(DropoutFactors)(dropout, row, first, factors);
}

void ApplyDropout(const DropoutSite& dropout, uint32_t first_row, Matrix<float> x) {
  HEED_DCHECK(dropout.probability >= 0.0f && dropout.probability < 1.0f);
  if (!dropout.active()) return;
  HWY_DYNAMIC_DISPATCH(ApplyDropout)(dropout, first_row, x);
}

}  // namespace heed
#endif  // HWY_ONCE
