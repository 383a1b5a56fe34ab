// SPDX-License-Identifier: MIT
#include "train/dataset.h"

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "base/philox.h"

namespace heed {

Status Dataset::Init(Span<const int32_t> tokens, Span<const uint8_t> mask, uint32_t vocab,
                     uint32_t context, double val_fraction) {
  if (!mask.empty() && mask.size != tokens.size) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "the loss mask has %zu entries for %zu tokens; give one for each token",
                         mask.size, tokens.size);
  }
  for (size_t i = 0; i < tokens.size; ++i) {
    if (tokens[i] < 0 || static_cast<uint32_t>(tokens[i]) >= vocab) {
      return Status::Error(StatusCode::kBadData,
                           "token %d at position %zu is outside the vocabulary (0 to %u); encode "
                           "the text with the model's own tokenizer",
                           tokens[i], i, vocab - 1);
    }
  }
  const auto train =
      static_cast<uint64_t>(std::floor(static_cast<double>(tokens.size) * (1.0 - val_fraction)));
  if (train < uint64_t{context} + 1) {
    return Status::Error(StatusCode::kBadData,
                         "the text has %zu tokens, %llu of them for training; a context of %u "
                         "needs at least %u there; use a longer text, a shorter context or a "
                         "smaller valFraction",
                         tokens.size, static_cast<unsigned long long>(train), context, context + 1);
  }
  ArenaPlan plan;
  const uint64_t tokens_at = plan.Add<int32_t>(tokens.size);
  const uint64_t mask_at = plan.Add<uint8_t>(mask.size);
  HEED_RETURN_IF_ERROR(arena_.Allocate(plan.bytes(), "the training text"));
  tokens_ = arena_.Slice<int32_t>(tokens_at, tokens.size);
  mask_ = arena_.Slice<uint8_t>(mask_at, mask.size);
  std::copy(tokens.begin(), tokens.end(), tokens_.begin());
  std::copy(mask.begin(), mask.end(), mask_.begin());
  train_tokens_ = train;
  context_ = context;
  fingerprint_ = HashBytes(tokens.data, tokens.size * sizeof(int32_t));
  fingerprint_ = HashBytes(mask.data, mask.size, fingerprint_);
  return Status();
}

uint64_t Dataset::tokens(Split split) const {
  return split == Split::kTrain ? train_tokens_ : tokens_.size - train_tokens_;
}

uint64_t Dataset::starts(Split split) const {
  const uint64_t count = tokens(split);
  return count > context_ ? count - context_ : 0;
}

uint64_t Dataset::examples(Split split) const {
  const uint64_t count = tokens(split);
  return count == 0 ? 0 : (count - 1) / context_;
}

void Dataset::DrawExample(uint64_t seed, uint64_t step, uint64_t row, Span<int32_t> tokens,
                          Span<int32_t> targets) const {
  const PhiloxBlock bits =
      RandomBits(seed, RandomStream::kBatch, static_cast<uint32_t>(row),
                 static_cast<uint32_t>(step), static_cast<uint32_t>(step >> 32));
  const auto bound = static_cast<uint32_t>(std::min<uint64_t>(starts(Split::kTrain), UINT32_MAX));
  CopyWindow(UniformBelow(bits[0], bound), tokens, targets);
}

void Dataset::FixedExample(Split split, uint64_t number, Span<int32_t> tokens,
                           Span<int32_t> targets) const {
  HEED_DCHECK(number < examples(split));
  CopyWindow(first(split) + number * context_, tokens, targets);
}

void Dataset::CopyWindow(uint64_t start, Span<int32_t> tokens, Span<int32_t> targets) const {
  HEED_DCHECK(tokens.size == context_ && targets.size == context_);
  const auto at = static_cast<size_t>(start);
  for (size_t t = 0; t < context_; ++t) {
    tokens[t] = tokens_[at + t];
    const bool counts = mask_.empty() || mask_[at + t + 1] != 0;
    targets[t] = counts ? tokens_[at + t + 1] : -1;
  }
}

}  // namespace heed
