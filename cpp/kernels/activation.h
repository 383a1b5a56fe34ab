// SPDX-License-Identifier: MIT
// Pointwise nonlinearities of the feed-forward layer and their gated forms (Shazeer 2020).
#ifndef HEED_KERNELS_ACTIVATION_H_
#define HEED_KERNELS_ACTIVATION_H_

#include <cstdint>

#include "base/span.h"

namespace heed {

enum class Activation : uint8_t {
  kGeluTanh,  // 0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) (Hendrycks, Gimpel 2016)
  kGeluErf,   // x Phi(x) = 0.5 x (1 + erf(x / sqrt(2)))
  kRelu,      // max(x, 0); derivative 0 at 0; NaN stays NaN
  kSilu,      // x / (1 + exp(-x))
  kRelu2,     // max(x, 0)^2 (So et al. 2021)
};

// y = f(x), all of one size; y may be x.
void ActivationForward(Activation activation, ConstSpan x, Span<float> y);

// d_x = d_y * f'(x); d_x may be d_y.
void ActivationBackward(Activation activation, ConstSpan x, ConstSpan d_y, Span<float> d_x);

// y = f(gate) * up; y may be gate or up.
void GatedForward(Activation activation, ConstSpan gate, ConstSpan up, Span<float> y);

// d_gate = d_y * up * f'(gate), d_up = d_y * f(gate); d_gate or d_up may be d_y.
void GatedBackward(Activation activation, ConstSpan gate, ConstSpan up, ConstSpan d_y,
                   Span<float> d_gate, Span<float> d_up);

}  // namespace heed

#endif  // HEED_KERNELS_ACTIVATION_H_
