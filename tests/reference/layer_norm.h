// SPDX-License-Identifier: MIT
#ifndef HEED_TESTS_REFERENCE_LAYER_NORM_H_
#define HEED_TESTS_REFERENCE_LAYER_NORM_H_

#include <cmath>
#include <complex>
#include <cstddef>

namespace heed::reference {

// y (N, C) = (x - mean) * rstd * weight + bias over each row; bias may be null. mean, rstd (N).
// Two-pass biased variance. y may be x.
template <class T>
void LayerNormForward(size_t N, size_t C, const T* x, const T* weight, const T* bias,
                      double epsilon, T* y, T* mean, T* rstd) {
  const double count = static_cast<double>(C);
  for (size_t n = 0; n < N; ++n) {
    const T* row = x + n * C;
    T sum = 0;
    for (size_t c = 0; c < C; ++c) sum += row[c];
    mean[n] = sum / count;
    T squares = 0;
    for (size_t c = 0; c < C; ++c) squares += (row[c] - mean[n]) * (row[c] - mean[n]);
    rstd[n] = 1.0 / std::sqrt(squares / count + epsilon);
    for (size_t c = 0; c < C; ++c) {
      const T hat = (row[c] - mean[n]) * rstd[n];
      y[n * C + c] = hat * weight[c] + (bias == nullptr ? T(0) : bias[c]);
    }
  }
}

// With g = d_y * weight and hat = (x - mean) * rstd:
// d_x = rstd * (g - mean(g) - hat * mean(g * hat)). d_x is overwritten, parameters accumulate.
template <class T>
void LayerNormBackward(size_t N, size_t C, const T* d_y, const T* x, const T* weight,
                       const T* mean, const T* rstd, T* d_x, T* d_weight, T* d_bias) {
  const double count = static_cast<double>(C);
  for (size_t n = 0; n < N; ++n) {
    const auto hat = [&](size_t c) { return (x[n * C + c] - mean[n]) * rstd[n]; };
    T mean_g = 0, mean_g_hat = 0;
    for (size_t c = 0; c < C; ++c) {
      const T g = d_y[n * C + c] * weight[c];
      mean_g += g / count;
      mean_g_hat += g * hat(c) / count;
      d_weight[c] += d_y[n * C + c] * hat(c);
      if (d_bias != nullptr) d_bias[c] += d_y[n * C + c];
    }
    for (size_t c = 0; c < C; ++c) {
      const T g = d_y[n * C + c] * weight[c];
      d_x[n * C + c] = rstd[n] * (g - mean_g - hat(c) * mean_g_hat);
    }
  }
}

}  // namespace heed::reference

#endif  // HEED_TESTS_REFERENCE_LAYER_NORM_H_
