// SPDX-License-Identifier: MIT
#include "kernels/reduce.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/reduce.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After foreach_target:
#include "hwy/highway.h"
#include "kernels/reduce-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace {

double SumOfSquares(ConstSpan x) { return SquareSum(hn::ScalableTag<float>(), x.data, x.size); }

bool AllFinite(ConstSpan x) {
  return ExponentsBelowMax(hn::ScalableTag<float>(), x.data, x.size);
}

size_t ArgMax(ConstSpan x) {
  const hn::ScalableTag<float> d;
  const size_t index = FirstEqual(d, x.data, x.size, MaxWithoutNaN(d, x.data, x.size));
  return index < x.size ? index : 0;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heed {

HWY_EXPORT(SumOfSquares);
HWY_EXPORT(AllFinite);
HWY_EXPORT(ArgMax);

double SumOfSquares(ConstSpan x) { return HWY_DYNAMIC_DISPATCH(SumOfSquares)(x); }

bool AllFinite(ConstSpan x) { return HWY_DYNAMIC_DISPATCH(AllFinite)(x); }

size_t ArgMax(ConstSpan x) {
  HEED_DCHECK(x.size >= 1);
  return HWY_DYNAMIC_DISPATCH(ArgMax)(x);
}

}  // namespace heed
#endif  // HWY_ONCE
