// SPDX-License-Identifier: MIT
#include "kernels/adamw.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/adamw.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After foreach_target:
#include "hwy/highway.h"
#include "kernels/adamw-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace {

void AdamWUpdate(const AdamWStep& step, ConstSpan gradient, Span<float> parameter, Span<float> m,
                 Span<float> v) {
  const hn::ScalableTag<float> d;
  if (step.weight_decay != 0.0f) {
    AdamWVectors<true>(d, step, parameter.size, gradient.data, parameter.data, m.data, v.data);
  } else {
    AdamWVectors<false>(d, step, parameter.size, gradient.data, parameter.data, m.data, v.data);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heed {

HWY_EXPORT(AdamWUpdate);

void AdamWUpdate(const AdamWStep& step, ConstSpan gradient, Span<float> parameter, Span<float> m,
                 Span<float> v) {
  HEED_DCHECK(gradient.size == parameter.size);
  HEED_DCHECK(m.size == parameter.size && v.size == parameter.size);
  HWY_DYNAMIC_DISPATCH(AdamWUpdate)(step, gradient, parameter, m, v);
}

}  // namespace heed
#endif  // HWY_ONCE
