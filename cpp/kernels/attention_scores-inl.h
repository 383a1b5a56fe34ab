// SPDX-License-Identifier: MIT
// From q.k to the score that softmax reads, and back: scale, soft cap, and ALiBi's slope.

// Per-target include guard.
#if defined(HEED_KERNELS_ATTENTION_SCORES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEED_KERNELS_ATTENTION_SCORES_INL_H_
#undef HEED_KERNELS_ATTENTION_SCORES_INL_H_
#else
#define HEED_KERNELS_ATTENTION_SCORES_INL_H_
#endif

#include <cstddef>

#include "hwy/highway.h"
#include "kernels/attention.h"
#include "kernels/lanes-inl.h"
#include "kernels/math-inl.h"
#include "kernels/softmax-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Scores of a vector of q.k and their derivatives by q.k.
template <class D>
struct ScoreLanes {
  hn::VFromD<D> score;
  hn::VFromD<D> slope;
};

// `distance` is that of the vector's first key; the next ones stand a position closer each.
template <class D>
HWY_INLINE ScoreLanes<D> ShapedScores(D d, const AttentionOptions& options, float distance,
                                      hn::VFromD<D> product) {
  const auto scale = hn::Set(d, options.scale);
  ScoreLanes<D> lanes = {hn::Mul(product, scale), scale};
  if (options.softcap > 0.0f) {
    const auto cap = hn::Set(d, options.softcap);
    const TanhLanes<D> t = Tanh(d, hn::Mul(lanes.score, hn::Set(d, 1.0f / options.softcap)));
    lanes = {hn::Mul(cap, t.tanh), hn::Mul(scale, t.slope)};
  }
  if (options.slope != 0.0f) {
    const auto away = hn::Abs(hn::Sub(hn::Set(d, distance), hn::Iota(d, 0)));
    lanes.score = hn::NegMulAdd(hn::Set(d, options.slope), away, lanes.score);
  }
  return lanes;
}

// row[0 .. n), q.k of keys from `distance` positions before the query on, becomes scores.
template <class D>
HWY_INLINE void ScoresOfRow(D d, const AttentionOptions& options, float distance, size_t n,
                            float* HWY_RESTRICT row) {
  if (!options.shaped()) {
    ScaleRow(d, row, n, options.scale, row);
    return;
  }
  ForVectors(d, n, [&](size_t j, auto lanes) HEED_LAMBDA {
    const auto from = distance - static_cast<float>(j);
    lanes.Store(d, ShapedScores(d, options, from, lanes.Load(d, row + j)).score, row + j);
  });
}

// slopes[0 .. n) = d score / d q.k of q.k in `products`; the same array may serve for both.
template <class D>
HWY_INLINE void ScoreSlopes(D d, const AttentionOptions& options, size_t n, const float* products,
                            float* slopes) {
  ForVectors(d, n, [&](size_t j, auto lanes) HEED_LAMBDA {
    lanes.Store(d, ShapedScores(d, options, 0.0f, lanes.Load(d, products + j)).slope, slopes + j);
  });
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
