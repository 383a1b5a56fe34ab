// SPDX-License-Identifier: MIT
#include "kernels/lion.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/lion.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After foreach_target:
#include "hwy/highway.h"
#include "kernels/lion-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace {

void LionUpdate(const LionStep& step, ConstSpan gradient, Span<float> parameter, Span<float> m) {
  const hn::ScalableTag<float> d;
  if (step.weight_decay != 0.0f) {
    LionVectors<true>(d, step, parameter.size, gradient.data, parameter.data, m.data);
  } else {
    LionVectors<false>(d, step, parameter.size, gradient.data, parameter.data, m.data);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heed {

HWY_EXPORT(LionUpdate);

void LionUpdate(const LionStep& step, ConstSpan gradient, Span<float> parameter, Span<float> m) {
  HEED_DCHECK(gradient.size == parameter.size && m.size == parameter.size);
  HWY_DYNAMIC_DISPATCH(LionUpdate)(step, gradient, parameter, m);
}

}  // namespace heed
#endif  // HWY_ONCE
