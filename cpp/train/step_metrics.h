// SPDX-License-Identifier: MIT
#ifndef HEED_TRAIN_STEP_METRICS_H_
#define HEED_TRAIN_STEP_METRICS_H_

#include <cstdint>

namespace heed {

struct StepMetrics {
  uint64_t step = 0;  // completed steps, this one included
  double loss = 0.0;  // mean over the step's counted tokens, nats
  double learning_rate = 0.0;
  double gradient_norm = 0.0;  // before clipping; of what is not frozen
  uint64_t tokens = 0;         // seen since the run began
  double milliseconds = 0.0;   // compute time of the step's stages
};

// What a step meant for one group of tensors; all 0 where it is frozen or was left out.
struct GroupReport {
  double gradient_norm = 0.0;  // before clipping
  double change = 0.0;         // L2 norm of the weights' change
  double predicted = 0.0;      // <gradient, change>: the loss's change to first order
};

// L2 norms of one group of tensors.
struct GroupNorms {
  double gradient = 0.0;  // of the last step, before clipping; 0 where frozen
  double weights = 0.0;   // as they are now
};

}  // namespace heed

#endif  // HEED_TRAIN_STEP_METRICS_H_
