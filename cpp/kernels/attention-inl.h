// SPDX-License-Identifier: MIT
// Forward pass of the tiled attention.

// Per-target include guard.
#if defined(HEED_KERNELS_ATTENTION_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEED_KERNELS_ATTENTION_INL_H_
#undef HEED_KERNELS_ATTENTION_INL_H_
#else
#define HEED_KERNELS_ATTENTION_INL_H_
#endif

#include <cmath>
#include <cstddef>
#include <limits>

#include "base/span.h"
#include "hwy/highway.h"
#include "kernels/attention.h"
#include "kernels/attention_row-inl.h"
#include "kernels/attention_scores-inl.h"
#include "kernels/attention_tile-inl.h"
#include "kernels/gemm_pack-inl.h"
#include "kernels/softmax-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Turns a row of q.k into exp(score - largest) and updates the row's state. The `visible` ones of
// `keys` columns count, the others become 0.
template <class D>
HWY_INLINE void OnlineSoftmaxRow(D d, const ForwardHead& head, size_t i, size_t first_key,
                                 const KeyRange& visible, size_t keys,
                                 float* HWY_RESTRICT weights) {
  float& largest = head.scratch.largest[i];
  float& sum = head.scratch.sum[i];
  if (visible.size() != 0) {
    float* seen = weights + visible.first;
    const size_t count = visible.size();
    ScoresOfRow(d, head.options, head.Distance(i, first_key + visible.first), count, seen);
    const float block_largest = RowMax(d, seen, count);
    // A NaN must reach the state: no std::max, which may drop it.
    const float now_largest = block_largest <= largest ? largest : block_largest;
    const float block_sum = ExpRow(d, seen, count, now_largest, seen);
    if (head.BeginsAt(i, first_key)) {
      sum = block_sum;
    } else if (now_largest == largest) {
      sum += block_sum;
    } else {
      const float shrink = std::exp(largest - now_largest);
      sum = sum * shrink + block_sum;
      ScaleRow(d, head.out.Row(i), head.out.cols, shrink, head.out.Row(i));
    }
    largest = now_largest;
    if (head.options.dropout.active()) {
      // After the sum: weights sum to 1 before dropout.
      DropoutFactors(head.options.dropout, static_cast<uint32_t>(i), first_key,
                     Span<float>(head.scratch.factors, visible.end));
      ForVectors(d, visible.end, [&](size_t j, auto lanes) HEED_LAMBDA {
        lanes.Store(d, hn::Mul(lanes.Load(d, weights + j), lanes.Load(d, head.scratch.factors + j)),
                    weights + j);
      });
    }
  }
  for (size_t j = 0; j < visible.first; ++j) weights[j] = 0.0f;
  for (size_t j = visible.end; j < keys; ++j) weights[j] = 0.0f;
}

// Query rows [i, i + kRows) against one block of keys, packed in the scratch.
template <size_t kRows>
HWY_INLINE void ForwardTile(const ForwardHead& head, size_t i, size_t first_key, size_t block) {
  const hn::ScalableTag<float> d;
  const ForwardScratch& scratch = head.scratch;
  const size_t keys = head.VisibleIn(i + kRows - 1, first_key, block).end;
  // The first row's window begins first: when it begins behind the block, so do the others.
  if (keys == 0 || head.VisibleIn(i, first_key, block).first == block) return;
  RowsTimesPanels<kRows>(head.q, i, scratch.k_transposed, block, keys, scratch.weights);
  for (size_t r = 0; r < kRows; ++r) {
    OnlineSoftmaxRow(d, head, i + r, first_key, head.VisibleIn(i + r, first_key, block), keys,
                     scratch.weights + r * kRowStride);
  }
  WeightsTimesPanels<kRows>(scratch.weights, keys, scratch.v, block, head.out, i,
                            !head.BeginsAt(i, first_key));
}

HWY_INLINE void TiledForward(const ForwardHead& head) {
  const hn::ScalableTag<float> d;
  const size_t query_time = head.q.rows;
  for (size_t i = 0; i < query_time; ++i) {
    head.scratch.largest[i] = -std::numeric_limits<float>::infinity();
  }
  for (size_t first_key = 0; first_key < head.k.rows; first_key += kKeyBlock) {
    const size_t block = HWY_MIN(kKeyBlock, head.k.rows - first_key);
    PackBAll(head.k.Rows(first_key, block), true, head.scratch.k_transposed);
    PackBAll(head.v.Rows(first_key, block), false, head.scratch.v);
    ForEachTile(query_time, [&](auto tile_rows, size_t i) HEED_LAMBDA {
      ForwardTile<decltype(tile_rows)::value>(head, i, first_key, block);
    });
  }
  for (size_t i = 0; i < query_time; ++i) {
    const float sum = head.scratch.sum[i];
    head.lse[i] = head.scratch.largest[i] + std::log(sum);
    ScaleRow(d, head.out.Row(i), head.out.cols, 1.0f / sum, head.out.Row(i));
  }
}

// The same a row at a time; the scores of a row lie in the scratch, which must hold k.rows floats.
// The only way that reads a ring of keys.
HWY_INLINE void RowsForward(const ConstMatrix& q, const ConstMatrix& k, const ConstMatrix& v,
                            const AttentionOptions& options, const Matrix<float>& out,
                            const Span<float>& lse, float* HWY_RESTRICT scores) {
  const hn::ScalableTag<float> d;
  for (size_t i = 0; i < q.rows; ++i) {
    const VisibleRuns runs(options, q.rows, k.rows, i);
    ScoreRuns(d, q.Row(i), k, runs, options, scores);
    const float largest = RowMax(d, scores, runs.size());
    const float sum = ExpRow(d, scores, runs.size(), largest, scores);
    lse[i] = largest + std::log(sum);
    ScaleRow(d, scores, runs.size(), 1.0f / sum, scores);
    WeightedValues(d, scores, v, options.dropout, i, runs, out.Row(i));
  }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
