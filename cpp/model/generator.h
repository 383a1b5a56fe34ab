// SPDX-License-Identifier: MIT
// Continues a text token by token with cached keys and values.
//
// Past the context: with rope or no positions the oldest token leaves the cache and the positions go
// on (a sliding window). Learned and sinusoidal positions end with the context: the last half of it
// is read again from position 0 and generation goes on, one such reading every context / 2 tokens.
// A model without a mask reads the whole text again for every token.
#ifndef HEED_MODEL_GENERATOR_H_
#define HEED_MODEL_GENERATOR_H_

#include <cstdint>
#include <memory>

#include "base/arena.h"
#include "layers/attention.h"
#include "layers/feed_forward.h"
#include "layers/norm.h"
#include "model/model.h"
#include "model/plan.h"
#include "model/sampler.h"

namespace heed {

class Generator {
 public:
  // The model must outlive the generator and keep its weights. The last `context` tokens of the
  // prompt are read; the text must not be empty. The last `index` tokens of the text, all but its
  // first when it is no longer, count as chosen by the generator itself, so the next token is what a
  // generator over the rest would choose as number `index` (from 0), to every bit of its
  // logits. Errors: kInvalidArgument, kBadData, kOutOfMemory.
  static Result<std::unique_ptr<Generator>> Create(const Model* model,
                                                   const SamplingConfig& sampling,
                                                   Span<const int32_t> text, uint64_t index = 0);

  // Works for at least one chunk of tokens and until budget_ms have passed. True: token() is the
  // next token, and it has been added to the text. kNonFinite: nothing was added.
  Result<bool> Advance(double budget_ms);
  int32_t token() const { return token_; }
  // Logits (V) the last token was chosen from; the ids it was chosen among, likeliest first; the
  // probabilities (V) of the draw, of which those of these ids sum to pool().total.
  ConstSpan logits() const { return buffers_.logits; }
  Span<const int32_t> pool_ids() const { return buffers_.order.Slice(0, pool_.size); }
  ConstSpan probabilities() const { return buffers_.probabilities; }
  const SamplingPool& pool() const { return pool_; }

 private:
  struct Buffers {
    Span<KeyValueCache> caches;  // L
    Span<int32_t> history;       // (context) tokens to read or in the cache, oldest first
    Span<int32_t> given;         // tokens of the text that count as chosen
    Matrix<float> x, normed, branch;      // (chunk, C)
    Matrix<float> q, mixed;               // (chunk, H D)
    FeedForwardSaved ffn;                 // (chunk, F)
    NormSaved norm;                       // (chunk)
    Matrix<float> rope_cosines, rope_sines;  // (chunk, D/2)
    Matrix<float> sinusoids;                 // (context, C)
    Span<float> logits, probabilities;       // (V)
    Span<int32_t> order;                     // (V)
    Span<float> scratch;
  };
  static Buffers Plan(const ModelConfig& config, uint64_t given, Planner* planner);

  Generator() = default;
  bool slides() const;
  // Whether given tokens to come make all be read anew, so that reading before them is in vain.
  bool WillReadAnew() const;
  void ReadChunk();
  void ReadBlock(size_t layer, size_t rows, size_t cache_row, size_t keys);
  void ReadLogits(size_t last_row);
  // Makes room for one more token.
  void Append(int32_t token);

  const Model* model_ = nullptr;
  SamplingConfig sampling_;
  Arena arena_;
  Buffers buffers_;
  size_t length_ = 0;       // tokens in history
  size_t read_ = 0;         // of these, how many are in the cache
  uint64_t position_ = 0;   // position of the next token to read
  size_t given_ = 0;        // given tokens appended so far
  uint64_t draws_ = 0;      // number of the next token to choose
  SamplingPool pool_;
  int32_t token_ = -1;
};

}  // namespace heed

#endif  // HEED_MODEL_GENERATOR_H_
