// SPDX-License-Identifier: MIT
#include "kernels/activation.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/activation.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After foreach_target:
#include "hwy/highway.h"
#include "kernels/activation-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace {

// Calls run with an object of the activation's class.
template <class Run>
HWY_INLINE void WithFunction(Activation activation, Run&& run) {
  switch (activation) {
    case Activation::kGeluTanh:
      return run(GeluTanhFunction());
    case Activation::kGeluErf:
      return run(GeluErfFunction());
    case Activation::kRelu:
      return run(ReluFunction());
    case Activation::kSilu:
      return run(SiluFunction());
    case Activation::kRelu2:
      return run(Relu2Function());
  }
}

void ActivationForward(Activation activation, ConstSpan x, Span<float> y) {
  WithFunction(activation, [&](auto function) HEED_LAMBDA {
    Forward<decltype(function)>(hn::ScalableTag<float>(), y.size, x.data, y.data);
  });
}

void ActivationBackward(Activation activation, ConstSpan x, ConstSpan d_y, Span<float> d_x) {
  WithFunction(activation, [&](auto function) HEED_LAMBDA {
    Backward<decltype(function)>(hn::ScalableTag<float>(), d_x.size, x.data, d_y.data, d_x.data);
  });
}

void GatedForward(Activation activation, ConstSpan gate, ConstSpan up, Span<float> y) {
  WithFunction(activation, [&](auto function) HEED_LAMBDA {
    ForwardGated<decltype(function)>(hn::ScalableTag<float>(), y.size, gate.data, up.data,
                                     y.data);
  });
}

void GatedBackward(Activation activation, ConstSpan gate, ConstSpan up, ConstSpan d_y,
                   Span<float> d_gate, Span<float> d_up) {
  WithFunction(activation, [&](auto function) HEED_LAMBDA {
    BackwardGated<decltype(function)>(hn::ScalableTag<float>(), d_y.size, gate.data, up.data,
                                      d_y.data, d_gate.data, d_up.data);
  });
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heed {

HWY_EXPORT(ActivationForward);
HWY_EXPORT(ActivationBackward);
HWY_EXPORT(GatedForward);
HWY_EXPORT(GatedBackward);

void ActivationForward(Activation activation, ConstSpan x, Span<float> y) {
  HEED_DCHECK(x.size == y.size);
  HWY_DYNAMIC_DISPATCH(ActivationForward)(activation, x, y);
}

void ActivationBackward(Activation activation, ConstSpan x, ConstSpan d_y, Span<float> d_x) {
  HEED_DCHECK(x.size == d_x.size && d_y.size == d_x.size);
  HWY_DYNAMIC_DISPATCH(ActivationBackward)(activation, x, d_y, d_x);
}

void GatedForward(Activation activation, ConstSpan gate, ConstSpan up, Span<float> y) {
  HEED_DCHECK(gate.size == y.size && up.size == y.size);
  HWY_DYNAMIC_DISPATCH(GatedForward)(activation, gate, up, y);
}

void GatedBackward(Activation activation, ConstSpan gate, ConstSpan up, ConstSpan d_y,
                   Span<float> d_gate, Span<float> d_up) {
  HEED_DCHECK(gate.size == d_y.size && up.size == d_y.size);
  HEED_DCHECK(d_gate.size == d_y.size && d_up.size == d_y.size);
  HWY_DYNAMIC_DISPATCH(GatedBackward)(activation, gate, up, d_y, d_gate, d_up);
}

}  // namespace heed
#endif  // HWY_ONCE
