// SPDX-License-Identifier: MIT
// Stochastic gradient descent with momentum (Polyak 1964), decay decoupled as in AdamW.
#ifndef HEED_KERNELS_SGD_H_
#define HEED_KERNELS_SGD_H_

#include "base/span.h"

namespace heed {

struct SgdStep {
  float learning_rate = 0.0f;
  float momentum = 0.0f;
  float weight_decay = 0.0f;
  float gradient_scale = 1.0f;
};

// g = gradient_scale * gradient; p -= learning_rate * weight_decay * p; velocity = momentum *
// velocity + g; p -= learning_rate * velocity. Subnormal velocities become 0.
void SgdUpdate(const SgdStep& step, ConstSpan gradient, Span<float> parameter,
               Span<float> velocity);

}  // namespace heed

#endif  // HEED_KERNELS_SGD_H_
