// SPDX-License-Identifier: MIT
#ifndef HEED_TESTS_REFERENCE_RMS_NORM_H_
#define HEED_TESTS_REFERENCE_RMS_NORM_H_

#include <cmath>
#include <complex>
#include <cstddef>

namespace heed::reference {

// y (N, C) = x * rstd * weight, rstd (N) = 1 / sqrt(mean(x^2) + epsilon). y may be x.
template <class T>
void RmsNormForward(size_t N, size_t C, const T* x, const T* weight, double epsilon, T* y,
                    T* rstd) {
  for (size_t n = 0; n < N; ++n) {
    T squares = 0;
    for (size_t c = 0; c < C; ++c) squares += x[n * C + c] * x[n * C + c];
    rstd[n] = 1.0 / std::sqrt(squares / static_cast<double>(C) + epsilon);
    for (size_t c = 0; c < C; ++c) y[n * C + c] = x[n * C + c] * rstd[n] * weight[c];
  }
}

// With g = d_y * weight and hat = x * rstd: d_x = rstd * (g - hat * mean(g * hat)), overwritten;
// d_weight accumulates.
template <class T>
void RmsNormBackward(size_t N, size_t C, const T* d_y, const T* x, const T* weight, const T* rstd,
                     T* d_x, T* d_weight) {
  for (size_t n = 0; n < N; ++n) {
    T mean_g_hat = 0;
    for (size_t c = 0; c < C; ++c) {
      const T hat = x[n * C + c] * rstd[n];
      mean_g_hat += d_y[n * C + c] * weight[c] * hat / static_cast<double>(C);
      d_weight[c] += d_y[n * C + c] * hat;
    }
    for (size_t c = 0; c < C; ++c) {
      const T hat = x[n * C + c] * rstd[n];
      d_x[n * C + c] = rstd[n] * (d_y[n * C + c] * weight[c] - hat * mean_g_hat);
    }
  }
}

}  // namespace heed::reference

#endif  // HEED_TESTS_REFERENCE_RMS_NORM_H_
