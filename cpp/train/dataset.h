// SPDX-License-Identifier: MIT
// The tokens of a run, cut into a training and a validation part, and the windows drawn from them.
#ifndef HEED_TRAIN_DATASET_H_
#define HEED_TRAIN_DATASET_H_

#include <cstddef>
#include <cstdint>

#include "base/arena.h"
#include "base/span.h"
#include "base/status.h"
#include "train/split.h"

namespace heed {

class Dataset {
 public:
  // Copies tokens (N) and mask (N, 0 = never a target; or empty: all count). The first
  // floor(N (1 - val_fraction)) tokens are for training. Errors: kBadData for a token outside
  // [0, vocab) or a training part shorter than context + 1, kOutOfMemory.
  Status Init(Span<const int32_t> tokens, Span<const uint8_t> mask, uint32_t vocab,
              uint32_t context, double val_fraction);

  // An example is a window: `context` tokens and, one place further on, their targets (-1 where the
  // mask is 0). Places a drawn window may start at, and numbered windows, which do not overlap.
  uint64_t starts(Split split) const;
  uint64_t examples(Split split) const;
  uint32_t context() const { return context_; }

  // Row `row` (0 .. accumulation * batch - 1) of a step: a start drawn uniformly from the training
  // part by (seed, step, row) alone.
  void DrawExample(uint64_t seed, uint64_t step, uint64_t row, Span<int32_t> tokens,
                   Span<int32_t> targets) const;
  // Number `number` < examples(split) of the windows that do not overlap.
  void FixedExample(Split split, uint64_t number, Span<int32_t> tokens,
                    Span<int32_t> targets) const;

  uint64_t tokens(Split split) const;
  // FNV-1a of tokens and mask: a saved run is continued on the same data only.
  uint64_t fingerprint() const { return fingerprint_; }

 private:
  void CopyWindow(uint64_t start, Span<int32_t> tokens, Span<int32_t> targets) const;
  uint64_t first(Split split) const { return split == Split::kTrain ? 0 : train_tokens_; }

  Arena arena_;
  Span<int32_t> tokens_;
  Span<uint8_t> mask_;
  uint64_t train_tokens_ = 0;
  uint32_t context_ = 0;
  uint64_t fingerprint_ = 0;
};

}  // namespace heed

#endif  // HEED_TRAIN_DATASET_H_
