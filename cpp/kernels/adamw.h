// SPDX-License-Identifier: MIT
// AdamW (Loshchilov, Hutter 2019): Adam with decoupled weight decay.
#ifndef HEED_KERNELS_ADAMW_H_
#define HEED_KERNELS_ADAMW_H_

#include "base/span.h"

namespace heed {

struct AdamWStep {
  float learning_rate = 0.0f;
  float beta1 = 0.0f;
  float beta2 = 0.0f;
  float epsilon = 0.0f;
  float weight_decay = 0.0f;     // 0 for tensors that do not decay
  float bias_correction1 = 1.0f;  // 1 - beta1^step, step counted from 1; made in double
  float bias_correction2 = 1.0f;  // 1 - beta2^step
  float gradient_scale = 1.0f;    // clipping factor, applied to the gradient first
};

// g = gradient_scale * gradient; m = beta1 m + (1 - beta1) g; v = beta2 v + (1 - beta2) g^2;
// p -= learning_rate * weight_decay * p; p -= learning_rate * (m / c1) / (sqrt(v / c2) + epsilon).
// Subnormal moments become 0, and |g| < 2^-58 adds nothing to v (its square would be subnormal):
// WebAssembly has no flush mode and they cost over 40 times as much. epsilon > 0.
void AdamWUpdate(const AdamWStep& step, ConstSpan gradient, Span<float> parameter, Span<float> m,
                 Span<float> v);

}  // namespace heed

#endif  // HEED_KERNELS_ADAMW_H_
