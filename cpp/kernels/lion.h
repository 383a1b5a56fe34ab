// SPDX-License-Identifier: MIT
// Lion: the sign of an interpolated momentum (Chen et al. 2023), decay decoupled as in AdamW.
#ifndef HEED_KERNELS_LION_H_
#define HEED_KERNELS_LION_H_

#include "base/span.h"

namespace heed {

struct LionStep {
  float learning_rate = 0.0f;
  float beta1 = 0.9f;   // of the momentum in the direction of this step
  float beta2 = 0.99f;  // of the momentum that is kept
  float weight_decay = 0.0f;
  float gradient_scale = 1.0f;
};

// g = gradient_scale * gradient; p -= learning_rate * weight_decay * p; p -= learning_rate *
// sign(beta1 * m + (1 - beta1) * g), where the sign of 0 is 0; m = beta2 * m + (1 - beta2) * g.
// Subnormal momenta become 0: a sign would keep them moving the weight for ever.
void LionUpdate(const LionStep& step, ConstSpan gradient, Span<float> parameter, Span<float> m);

}  // namespace heed

#endif  // HEED_KERNELS_LION_H_
