// SPDX-License-Identifier: MIT
// Next-token loss: -log softmax(logits)[target], rows with target -1 left out.
#ifndef HEED_KERNELS_CROSS_ENTROPY_H_
#define HEED_KERNELS_CROSS_ENTROPY_H_

#include <cstdint>

#include "base/span.h"

namespace heed {

// Sums are divided once, by whoever knows the whole count: a mean of micro-batch means is not the
// mean over tokens.
struct LossSum {
  double sum = 0.0;    // nats
  uint64_t count = 0;  // counted rows
};

// logits (N, V); targets (N) in [0, V) or -1; losses (N) may be empty, else gets each row's loss (0
// where ignored).
LossSum CrossEntropyForward(ConstMatrix logits, Span<const int32_t> targets, Span<float> losses);

// The same, and replaces the logits by scale * (softmax - y), zero rows where ignored: the gradient of
// scale * sum. y is 1 at the target; label smoothing in [0, 1) moves that share of it to all V tokens
// alike (Szegedy et al. 2016), and the losses are -sum y log softmax(logits).
LossSum CrossEntropyForwardBackward(Matrix<float> logits, Span<const int32_t> targets, float scale,
                                    float smoothing, Span<float> losses);

}  // namespace heed

#endif  // HEED_KERNELS_CROSS_ENTROPY_H_
