// SPDX-License-Identifier: MIT
// What the reference needs of its scalar type T beyond arithmetic, for double and complex<double>.
//
// Everything in this folder is written once as templates on T. With double it is the value the
// library should find; with complex<double> and one argument shifted by ih it also gives an exact
// derivative (tests/support/complex_step.h). That only holds for analytic formulas, so squares are
// x * x and never |x|^2, and decisions (maximum, sign) look at real parts only.
#ifndef HEED_TESTS_REFERENCE_SCALAR_H_
#define HEED_TESTS_REFERENCE_SCALAR_H_

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

namespace heed::reference {

inline double RealPart(double x) { return x; }
inline double RealPart(const std::complex<double>& x) { return x.real(); }

inline double Erf(double x) { return std::erf(x); }

// The standard library has no complex erf. Its first-order continuation a + ib -> erf(a) + i b
// erf'(a) is a dual number in disguise, exact in double while b^2 vanishes beside 1; a larger
// imaginary part is misuse and gives NaN rather than a wrong digit.
inline std::complex<double> Erf(const std::complex<double>& x) {
  const double a = x.real(), b = x.imag();
  if (std::abs(b) > 1e-9) return std::numeric_limits<double>::quiet_NaN();
  return {std::erf(a), b * 2.0 * std::numbers::inv_sqrtpi * std::exp(-a * a)};
}

}  // namespace heed::reference

#endif  // HEED_TESTS_REFERENCE_SCALAR_H_
