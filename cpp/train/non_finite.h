// SPDX-License-Identifier: MIT
// Finds out where a NaN or an infinity came from, so that the message can say it.
#ifndef HEED_TRAIN_NON_FINITE_H_
#define HEED_TRAIN_NON_FINITE_H_

#include <cstdint>

#include "base/status.h"
#include "model/tensors.h"
#include "model/transformer.h"

namespace heed {

// kNonFinite for a loss that is not finite in step number `step` (from 1): names the first bad
// weight, else the first bad activation in forward order, else the logits. The transformer still
// holds that forward pass.
Status NonFiniteLoss(uint64_t step, const Transformer& transformer);

// kNonFinite for gradients: names the first bad one in the order the backward pass makes them.
Status NonFiniteGradient(uint64_t step, const ModelTensors<const float>& gradients);

// kNonFinite for finite gradients whose squares leave float's range.
Status GradientTooLarge(uint64_t step, double norm);

}  // namespace heed

#endif  // HEED_TRAIN_NON_FINITE_H_
