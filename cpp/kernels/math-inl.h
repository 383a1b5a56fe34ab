// SPDX-License-Identifier: MIT
// Vector exp, tanh and erf of f32 for any target, with or without fused multiply-add. Errors below
// are maxima over every float of the range; tests/cpp/kernels/math_test.cc measures them.
// Coefficients: minimax of the relative error, fitted in double and rounded to float.
//
// Why not hwy/contrib/math: its Exp turns NaN into 0, and it has no Erf.

// Per-target guard: the toggle lets foreach_target.h include this once for every target.
#if defined(HEED_KERNELS_MATH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEED_KERNELS_MATH_INL_H_
#undef HEED_KERNELS_MATH_INL_H_
#else
#define HEED_KERNELS_MATH_INL_H_
#endif

#include <limits>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// e^x within 2 ULP. Above ln(FLT_MAX) infinity; below ln(FLT_MIN) zero rather than a subnormal,
// which would cost x86 over a hundred cycles each in a softmax with a wide range. NaN stays NaN.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Exp(D d, V x) {
  const hn::RebindToSigned<D> di;
  // x = n ln 2 + r. Adding 1.5 * 2^23 rounds to an integer and leaves n in the low mantissa bits,
  // so no conversion is needed, whose result for NaN would differ between targets.
  const V magic = hn::Set(d, 12582912.0f);
  const V shifted = hn::MulAdd(x, hn::Set(d, 1.44269504f), magic);
  const V n = hn::Sub(shifted, magic);
  // ln 2 in two parts; the first has 15 bits, so n times it is exact without a fused operation.
  V r = hn::NegMulAdd(n, hn::Set(d, 0.693145752f), x);
  r = hn::NegMulAdd(n, hn::Set(d, 1.42860677e-6f), r);
  // e^r = 1 + (r + r^2 q(r)) on |r| <= ln(2) / 2.
  V q = hn::Set(d, 1.38144334e-3f);
  q = hn::MulAdd(q, r, hn::Set(d, 8.36879667e-3f));
  q = hn::MulAdd(q, r, hn::Set(d, 4.16683964e-2f));
  q = hn::MulAdd(q, r, hn::Set(d, 1.66665196e-1f));
  q = hn::MulAdd(q, r, hn::Set(d, 4.99999940e-1f));
  const V p = hn::Add(hn::Set(d, 1.0f), hn::MulAdd(hn::Mul(r, r), q, r));
  // Times 2^n, in the exponent field: p * 2^n is normal wherever the selects below keep it.
  const V scaled = hn::BitCast(
      d, hn::Add(hn::BitCast(di, p), hn::ShiftLeft<23>(hn::BitCast(di, shifted))));
  // x + inf is infinity above the range and NaN for NaN, which compares false.
  const V inf = hn::Set(d, std::numeric_limits<float>::infinity());
  const V finite_or_nan =
      hn::IfThenElse(hn::Le(x, hn::Set(d, 88.7228394f)), scaled, hn::Add(x, inf));
  return hn::IfThenZeroElse(hn::Lt(x, hn::Set(d, -87.3365402f)), finite_or_nan);
}

// tanh x within 4 ULP; exactly +-1 from |x| = 9.02 on, infinities included. Keeps -0 and NaN.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Tanh(D d, V x) {
  const V one = hn::Set(d, 1.0f);
  const V magnitude = hn::Abs(x);
  // Above 0.65: 1 - 2 / (e^2x + 1); an infinite e^2x gives exactly 1.
  const V e = Exp(d, hn::Add(magnitude, magnitude));
  const V large = hn::Sub(one, hn::Div(hn::Set(d, 2.0f), hn::Add(e, one)));
  // Below, where that difference would cancel: x + x z p(z), z = x^2.
  const V z = hn::Mul(x, x);
  V p = hn::Set(d, -5.51516376e-3f);
  p = hn::MulAdd(p, z, hn::Set(d, 2.04694197e-2f));
  p = hn::MulAdd(p, z, hn::Set(d, -5.36880232e-2f));
  p = hn::MulAdd(p, z, hn::Set(d, 1.33308306e-1f));
  p = hn::MulAdd(p, z, hn::Set(d, -3.33332598e-1f));
  const V small = hn::MulAdd(hn::Mul(x, z), p, x);
  return hn::IfThenElse(hn::Lt(magnitude, hn::Set(d, 0.65f)), small, hn::CopySign(large, x));
}

// erf x within 8 ULP (absolute error below 5e-7, worst near 3.7); exactly +-1 from |x| = 3.92 on,
// infinities included. Keeps -0 and NaN.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Erf(D d, V x) {
  // x P(x^2) / Q(x^2). All coefficients are positive: nothing cancels, so a multiply-add without
  // fusion loses little. 1 - exp(poly) above 1 would be within 2 ULP and cost twice as much.
  const V z = hn::Mul(x, x);
  V p = hn::Set(d, 2.05010244e-6f);
  V q = hn::Set(d, 3.80918021e-5f);
  p = hn::MulAdd(p, z, hn::Set(d, 2.84881424e-4f));
  q = hn::MulAdd(q, z, hn::Set(d, 1.16251956e-3f));
  p = hn::MulAdd(p, z, hn::Set(d, 3.76555021e-3f));
  q = hn::MulAdd(q, z, hn::Set(d, 1.49690844e-2f));
  p = hn::MulAdd(p, z, hn::Set(d, 5.27485209e-2f));
  q = hn::MulAdd(q, z, hn::Set(d, 1.14108464e-1f));
  p = hn::MulAdd(p, z, hn::Set(d, 1.90404884e-1f));
  q = hn::MulAdd(q, z, hn::Set(d, 5.02074676e-1f));
  p = hn::MulAdd(p, z, hn::Set(d, 1.12837915f));
  q = hn::MulAdd(q, z, hn::Set(d, 1.0f));
  const V ratio = hn::Div(hn::Mul(x, p), q);
  // Where the float nearest to erf is 1; also replaces inf / inf.
  const auto saturated = hn::Ge(hn::Abs(x), hn::Set(d, 3.92f));
  return hn::IfThenElse(saturated, hn::CopySign(hn::Set(d, 1.0f), x), ratio);
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#endif  // HEED_KERNELS_MATH_INL_H_
