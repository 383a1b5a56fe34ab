// SPDX-License-Identifier: MIT
// Backward pass of the tiled attention: weights are made again from q, k and lse.
//
// With w = exp(score - lse), factor f of dropout, o = sum_j w_j f_j v_j:
//   d_v_j = sum_i w_ij f_ij d_o_i
//   d_score_ij = w_ij (f_ij d_o_i.v_j - d_o_i.o_i), since sum_j w_j d_w_j = d_o.o
//   d_q_i = scale sum_j d_score_ij k_j,  d_k_j = scale sum_i d_score_ij q_i

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
#include "kernels/attention_tile-inl.h"
#include "kernels/gemm_pack-inl.h"
#include "kernels/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// One row: `weights` comes as q.k and leaves as weights after dropout, `d_scores` comes as d_o.v_j
// and leaves as the gradient of q.k_j. Columns from `visible` on become 0.
template <class D>
HWY_INLINE void BackwardRow(D d, const BackwardHead& head, size_t i, size_t visible,
                            float* HWY_RESTRICT weights, float* HWY_RESTRICT d_scores) {
  const auto lse = hn::Set(d, head.lse[i]);
  const auto mean = hn::Set(d, Dot(d, head.d_out.Row(i), head.out.Row(i), head.out.cols));
  const auto scale = hn::Set(d, head.options.scale);
  float* factors = head.scratch.factors;
  const bool dropout = head.options.dropout.active();
  if (dropout) {
    DropoutFactors(head.options.dropout, static_cast<uint32_t>(i), head.first_key,
                   Span<float>(factors, visible));
  }
  ForVectors(d, visible, [&](size_t j, auto lanes) HEED_LAMBDA {
    const auto weight = Exp(d, hn::MulSub(lanes.Load(d, weights + j), scale, lse));
    auto d_weight = lanes.Load(d, d_scores + j);
    auto dropped = weight;
    if (dropout) {
      const auto factor = lanes.Load(d, factors + j);
      d_weight = hn::Mul(d_weight, factor);
      dropped = hn::Mul(weight, factor);
    }
    lanes.Store(d, dropped, weights + j);
    lanes.Store(d, hn::Mul(hn::Mul(weight, scale), hn::Sub(d_weight, mean)), d_scores + j);
  });
  for (size_t j = visible; j < head.keys; ++j) weights[j] = d_scores[j] = 0.0f;
}

// Weights, score gradients and d_q of query rows [i, i + kRows).
template <size_t kRows>
HWY_INLINE void BackwardQueryTile(const BackwardHead& head, size_t i) {
  const hn::ScalableTag<float> d;
  const BackwardScratch& scratch = head.scratch;
  float* weights = scratch.weights + (i - head.first_query) * kRowStride;
  float* d_scores = scratch.d_scores + (i - head.first_query) * kRowStride;
  const size_t visible = head.VisibleInBlock(i + kRows - 1);
  RowsTimesPanels<kRows>(head.q, i, scratch.k_transposed, head.keys, visible, weights);
  RowsTimesPanels<kRows>(head.d_out, i, scratch.v_transposed, head.keys, visible, d_scores);
  for (size_t r = 0; r < kRows; ++r) {
    BackwardRow(d, head, i + r, head.VisibleInBlock(i + r), weights + r * kRowStride,
                d_scores + r * kRowStride);
  }
  WeightsTimesPanels<kRows>(d_scores, visible, scratch.k, head.keys, head.d_q, i,
                            head.first_key != 0);
}

// dst (kRows keys from j on, D) += left^T (keys, queries) times a packed right (queries, D).
template <size_t kRows>
HWY_INLINE void BackwardKeyTile(const BackwardHead& head, size_t j, const float* left,
                                const float* right, const Matrix<float>& dst) {
  const size_t first_query = head.FirstQuery(j);
  const size_t skipped = first_query <= head.first_query ? 0 : first_query - head.first_query;
  if (skipped >= head.queries) return;
  ForEachPanel(dst.cols, [&](size_t col, size_t used, size_t width) HEED_LAMBDA {
    TileTimesPanel<kRows>(head.queries - skipped,
                          ColumnsLeft<kRowStride>{left + skipped * kRowStride + j},
                          right + col * head.queries + skipped * width, used, width,
                          TileStore{dst.Row(head.first_key + j) + col, dst.stride, nullptr, true});
  });
}

HWY_INLINE void TiledBackward(BackwardHead& head) {
  const BackwardScratch& scratch = head.scratch;
  const size_t query_time = head.q.rows;
  for (head.first_key = 0; head.first_key < head.k.rows; head.first_key += kKeyBlock) {
    head.keys = HWY_MIN(kKeyBlock, head.k.rows - head.first_key);
    PackBAll(head.k.Rows(head.first_key, head.keys), true, scratch.k_transposed);
    PackBAll(head.v.Rows(head.first_key, head.keys), true, scratch.v_transposed);
    PackBAll(head.k.Rows(head.first_key, head.keys), false, scratch.k);
    for (head.first_query = head.FirstQuery(0); head.first_query < query_time;
         head.first_query += kQueryBlock) {
      head.queries = HWY_MIN(kQueryBlock, query_time - head.first_query);
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
