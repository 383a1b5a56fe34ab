// SPDX-License-Identifier: MIT
#include "model/attention_maps.h"

#include "model/transformer.h"

namespace heed {

Status AttentionMaps(const Model& model, Span<const int32_t> tokens, Span<float> weights) {
  HEED_RETURN_IF_ERROR(model.CheckTokens(tokens));
  const size_t time = tokens.size, layers = model.config().layers, heads = model.config().heads;
  HEED_DCHECK(weights.size == layers * heads * time * time);
  Transformer transformer;
  HEED_RETURN_IF_ERROR(transformer.Init(&model, 1, time, PassKind::kInference));
  transformer.Embed(tokens, 1, time, PassDropout());
  for (size_t layer = 0; layer < layers; ++layer) {
    const size_t floats = heads * time * time;
    transformer.BlockForward(
        layer, Matrix<float>(weights.data + layer * floats, heads * time, time));
  }
  return Status();
}

}  // namespace heed
