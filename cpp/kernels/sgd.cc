// SPDX-License-Identifier: MIT
#include "kernels/sgd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/sgd.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After foreach_target:
#include "hwy/highway.h"
#include "kernels/sgd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace {

void SgdUpdate(const SgdStep& step, ConstSpan gradient, Span<float> parameter,
               Span<float> velocity) {
  const hn::ScalableTag<float> d;
  if (step.weight_decay != 0.0f) {
    SgdVectors<true>(d, step, parameter.size, gradient.data, parameter.data, velocity.data);
  } else {
    SgdVectors<false>(d, step, parameter.size, gradient.data, parameter.data, velocity.data);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heed {

HWY_EXPORT(SgdUpdate);

void SgdUpdate(const SgdStep& step, ConstSpan gradient, Span<float> parameter,
               Span<float> velocity) {
  HEED_DCHECK(gradient.size == parameter.size && velocity.size == parameter.size);
  HWY_DYNAMIC_DISPATCH(SgdUpdate)(step, gradient, parameter, velocity);
}

}  // namespace heed
#endif  // HWY_ONCE
