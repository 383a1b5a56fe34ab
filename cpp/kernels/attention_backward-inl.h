// SPDX-License-Identifier: MIT
// Backward pass of the tiled attention: weights are made again from q, k and lse.
//
// With w = exp(score - lse), factor f of dropout, o = sum_j w_j f_j v_j:
//   d_v_j = sum_i w_ij f_ij d_o_i
//   d_score_ij = w_ij (f_ij d_o_i.v_j - d_o_i.o_i), since sum_j w_j d_w_j = d_o.o
//   d_q_i = sum_j d_score_ij slope_ij k_j,  d_k_j = sum_i d_score_ij slope_ij q_i,
// slope_ij = d score_ij / d q_i.k_j, which is the scale without a soft cap.

// Per-target include guard.
#if defined(HEED_KERNELS_ATTENTION_BACKWARD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEED_KERNELS_ATTENTION_BACKWARD_INL_H_
#undef HEED_KERNELS_ATTENTION_BACKWARD_INL_H_
#else
#define HEED_KERNELS_ATTENTION_BACKWARD_INL_H_
#endif

#include <cstddef>

#include "base/span.h"
#include "hwy/highway.h"
#include "kernels/attention.h"
#include "kernels/attention_row-inl.h"
#include "kernels/attention_scores-inl.h"
#include "kernels/attention_tile-inl.h"
#include "kernels/gemm_pack-inl.h"
#include "kernels/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// One row: `weights` comes as q.k and leaves as weights after dropout, `d_scores` comes as d_o.v_j
// and leaves as the gradient of q.k_j. Columns outside `visible` become 0. kShaped: scores are more
// than scale q.k.
template <bool kShaped, class D>
HWY_INLINE void BackwardRow(D d, const BackwardHead& head, size_t i, const KeyRange& visible,
                            float* HWY_RESTRICT weights, float* HWY_RESTRICT d_scores) {
  const auto lse = hn::Set(d, head.lse[i]);
  const auto mean = hn::Set(d, Dot(d, head.d_out.Row(i), head.out.Row(i), head.out.cols));
  const auto scale = hn::Set(d, head.options.scale);
  float* factors = head.scratch.factors;
  const bool dropout = head.options.dropout.active();
  if (dropout) {
    DropoutFactors(head.options.dropout, static_cast<uint32_t>(i), head.first_key,
                   Span<float>(factors, visible.end));
  }
  const float distance = kShaped ? head.Distance(i, head.first_key + visible.first) : 0.0f;
  float* const first_weight = weights + visible.first;
  float* const first_score = d_scores + visible.first;
  factors += visible.first;
  ForVectors(d, visible.size(), [&](size_t j, auto lanes) HEED_LAMBDA {
    const auto product = lanes.Load(d, first_weight + j);
    auto weight = product, slope = scale;
    if constexpr (kShaped) {
      const auto score =
          ShapedScores(d, head.options, distance - static_cast<float>(j), product);
      weight = Exp(d, hn::Sub(score.score, lse));
      slope = score.slope;
    } else {
      weight = Exp(d, hn::MulSub(product, scale, lse));
    }
    auto d_weight = lanes.Load(d, first_score + j);
    auto dropped = weight;
    if (dropout) {
      const auto factor = lanes.Load(d, factors + j);
      d_weight = hn::Mul(d_weight, factor);
      dropped = hn::Mul(weight, factor);
    }
    lanes.Store(d, dropped, first_weight + j);
    lanes.Store(d, hn::Mul(hn::Mul(weight, slope), hn::Sub(d_weight, mean)), first_score + j);
  });
  for (size_t j = 0; j < visible.first; ++j) weights[j] = d_scores[j] = 0.0f;
  for (size_t j = visible.end; j < head.keys; ++j) weights[j] = d_scores[j] = 0.0f;
}

// Weights, score gradients and d_q of query rows [i, i + kRows).
template <size_t kRows>
HWY_INLINE void BackwardQueryTile(const BackwardHead& head, size_t i) {
  const hn::ScalableTag<float> d;
  const BackwardScratch& scratch = head.scratch;
  float* weights = scratch.weights + (i - head.first_query) * kRowStride;
  float* d_scores = scratch.d_scores + (i - head.first_query) * kRowStride;
  // The first row's window begins first: when it begins behind the block, so do the others.
  if (head.Visible(i).first == head.keys) return;
  const size_t visible = head.Visible(i + kRows - 1).end;
  RowsTimesPanels<kRows>(head.q, i, scratch.k_transposed, head.keys, visible, weights);
  RowsTimesPanels<kRows>(head.d_out, i, scratch.v_transposed, head.keys, visible, d_scores);
  for (size_t r = 0; r < kRows; ++r) {
    float* const row_weights = weights + r * kRowStride;
    float* const row_scores = d_scores + r * kRowStride;
    if (head.options.shaped()) {
      BackwardRow<true>(d, head, i + r, head.Visible(i + r), row_weights, row_scores);
    } else {
      BackwardRow<false>(d, head, i + r, head.Visible(i + r), row_weights, row_scores);
    }
  }
  // With a window the first block of a row is not the first of all, and tiles of different blocks
  // need not hold the same rows: d_q was zeroed then.
  WeightsTimesPanels<kRows>(d_scores, visible, scratch.k, head.keys, head.d_q, i,
                            head.first_key != 0 || head.options.window != 0);
}

// dst (kRows keys from j on, D) += left^T (keys, queries) times a packed right (queries, D).
template <size_t kRows>
HWY_INLINE void BackwardKeyTile(const BackwardHead& head, size_t j, const float* left,
                                const float* right, const Matrix<float>& dst) {
  const size_t first_query = head.FirstQuery(j);
  const size_t skipped = first_query <= head.first_query ? 0 : first_query - head.first_query;
  // Rows past the last query that sees a key of the tile were not written when their tile was skipped.
  const size_t end_query = head.EndQuery(j + kRows - 1);
  const size_t end =
      end_query <= head.first_query ? 0 : HWY_MIN(end_query - head.first_query, head.queries);
  if (skipped >= end) return;
  ForEachPanel(dst.cols, [&](size_t col, size_t used, size_t width) HEED_LAMBDA {
    TileTimesPanel<kRows>(end - skipped,
                          ColumnsLeft<kRowStride>{left + skipped * kRowStride + j},
                          right + col * head.queries + skipped * width, used, width,
                          TileStore{dst.Row(head.first_key + j) + col, dst.stride, nullptr, true});
  });
}

HWY_INLINE void TiledBackward(BackwardHead& head) {
  const BackwardScratch& scratch = head.scratch;
  if (head.options.window != 0) {
    for (size_t i = 0; i < head.q.rows; ++i) {
      for (size_t c = 0; c < head.d_q.cols; ++c) head.d_q(i, c) = 0.0f;
    }
  }
  for (head.first_key = 0; head.first_key < head.k.rows; head.first_key += kKeyBlock) {
    head.keys = HWY_MIN(kKeyBlock, head.k.rows - head.first_key);
    PackBAll(head.k.Rows(head.first_key, head.keys), true, scratch.k_transposed);
    PackBAll(head.v.Rows(head.first_key, head.keys), true, scratch.v_transposed);
    PackBAll(head.k.Rows(head.first_key, head.keys), false, scratch.k);
    const size_t end_query = head.EndQuery(head.keys - 1);
    for (head.first_query = head.FirstQuery(0); head.first_query < end_query;
         head.first_query += kQueryBlock) {
      head.queries = HWY_MIN(kQueryBlock, end_query - head.first_query);
      PackBAll(head.q.Rows(head.first_query, head.queries), false, scratch.q);
      PackBAll(head.d_out.Rows(head.first_query, head.queries), false, scratch.d_out);
      ForEachTile(head.queries, [&](auto tile_rows, size_t r) HEED_LAMBDA {
        BackwardQueryTile<decltype(tile_rows)::value>(head, head.first_query + r);
      });
      ForEachTile(head.keys, [&](auto tile_rows, size_t j) HEED_LAMBDA {
        constexpr size_t kRows = decltype(tile_rows)::value;
        BackwardKeyTile<kRows>(head, j, scratch.weights, scratch.d_out, head.d_v);
        BackwardKeyTile<kRows>(head, j, scratch.d_scores, scratch.q, head.d_k);
      });
    }
  }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
