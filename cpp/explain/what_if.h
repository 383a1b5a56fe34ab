// SPDX-License-Identifier: MIT
// Numbers of a pass that are to be something else than the model computes.
#ifndef HEED_EXPLAIN_WHAT_IF_H_
#define HEED_EXPLAIN_WHAT_IF_H_

#include <cstddef>
#include <cstdint>

#include "base/span.h"
#include "base/status.h"
#include "model/model.h"

namespace heed {

enum class WhatIfKind : uint8_t {
  kQuery,               // q[row][column] = value, after RoPE; likewise k and v. Query heads that
  kKey,                 // share a key head share its key and value
  kValue,
  kScore,               // scaled score S[row][column] = value
  kAddToScore,          // S[row][column] += value
  kScale,               // all scores of the head times value
  kMask,                // the head's mask: value 0 none, 1 causal
  kCutEdge,             // A[row][column] = 0, the rest of the row as it was
  kCutEdgeRenormalised, // the same, and the rest of the row takes over its share
  kHeadZero,            // the head's output is zero
  kHeadMean,            // the head's output is its mean over the rows, in every row
  kWeight,              // `layer` is a tensor's place in the table: its [row][column] = value
  kCount,
};

struct WhatIf {
  WhatIfKind kind = WhatIfKind::kScore;
  uint32_t layer = 0;
  uint32_t head = 0;
  uint32_t row = 0;
  uint32_t column = 0;
  float value = 0.0f;
};

// kInvalidArgument naming the first one that does not fit the model or a pass over `time` tokens.
Status CheckWhatIfs(const Model& model, size_t time, Span<const WhatIf> what_ifs);

// Those of one layer and head, in order.
class HeadWhatIfs {
 public:
  HeadWhatIfs(Span<const WhatIf> all, size_t layer, size_t head)
      : all_(all), layer_(layer), head_(head) {}

  template <typename Visitor>
  void Each(WhatIfKind kind, Visitor&& visit) const {
    for (const WhatIf& what_if : all_) {
      if (what_if.kind == kind && what_if.layer == layer_ && what_if.head == head_) visit(what_if);
    }
  }
  bool Has(WhatIfKind kind) const {
    bool found = false;
    Each(kind, [&](const WhatIf&) { found = true; });
    return found;
  }

 private:
  Span<const WhatIf> all_;
  size_t layer_;
  size_t head_;
};

}  // namespace heed

#endif  // HEED_EXPLAIN_WHAT_IF_H_
