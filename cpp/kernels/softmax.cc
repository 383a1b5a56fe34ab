// SPDX-License-Identifier: MIT
#include "kernels/softmax.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/softmax.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After foreach_target:
#include "hwy/highway.h"
#include "kernels/softmax-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace {

void Softmax(ConstSpan x, Span<float> y) {
  SoftmaxRow(hn::ScalableTag<float>(), x.data, x.size, y.data);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heed {

HWY_EXPORT(Softmax);

void Softmax(ConstSpan x, Span<float> y) {
  HEED_DCHECK(x.size == y.size);
  HWY_DYNAMIC_DISPATCH(Softmax)(x, y);
}

}  // namespace heed
#endif  // HWY_ONCE
