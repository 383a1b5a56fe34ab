// SPDX-License-Identifier: MIT
// How well a model predicts given targets: loss, accuracy, exact matches.
#ifndef HEED_MODEL_EVALUATION_H_
#define HEED_MODEL_EVALUATION_H_

#include <cstddef>
#include <cstdint>

#include "base/span.h"
#include "base/status.h"
#include "kernels/cross_entropy.h"
#include "model/model.h"
#include "model/transformer.h"

namespace heed {

// Sums, so that parts can be added up; the ratios are taken once, at the end.
struct Evaluation {
  LossSum loss;
  uint64_t correct = 0;    // counted targets that were the likeliest token (the first of equals)
  uint64_t sequences = 0;  // sequences with at least one counted target
  uint64_t exact = 0;      // those of them with every counted target right
};

// Runs `batch` sequences of equal length without dropout on a transformer with room for them and
// adds what came of it. tokens and targets (B T), targets -1 ignored; likeliest (B T) is scratch
// and holds each row's likeliest token afterwards.
void Evaluate(Transformer* transformer, size_t batch, Span<const int32_t> tokens,
              Span<const int32_t> targets, Span<int32_t> likeliest, Evaluation* sum);

// The same in one pass with memory of its own, so it may run between the stages of a training step.
// Every measured loss of a step taken apart comes from here: equal weights and equal sequences give
// equal bits. Errors: kInvalidArgument (sizes), kBadData (tokens or targets outside the
// vocabulary), kNonFinite (the loss), kOutOfMemory.
Result<Evaluation> BatchLoss(const Model& model, size_t batch, Span<const int32_t> tokens,
                             Span<const int32_t> targets);

}  // namespace heed

#endif  // HEED_MODEL_EVALUATION_H_
