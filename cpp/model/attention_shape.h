// SPDX-License-Identifier: MIT
#ifndef HEED_MODEL_ATTENTION_SHAPE_H_
#define HEED_MODEL_ATTENTION_SHAPE_H_

#include "layers/attention.h"
#include "model/config.h"

namespace heed {

// What of the configuration the attention layer goes by; batch, time and rope tables are the pass's.
inline AttentionShape AttentionShapeOf(const ModelConfig& config) {
  AttentionShape shape;
  shape.heads = config.heads;
  shape.kv_heads = config.kv_heads;
  shape.head_width = config.head_width;
  shape.scale = config.attention_scale();
  shape.softcap = config.softcap;
  shape.alibi = config.position == PositionKind::kAlibi;
  shape.causal = config.mask == MaskKind::kCausal;
  shape.window = config.window;
  return shape;
}

}  // namespace heed

#endif  // HEED_MODEL_ATTENTION_SHAPE_H_
