// SPDX-License-Identifier: MIT
#include "train/non_finite.h"

#include <cstdio>

#include "kernels/reduce.h"

namespace heed {
namespace {

constexpr const char* kAdvice =
    "the step changed nothing; lower learningRate, use clip, or go back to an earlier state";

// "" when all is finite.
struct Place {
  char name[96] = "";
  bool found() const { return name[0] != '\0'; }
};

bool Check(ConstSpan values, const char* what, int layer, Place* place) {
  if (values.empty() || AllFinite(values)) return true;
  if (layer < 0) {
    std::snprintf(place->name, sizeof(place->name), "%s", what);
  } else {
    std::snprintf(place->name, sizeof(place->name), "layers.%d %s", layer, what);
  }
  return false;
}

bool Check(ConstMatrix values, const char* what, int layer, Place* place) {
  return values.rows == 0 || Check(values.Flat(), what, layer, place);
}

Place FirstBadWeight(const ModelTensors<const float>& weights) {
  Place place;
  for (const TensorTable::Entry& entry : weights.table->entries()) {
    char name[kMaxTensorName];
    TensorName(entry.spec, name);
    if (!Check(weights.At(entry).Flat(), name, -1, &place)) break;
  }
  return place;
}

Place FirstBadActivation(const Transformer& transformer) {
  const Activations& a = transformer.activations();
  Place place;
  if (!Check(a.embedded, "embedding", -1, &place)) return place;
  for (size_t i = 0; i < a.blocks.size; ++i) {
    const BlockActivations& block = a.blocks[i];
    const int layer = static_cast<int>(i);
    const bool finite = Check(block.attention.q, "attention query", layer, &place) &&
                        Check(block.attention.k, "attention key", layer, &place) &&
                        Check(block.attention.v, "attention value", layer, &place) &&
                        Check(block.attention.mixed, "attention mixture", layer, &place) &&
                        Check(block.sum1, "attention output", layer, &place) &&
                        Check(block.ffn.in, "feed-forward input", layer, &place) &&
                        Check(block.ffn.hidden, "feed-forward hidden", layer, &place) &&
                        Check(block.sum2, "feed-forward output", layer, &place) &&
                        Check(block.output, "output", layer, &place);
    if (!finite) return place;
  }
  Check(a.normed, "final norm", -1, &place);
  return place;
}

}  // namespace

Status NonFiniteLoss(uint64_t step, const Transformer& transformer) {
  const auto n = static_cast<unsigned long long>(step);
  const Place weight = FirstBadWeight(transformer.model().tensors());
  if (weight.found()) {
    return Status::Error(StatusCode::kNonFinite,
                         "step %llu: the loss is not finite because the weight %s is not; %s", n,
                         weight.name, kAdvice);
  }
  const Place activation = FirstBadActivation(transformer);
  return Status::Error(StatusCode::kNonFinite,
                       "step %llu: the loss is not finite; the first value that is not is in %s; "
                       "%s",
                       n, activation.found() ? activation.name : "logits", kAdvice);
}

Status NonFiniteGradient(uint64_t step, const ModelTensors<const float>& gradients) {
  const Span<const TensorTable::Entry> entries = gradients.table->entries();
  Place place;
  for (size_t i = entries.size; i > 0; --i) {
    char name[kMaxTensorName];
    TensorName(entries[i - 1].spec, name);
    if (!Check(gradients.At(entries[i - 1]).Flat(), name, -1, &place)) break;
  }
  return Status::Error(StatusCode::kNonFinite,
                       "step %llu: the gradient of %s is not finite; %s",
                       static_cast<unsigned long long>(step),
                       place.found() ? place.name : "the weights", kAdvice);
}

Status GradientTooLarge(uint64_t step, double norm) {
  return Status::Error(StatusCode::kNonFinite,
                       "step %llu: the gradient norm %g is too large for the optimizer's float32 "
                       "moments; %s",
                       static_cast<unsigned long long>(step), norm, kAdvice);
}

}  // namespace heed
