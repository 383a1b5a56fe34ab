// SPDX-License-Identifier: MIT
// The attention weights of every layer and head for one sequence.
#ifndef HEED_MODEL_ATTENTION_MAPS_H_
#define HEED_MODEL_ATTENTION_MAPS_H_

#include <cstdint>

#include "base/span.h"
#include "base/status.h"
#include "model/model.h"

namespace heed {

// weights (L H T T): row i of a map says how much token i looks at tokens 0 .. i; 0 beyond; rows sum
// to 1; no dropout. The same layers as in training, with attention's plain twin.
// Errors: kBadData (tokens), kOutOfMemory.
Status AttentionMaps(const Model& model, Span<const int32_t> tokens, Span<float> weights);

}  // namespace heed

#endif  // HEED_MODEL_ATTENTION_MAPS_H_
