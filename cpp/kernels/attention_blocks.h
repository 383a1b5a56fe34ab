// SPDX-License-Identifier: MIT
// What a call of the tiled attention works on: block sizes, scratch layout, the head's tensors.
// Independent of the target, so that a plan made once fits every machine.
#ifndef HEED_KERNELS_ATTENTION_BLOCKS_H_
#define HEED_KERNELS_ATTENTION_BLOCKS_H_

#include <algorithm>
#include <cstddef>

#include "base/arena.h"
#include "base/span.h"
#include "kernels/attention.h"

namespace heed {

// Keys handled at once; a head of this many positions needs no rescaling of partial results.
inline constexpr size_t kKeyBlock = 128;
// Query rows that the backward pass reduces over at once into d_k and d_v.
inline constexpr size_t kQueryBlock = 64;
// Rows of a block of scores start this far apart. Not a power of two: those rows would share a few
// sets of the L1 cache.
inline constexpr size_t kRowStride = kKeyBlock + 16;
// Rows of the tallest register tile of any target.
inline constexpr size_t kMaxTileRows = 12;

// Hands out cache-line aligned runs of a scratch span, or counts them when there is none.
class ScratchCursor {
 public:
  explicit ScratchCursor(float* start) : start_(start) {}
  float* Take(size_t floats) {
    float* run = start_ == nullptr ? nullptr : start_ + used_;
    used_ += RoundUp(floats);
    return run;
  }
  size_t used() const { return used_; }

  // To whole vectors of the widest target, which is also a whole cache line.
  static size_t RoundUp(size_t floats) {
    constexpr size_t kUnit = kAlignment / sizeof(float);
    return (floats + kUnit - 1) / kUnit * kUnit;
  }

 private:
  float* start_;
  size_t used_ = 0;
};

struct ForwardScratch {
  ForwardScratch(float* start, size_t query_time, size_t head_width) : cursor(start) {
    k_transposed = cursor.Take(head_width * kKeyBlock);
    v = cursor.Take(kKeyBlock * ScratchCursor::RoundUp(head_width));
    weights = cursor.Take(kMaxTileRows * kRowStride);
    factors = cursor.Take(kKeyBlock);
    largest = cursor.Take(query_time);
    sum = cursor.Take(query_time);
  }
  ScratchCursor cursor;
  float* k_transposed;  // (D, keys) panels
  float* v;             // (keys, D) panels
  float* weights;       // a tile of scores, then weights
  float* factors;       // of dropout, one row
  float* largest;       // (Tq) largest score so far
  float* sum;           // (Tq) sum of exponentials so far
};

struct BackwardScratch {
  BackwardScratch(float* start, size_t head_width) : cursor(start) {
    const size_t wide = ScratchCursor::RoundUp(head_width);
    k_transposed = cursor.Take(head_width * kKeyBlock);
    v_transposed = cursor.Take(head_width * kKeyBlock);
    k = cursor.Take(kKeyBlock * wide);
    q = cursor.Take(kQueryBlock * wide);
    d_out = cursor.Take(kQueryBlock * wide);
    weights = cursor.Take(kQueryBlock * kRowStride);
    d_scores = cursor.Take(kQueryBlock * kRowStride);
    factors = cursor.Take(kKeyBlock);
  }
  ScratchCursor cursor;
  float* k_transposed;  // (D, keys) panels
  float* v_transposed;  // (D, keys) panels
  float* k;             // (keys, D) panels
  float* q;             // (queries, D) panels
  float* d_out;         // (queries, D) panels
  float* weights;       // (queries, keys) weights after dropout
  float* d_scores;      // (queries, keys) gradient of q.k
  float* factors;       // of dropout, one row
};

// Where the keys end that query i sees: key j stands at position j, query i at key_time - query_time
// + i.
inline size_t VisibleKeys(const AttentionOptions& options, size_t query_time, size_t key_time,
                          size_t i) {
  return options.causal ? key_time - query_time + i + 1 : key_time;
}
// Where they begin.
inline size_t FirstVisibleKey(const AttentionOptions& options, size_t query_time, size_t key_time,
                              size_t i) {
  const size_t end = VisibleKeys(options, query_time, key_time, i);
  return options.window == 0 || end < options.window ? 0 : end - options.window;
}

// Part [first, end) of the keys first_key .. first_key + keys - 1, counted from first_key.
struct KeyRange {
  size_t first = 0, end = 0;
  size_t size() const { return end - first; }
};
inline KeyRange VisibleInBlock(const AttentionOptions& options, size_t query_time, size_t key_time,
                               size_t i, size_t first_key, size_t keys) {
  const auto inside = [&](size_t key) {
    return key <= first_key ? 0 : std::min(key - first_key, keys);
  };
  return {inside(FirstVisibleKey(options, query_time, key_time, i)),
          inside(VisibleKeys(options, query_time, key_time, i))};
}

// Keys that stand in order, and how far before the query the first of them stands.
struct KeyRun {
  KeyRange keys;
  float distance = 0.0f;
};

// The keys that query i sees: one run, or two where a window or a distance reaches around a ring.
struct VisibleRuns {
  VisibleRuns(const AttentionOptions& options, size_t query_time, size_t key_time, size_t i) {
    const size_t position = key_time - query_time + i;
    run[0].keys = {FirstVisibleKey(options, query_time, key_time, i),
                   VisibleKeys(options, query_time, key_time, i)};
    run[0].distance = static_cast<float>(position) - static_cast<float>(run[0].keys.first);
    const bool ring = options.newest < position && (options.window != 0 || options.slope != 0.0f);
    if (!ring) return;
    // By age, 0 for the newest: rows newest .. 0, then the ring's end .. newest + 1.
    const size_t newest = options.newest, ages = run[0].keys.size();
    const size_t before = std::min(newest + 1, ages);
    run[0] = {{newest + 1 - before, newest + 1}, static_cast<float>(before - 1)};
    run[1] = {{key_time - (ages - before), key_time}, static_cast<float>(ages - 1)};
  }
  size_t size() const { return run[0].keys.size() + run[1].keys.size(); }

  KeyRun run[2];
};

// One head's forward pass.
struct ForwardHead {
  ConstMatrix q, k, v;
  const AttentionOptions& options;
  Matrix<float> out;
  Span<float> lse;
  ForwardScratch scratch;

  // Keys of the block [first_key, first_key + keys) that query i sees.
  KeyRange VisibleIn(size_t i, size_t first_key, size_t keys) const {
    return VisibleInBlock(options, q.rows, k.rows, i, first_key, keys);
  }
  // Whether no block before the one at first_key holds a key that query i sees.
  bool BeginsAt(size_t i, size_t first_key) const {
    return FirstVisibleKey(options, q.rows, k.rows, i) >= first_key;
  }
  // Positions from key j to query i; negative when the key comes later.
  float Distance(size_t i, size_t j) const {
    return static_cast<float>(k.rows - q.rows + i) - static_cast<float>(j);
  }
};

// One head's backward pass.
struct BackwardHead {
  ConstMatrix d_out, q, k, v, out;
  ConstSpan lse;
  const AttentionOptions& options;
  Matrix<float> d_q, d_k, d_v;
  BackwardScratch scratch;

  // The block of keys and the block of queries at hand.
  size_t first_key = 0, keys = 0;
  size_t first_query = 0, queries = 0;

  // Keys of the block that query i sees.
  KeyRange Visible(size_t i) const {
    return VisibleInBlock(options, q.rows, k.rows, i, first_key, keys);
  }
  float Distance(size_t i, size_t j) const {
    return static_cast<float>(k.rows - q.rows + i) - static_cast<float>(j);
  }
  // The first query that sees key j of the block; q.rows or more if none does.
  size_t FirstQuery(size_t j) const {
    if (!options.causal) return 0;
    const size_t position = first_key + j, offset = k.rows - q.rows;
    return position <= offset ? 0 : position - offset;
  }
  // Behind the last query that sees key j of the block; 0 if none does.
  size_t EndQuery(size_t j) const {
    if (options.window == 0) return q.rows;
    const size_t end = first_key + j + options.window, offset = k.rows - q.rows;
    return end <= offset ? 0 : std::min(end - offset, q.rows);
  }
};

}  // namespace heed

#endif  // HEED_KERNELS_ATTENTION_BLOCKS_H_
