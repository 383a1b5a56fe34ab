// SPDX-License-Identifier: MIT
// Derivatives by a complex step: f'(x) = Im f(x + ih) / h (Squire and Trapp 1998). Nothing is
// subtracted, so h can be so small that the truncation error h^2 vanishes and the result carries
// rounding errors only. The function must be written for std::complex<double>, with comparisons on
// real parts, as everything in tests/reference is.
#ifndef HEED_TESTS_SUPPORT_COMPLEX_STEP_H_
#define HEED_TESTS_SUPPORT_COMPLEX_STEP_H_

#include <complex>
#include <cstddef>
#include <vector>

namespace heed::test {

using Complex = std::complex<double>;

// Far below sqrt of the double epsilon, far above the subnormals even when squared.
inline constexpr double kComplexStep = 1e-50;

// d loss / d x, n values. `loss` maps std::vector<Complex> to Complex; it is called n times.
template <class Loss>
std::vector<double> ComplexStepGradient(const std::vector<double>& x, Loss&& loss) {
  std::vector<Complex> point(x.begin(), x.end());
  std::vector<double> gradient(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    point[i] = Complex(x[i], kComplexStep);
    gradient[i] = std::imag(loss(point)) / kComplexStep;
    point[i] = Complex(x[i], 0.0);
  }
  return gradient;
}

// Vector-Jacobian product: d (sum_j d_y[j] * y[j]) / d x for y = forward(x). `forward` maps
// std::vector<Complex> to std::vector<Complex> of d_y.size() elements.
template <class Forward>
std::vector<double> ComplexStepVjp(const std::vector<double>& x, const std::vector<double>& d_y,
                                   Forward&& forward) {
  return ComplexStepGradient(x, [&](const std::vector<Complex>& point) {
    const std::vector<Complex> y = forward(point);
    Complex sum = 0.0;
    for (size_t j = 0; j < d_y.size(); ++j) sum += d_y[j] * y[j];
    return sum;
  });
}

}  // namespace heed::test

#endif  // HEED_TESTS_SUPPORT_COMPLEX_STEP_H_
