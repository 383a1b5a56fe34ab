// SPDX-License-Identifier: MIT
// Numbers of a model's dropout sites: one mask each, drawn from the pass's key.
#ifndef HEED_MODEL_DROPOUT_SITES_H_
#define HEED_MODEL_DROPOUT_SITES_H_

#include <cstddef>
#include <cstdint>

namespace heed {

inline constexpr uint32_t kEmbeddingSite = 0;

// Outputs of a layer's two branches.
constexpr uint32_t AttentionSite(size_t layer) { return static_cast<uint32_t>(1 + 2 * layer); }
constexpr uint32_t FeedForwardSite(size_t layer) { return static_cast<uint32_t>(2 + 2 * layer); }

// Attention weights: head h of sequence b of a layer has site first + b * H + h. The high bit keeps
// them apart from the sites above.
constexpr uint32_t FirstWeightsSite(size_t layer, size_t batch, size_t heads) {
  return 0x80000000u + static_cast<uint32_t>(layer * batch * heads);
}

}  // namespace heed

#endif  // HEED_MODEL_DROPOUT_SITES_H_
