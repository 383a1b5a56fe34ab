// SPDX-License-Identifier: MIT
// Each function is a class with its value and, sharing the work, its value and slope.

// Per-target include guard.
#if defined(HEED_KERNELS_ACTIVATION_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEED_KERNELS_ACTIVATION_INL_H_
#undef HEED_KERNELS_ACTIVATION_INL_H_
#else
#define HEED_KERNELS_ACTIVATION_INL_H_
#endif

#include <cstddef>

#include "hwy/highway.h"
#include "kernels/lanes-inl.h"
#include "kernels/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class V>
struct ValueAndSlope {
  V value;
  V slope;
};

// s = 1 / (1 + exp(-x)) and s (1 - s), both with small relative error on either side: exp of a
// number that is never positive cannot overflow, and 1 - s is not formed by subtraction.
template <class V>
struct SigmoidParts {
  V s;
  V s_times_rest;
};

template <class D, class V>
HWY_INLINE SigmoidParts<V> Sigmoid(D d, V x) {
  const V one = hn::Set(d, 1.0f);
  const V e = Exp(d, hn::Neg(hn::Abs(x)));
  const V above = hn::Div(one, hn::Add(one, e));  // sigmoid(|x|)
  const V below = hn::Mul(e, above);              // sigmoid(-|x|)
  return {hn::IfThenElse(hn::Lt(x, hn::Zero(d)), below, above), hn::Mul(below, above)};
}

// The normal distribution: density phi and distribution Phi from one exponential.
template <class V>
struct NormalParts {
  V density;
  V distribution;
};

// Phi(-z) = exp(-z^2 / 2) t P(t), t = 1 / (1 + 0.3 z), z >= 0: the form of Abramowitz and Stegun
// 7.1.26, with a polynomial fitted here to a relative error of 1.2e-7 on [0, 13]. 0.5 (1 + erf)
// from an erf would cancel for negative x and need a second exponential for the slope.
template <class D, class V>
HWY_INLINE NormalParts<V> Normal(D d, V x) {
  const V one = hn::Set(d, 1.0f);
  const V e = Exp(d, hn::Mul(x, hn::Mul(x, hn::Set(d, -0.5f))));
  const V t = hn::Div(one, hn::MulAdd(hn::Abs(x), hn::Set(d, 0.3f), one));
  V p = hn::Set(d, 0.0361945741f);
  p = hn::MulAdd(p, t, hn::Set(d, -0.159377068f));
  p = hn::MulAdd(p, t, hn::Set(d, 0.210116148f));
  p = hn::MulAdd(p, t, hn::Set(d, -0.0571652390f));
  p = hn::MulAdd(p, t, hn::Set(d, 0.130415305f));
  p = hn::MulAdd(p, t, hn::Set(d, 0.0993474871f));
  p = hn::MulAdd(p, t, hn::Set(d, 0.120845474f));
  p = hn::MulAdd(p, t, hn::Set(d, 0.119623274f));
  const V tail = hn::Mul(e, hn::Mul(p, t));  // Phi(-|x|)
  return {hn::Mul(e, hn::Set(d, 0.398942280f)),
          hn::IfThenElse(hn::Lt(x, hn::Zero(d)), tail, hn::Sub(one, tail))};
}

// x sigmoid(2u), u = sqrt(2/pi) (x + 0.044715 x^3): the same function as 0.5 x (1 + tanh u) without
// its cancellation for negative x.
struct GeluTanhFunction {
  // The square is capped, or it would be infinity and times 0 NaN; from |x| = 20 on the sigmoid is
  // 0 or 1 either way.
  template <class D, class V>
  static HWY_INLINE V Square(D d, V x) {
    return hn::Min(hn::Mul(x, x), hn::Set(d, 400.0f));
  }
  template <class D, class V>
  static HWY_INLINE V TwiceU(D d, V x, V square) {
    return hn::Mul(x, hn::MulAdd(square, hn::Set(d, 0.0713548163f), hn::Set(d, 1.59576912f)));
  }
  template <class D, class V>
  static HWY_INLINE V Value(D d, V x) {
    return hn::Mul(x, Sigmoid(d, TwiceU(d, x, Square(d, x))).s);
  }
  template <class D, class V>
  static HWY_INLINE ValueAndSlope<V> Both(D d, V x) {
    const V square = Square(d, x);
    const auto parts = Sigmoid(d, TwiceU(d, x, square));
    const V twice_u_slope =
        hn::MulAdd(square, hn::Set(d, 0.214064449f), hn::Set(d, 1.59576912f));
    return {hn::Mul(x, parts.s),
            hn::MulAdd(hn::Mul(x, parts.s_times_rest), twice_u_slope, parts.s)};
  }
};

struct GeluErfFunction {
  template <class D, class V>
  static HWY_INLINE V Value(D d, V x) {
    return hn::Mul(x, Normal(d, x).distribution);
  }
  template <class D, class V>
  static HWY_INLINE ValueAndSlope<V> Both(D d, V x) {
    const auto parts = Normal(d, x);
    return {hn::Mul(x, parts.distribution), hn::MulAdd(x, parts.density, parts.distribution)};
  }
};

struct ReluFunction {
  template <class D, class V>
  static HWY_INLINE V Value(D d, V x) {
    return hn::IfThenZeroElse(hn::Le(x, hn::Zero(d)), x);  // NaN compares false and so stays
  }
  template <class D, class V>
  static HWY_INLINE ValueAndSlope<V> Both(D d, V x) {
    return {Value(d, x), hn::IfThenZeroElse(hn::Le(x, hn::Zero(d)), hn::Set(d, 1.0f))};
  }
};

struct Relu2Function {
  template <class D, class V>
  static HWY_INLINE V Value(D d, V x) {
    const V kept = ReluFunction::Value(d, x);
    return hn::Mul(kept, kept);
  }
  template <class D, class V>
  static HWY_INLINE ValueAndSlope<V> Both(D d, V x) {
    const V kept = ReluFunction::Value(d, x);
    return {hn::Mul(kept, kept), hn::Add(kept, kept)};
  }
};

struct SiluFunction {
  template <class D, class V>
  static HWY_INLINE V Value(D d, V x) {
    return hn::Mul(x, Sigmoid(d, x).s);
  }
  template <class D, class V>
  static HWY_INLINE ValueAndSlope<V> Both(D d, V x) {
    const auto parts = Sigmoid(d, x);
    return {hn::Mul(x, parts.s), hn::MulAdd(x, parts.s_times_rest, parts.s)};
  }
};

template <class Function, class D>
HWY_INLINE void Forward(D d, size_t n, const float* x, float* y) {
  ForVectors(d, n, [&](size_t i, auto lanes) HEED_LAMBDA {
    lanes.Store(d, Function::Value(d, lanes.Load(d, x + i)), y + i);
  });
}

template <class Function, class D>
HWY_INLINE void Backward(D d, size_t n, const float* x, const float* d_y, float* d_x) {
  ForVectors(d, n, [&](size_t i, auto lanes) HEED_LAMBDA {
    const auto slope = Function::Both(d, lanes.Load(d, x + i)).slope;
    lanes.Store(d, hn::Mul(lanes.Load(d, d_y + i), slope), d_x + i);
  });
}

template <class Function, class D>
HWY_INLINE void ForwardGated(D d, size_t n, const float* gate, const float* up, float* y) {
  ForVectors(d, n, [&](size_t i, auto lanes) HEED_LAMBDA {
    const auto value = Function::Value(d, lanes.Load(d, gate + i));
    lanes.Store(d, hn::Mul(value, lanes.Load(d, up + i)), y + i);
  });
}

template <class Function, class D>
HWY_INLINE void BackwardGated(D d, size_t n, const float* gate, const float* up,
                              const float* d_y, float* d_gate, float* d_up) {
  ForVectors(d, n, [&](size_t i, auto lanes) HEED_LAMBDA {
    const auto both = Function::Both(d, lanes.Load(d, gate + i));
    const auto dy = lanes.Load(d, d_y + i);
    const auto dy_up = hn::Mul(dy, lanes.Load(d, up + i));
    lanes.Store(d, hn::Mul(dy_up, both.slope), d_gate + i);
    lanes.Store(d, hn::Mul(dy, both.value), d_up + i);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
