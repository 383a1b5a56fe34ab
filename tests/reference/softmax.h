// SPDX-License-Identifier: MIT
#ifndef HEED_TESTS_REFERENCE_SOFTMAX_H_
#define HEED_TESTS_REFERENCE_SOFTMAX_H_

#include <cmath>
#include <complex>
#include <cstddef>

#include "reference/scalar.h"

namespace heed::reference {

// y = exp(x - m) / sum, n elements, m the largest real part: a constant shift keeps it analytic.
// y may be x. Returns log sum exp(x).
template <class T>
T Softmax(size_t n, const T* x, T* y) {
  if (n == 0) return T(0);
  double largest = RealPart(x[0]);
  for (size_t i = 1; i < n; ++i) {
    if (RealPart(x[i]) > largest) largest = RealPart(x[i]);
  }
  T sum = 0;
  for (size_t i = 0; i < n; ++i) {
    y[i] = std::exp(x[i] - largest);
    sum += y[i];
  }
  for (size_t i = 0; i < n; ++i) y[i] /= sum;
  return largest + std::log(sum);
}

// d_x = y * (d_y - sum(y * d_y)); d_x may be d_y.
template <class T>
void SoftmaxBackward(size_t n, const T* d_y, const T* y, T* d_x) {
  T dot = 0;
  for (size_t i = 0; i < n; ++i) dot += y[i] * d_y[i];
  for (size_t i = 0; i < n; ++i) d_x[i] = y[i] * (d_y[i] - dot);
}

}  // namespace heed::reference

#endif  // HEED_TESTS_REFERENCE_SOFTMAX_H_
