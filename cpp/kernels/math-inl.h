// SPDX-License-Identifier: MIT
// Vector exp and tanh of f32 for any target, with or without fused multiply-add.
// tests/cpp/kernels/math_test.cc measures its error.
//
// Why not hwy/contrib/math: its Exp turns NaN into 0.

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
  // e^r = 1 + (r + r^2 q(r)) on |r| <= ln(2) / 2; q is a minimax fit, relative error 3e-9.
  V q = hn::Set(d, 1.38144334e-3f);
  q = hn::MulAdd(q, r, hn::Set(d, 8.36879667e-3f));
  q = hn::MulAdd(q, r, hn::Set(d, 4.16683964e-2f));
  q = hn::MulAdd(q, r, hn::Set(d, 1.66665196e-1f));
  q = hn::MulAdd(q, r, hn::Set(d, 4.99999940e-1f));
  const V p = hn::Add(hn::Set(d, 1.0f), hn::MulAdd(hn::Mul(r, r), q, r));
  // Times 2^n, in the exponent field: p * 2^n is normal wherever the selects below keep it.
  const V scaled =
      hn::BitCast(d, hn::Add(hn::BitCast(di, p), hn::ShiftLeft<23>(hn::BitCast(di, shifted))));
  // x + inf is infinity above the range and NaN for NaN, which compares false.
  const V inf = hn::Set(d, std::numeric_limits<float>::infinity());
  const V finite_or_nan =
      hn::IfThenElse(hn::Le(x, hn::Set(d, 88.7228394f)), scaled, hn::Add(x, inf));
  return hn::IfThenZeroElse(hn::Lt(x, hn::Set(d, -87.3365402f)), finite_or_nan);
}

template <class D>
struct TanhLanes {
  hn::Vec<D> tanh;
  hn::Vec<D> slope;  // 1 - tanh^2
};

// Both within 3 ULP. Below 0.625 a polynomial, since 1 - exp(-2 |x|) would cancel; above it
// tanh = (1 - e) / (1 + e) and 1 - tanh^2 = 4 e / (1 + e)^2 with e = exp(-2 |x|). NaN stays NaN.
template <class D, class V = hn::Vec<D>>
HWY_INLINE TanhLanes<D> Tanh(D d, V x) {
  const V one = hn::Set(d, 1.0f), size = hn::Abs(x);
  // tanh x = x + x z p(z), z = x^2; p is fitted on |x| <= 0.625 to a relative error of 5e-9.
  const V z = hn::Mul(x, x);
  V p = hn::Set(d, -0.00571703585f);
  p = hn::MulAdd(p, z, hn::Set(d, 0.0206505787f));
  p = hn::MulAdd(p, z, hn::Set(d, -0.0537434965f));
  p = hn::MulAdd(p, z, hn::Set(d, 0.133314908f));
  p = hn::MulAdd(p, z, hn::Set(d, -0.333332837f));
  const V near = hn::MulAdd(hn::Mul(x, z), p, x);
  const V e = Exp(d, hn::Mul(size, hn::Set(d, -2.0f)));
  const V share = hn::Div(one, hn::Add(one, e));
  const V far = hn::CopySign(hn::Mul(hn::Sub(one, e), share), x);
  const auto is_near = hn::Lt(size, hn::Set(d, 0.625f));
  return {hn::IfThenElse(is_near, near, far),
          hn::IfThenElse(is_near, hn::NegMulAdd(near, near, one),
                         hn::Mul(hn::Mul(hn::Set(d, 4.0f), e), hn::Mul(share, share)))};
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#endif  // HEED_KERNELS_MATH_INL_H_
