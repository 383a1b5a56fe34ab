// SPDX-License-Identifier: MIT
#include "model/evaluation.h"

#include <cmath>

#include "base/arena.h"

namespace heed {
namespace {

Status CheckBatch(const Model& model, size_t batch, Span<const int32_t> tokens,
                  Span<const int32_t> targets) {
  if (batch == 0 || tokens.size % batch != 0 || targets.size != tokens.size) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "%zu tokens and %zu targets are not %zu sequences of one length; give "
                         "at least one sequence, and a target for every token (-1 where none "
                         "counts)",
                         tokens.size, targets.size, batch);
  }
  const size_t time = tokens.size / batch;
  const auto vocab = static_cast<int32_t>(model.config().vocab);
  for (size_t b = 0; b < batch; ++b) {
    HEED_RETURN_IF_ERROR(model.CheckTokens(tokens.Slice(b * time, time)));
  }
  for (size_t i = 0; i < targets.size; ++i) {
    if (targets[i] < -1 || targets[i] >= vocab) {
      return Status::Error(StatusCode::kBadData,
                           "target %d at position %zu is neither -1 nor in the vocabulary (0 to "
                           "%d); encode the text with the model's own tokenizer",
                           targets[i], i % time, vocab - 1);
    }
  }
  return Status();
}

}  // namespace

void Evaluate(Transformer* transformer, size_t batch, Span<const int32_t> tokens,
              Span<const int32_t> targets, Span<int32_t> likeliest, Evaluation* sum) {
  const size_t time = tokens.size / batch;
  transformer->Forward(tokens, batch, time, PassDropout());
  const LossSum loss = transformer->Loss(targets, Span<float>(), likeliest);
  sum->loss.sum += loss.sum;
  sum->loss.count += loss.count;
  for (size_t b = 0; b < batch; ++b) {
    uint64_t counted = 0, correct = 0;
    for (size_t i = b * time; i < (b + 1) * time; ++i) {
      if (targets[i] < 0) continue;
      ++counted;
      correct += likeliest[i] == targets[i];
    }
    sum->correct += correct;
    sum->sequences += counted > 0;
    sum->exact += counted > 0 && correct == counted;
  }
}

Result<Evaluation> BatchLoss(const Model& model, size_t batch, Span<const int32_t> tokens,
                             Span<const int32_t> targets) {
  HEED_RETURN_IF_ERROR(CheckBatch(model, batch, tokens, targets));
  Transformer transformer;
  HEED_RETURN_IF_ERROR(
      transformer.Init(&model, batch, tokens.size / batch, PassKind::kInference));
  ArenaPlan plan;
  plan.Add<int32_t>(tokens.size);
  Arena arena;
  HEED_RETURN_IF_ERROR(arena.Allocate(plan.bytes(), "the predictions of a batch"));
  Evaluation sum;
  Evaluate(&transformer, batch, tokens, targets, arena.Slice<int32_t>(0, tokens.size), &sum);
  if (!std::isfinite(sum.loss.sum)) {
    return Status::Error(StatusCode::kNonFinite,
                         "the loss: a value is not finite; a weight is, or a product of weights "
                         "leaves the range of 32-bit floats. Load weights that are finite");
  }
  return sum;
}

}  // namespace heed
