// SPDX-License-Identifier: MIT
#ifndef HEED_TESTS_REFERENCE_ACTIVATION_H_
#define HEED_TESTS_REFERENCE_ACTIVATION_H_

#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>

#include "reference/scalar.h"

namespace heed::reference {

enum class Activation { kGeluTanh, kGeluErf, kRelu, kSilu, kRelu2 };

namespace internal {

inline const double kGeluScale = std::sqrt(2.0 * std::numbers::inv_pi);
inline constexpr double kGeluCubic = 0.044715;

}  // namespace internal

// f(x), one element.
template <class T>
T Activate(Activation activation, const T& x) {
  switch (activation) {
    case Activation::kGeluTanh: {
      const T inner = internal::kGeluScale * (x + internal::kGeluCubic * x * x * x);
      return 0.5 * x * (1.0 + std::tanh(inner));
    }
    case Activation::kGeluErf:
      return 0.5 * x * (1.0 + Erf(x / std::numbers::sqrt2));
    case Activation::kRelu:
      return RealPart(x) > 0.0 ? x : T(0);
    case Activation::kSilu:
      return x / (1.0 + std::exp(-x));
    case Activation::kRelu2:
      return RealPart(x) > 0.0 ? x * x : T(0);
  }
  return T(0);
}

// f'(x), one element.
template <class T>
T ActivateDerivative(Activation activation, const T& x) {
  switch (activation) {
    case Activation::kGeluTanh: {
      const T inner = internal::kGeluScale * (x + internal::kGeluCubic * x * x * x);
      const T d_inner = internal::kGeluScale * (1.0 + 3.0 * internal::kGeluCubic * x * x);
      const T t = std::tanh(inner);
      return 0.5 * (1.0 + t) + 0.5 * x * (1.0 - t * t) * d_inner;
    }
    case Activation::kGeluErf: {
      const T cdf = 0.5 * (1.0 + Erf(x / std::numbers::sqrt2));
      const T pdf = std::exp(-0.5 * x * x) * (std::numbers::inv_sqrtpi / std::numbers::sqrt2);
      return cdf + x * pdf;
    }
    case Activation::kRelu:
      return RealPart(x) > 0.0 ? T(1) : T(0);
    case Activation::kSilu: {
      const T sigmoid = 1.0 / (1.0 + std::exp(-x));
      return sigmoid * (1.0 + x * (1.0 - sigmoid));
    }
    case Activation::kRelu2:
      return RealPart(x) > 0.0 ? 2.0 * x : T(0);
  }
  return T(0);
}

// y = f(x), n elements.
template <class T>
void ActivationForward(Activation activation, size_t n, const T* x, T* y) {
  for (size_t i = 0; i < n; ++i) y[i] = Activate(activation, x[i]);
}

// d_x = d_y * f'(x).
template <class T>
void ActivationBackward(Activation activation, size_t n, const T* x, const T* d_y, T* d_x) {
  for (size_t i = 0; i < n; ++i) d_x[i] = d_y[i] * ActivateDerivative(activation, x[i]);
}

// y = f(gate) * up; SwiGLU with f = SiLU, GEGLU with f = GELU (Shazeer 2020).
template <class T>
void GatedForward(Activation activation, size_t n, const T* gate, const T* up, T* y) {
  for (size_t i = 0; i < n; ++i) y[i] = Activate(activation, gate[i]) * up[i];
}

// d_gate = d_y * up * f'(gate), d_up = d_y * f(gate).
template <class T>
void GatedBackward(Activation activation, size_t n, const T* gate, const T* up, const T* d_y,
                   T* d_gate, T* d_up) {
  for (size_t i = 0; i < n; ++i) {
    d_gate[i] = d_y[i] * up[i] * ActivateDerivative(activation, gate[i]);
    d_up[i] = d_y[i] * Activate(activation, gate[i]);
  }
}

}  // namespace heed::reference

#endif  // HEED_TESTS_REFERENCE_ACTIVATION_H_
