// SPDX-License-Identifier: MIT
// Attention of one query at a time, in the order of the formulas: what the plain twin is made of,
// and faster than tiles for the one query of a decoding step, whose keys would be packed for
// nothing.

// Per-target include guard.
#if defined(HEED_KERNELS_ATTENTION_ROW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEED_KERNELS_ATTENTION_ROW_INL_H_
#undef HEED_KERNELS_ATTENTION_ROW_INL_H_
#else
#define HEED_KERNELS_ATTENTION_ROW_INL_H_
#endif

#include <cstddef>

#include "base/span.h"
#include "hwy/highway.h"
#include "kernels/attention_blocks.h"
#include "kernels/attention_scores-inl.h"
#include "kernels/dropout.h"
#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D>
HWY_INLINE float Dot(D d, const float* HWY_RESTRICT a, const float* HWY_RESTRICT b, size_t n) {
  return Sum(d, n, [&](size_t i, auto lanes) HEED_LAMBDA {
    return hn::Mul(lanes.Load(d, a + i), lanes.Load(d, b + i));
  });
}

// y += factor * x
template <class D>
HWY_INLINE void AddScaled(D d, float factor, const float* HWY_RESTRICT x, size_t n,
                          float* HWY_RESTRICT y) {
  const auto scale = hn::Set(d, factor);
  ForVectors(d, n, [&](size_t i, auto lanes) HEED_LAMBDA {
    lanes.Store(d, hn::MulAdd(scale, lanes.Load(d, x + i), lanes.Load(d, y + i)), y + i);
  });
}

// Scores of the runs' keys, one run behind the other.
template <class D>
HWY_INLINE void ScoreRuns(D d, const float* HWY_RESTRICT q, const ConstMatrix& k,
                          const VisibleRuns& runs, const AttentionOptions& options,
                          float* HWY_RESTRICT scores) {
  for (const KeyRun& run : runs.run) {
    if (run.keys.size() == 0) continue;
    for (size_t j = run.keys.first; j < run.keys.end; ++j) {
      scores[j - run.keys.first] = Dot(d, q, k.Row(j), k.cols);
    }
    ScoresOfRow(d, options, run.distance, run.keys.size(), scores);
    scores += run.keys.size();
  }
}

// Calls body(j, factor) for `keys` of row i, with the dropout factor of (i, j).
template <class Body>
HWY_INLINE void ForDropoutFactors(const DropoutSite& dropout, size_t i, const KeyRange& keys,
                                  Body&& body) {
  constexpr size_t kChunk = 64;
  float factors[kChunk];
  for (size_t first = keys.first; first < keys.end; first += kChunk) {
    const size_t count = HWY_MIN(kChunk, keys.end - first);
    if (dropout.active()) {
      DropoutFactors(dropout, static_cast<uint32_t>(i), first, Span<float>(factors, count));
    }
    for (size_t j = 0; j < count; ++j) {
      body(first + j, dropout.active() ? factors[j] : 1.0f);
    }
  }
}

// out = sum over the runs' keys of weight_j factor_ij v_j; weights lie one run behind the other.
template <class D>
HWY_INLINE void WeightedValues(D d, const float* HWY_RESTRICT weights, const ConstMatrix& v,
                               const DropoutSite& dropout, size_t i, const VisibleRuns& runs,
                               float* HWY_RESTRICT out) {
  for (size_t c = 0; c < v.cols; ++c) out[c] = 0.0f;
  for (const KeyRun& run : runs.run) {
    ForDropoutFactors(dropout, i, run.keys, [&](size_t j, float factor) HEED_LAMBDA {
      AddScaled(d, weights[j - run.keys.first] * factor, v.Row(j), v.cols, out);
    });
    weights += run.keys.size();
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
