// SPDX-License-Identifier: MIT

// Per-target include guard.
#if defined(HEED_KERNELS_EMBEDDING_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEED_KERNELS_EMBEDDING_INL_H_
#undef HEED_KERNELS_EMBEDDING_INL_H_
#else
#define HEED_KERNELS_EMBEDDING_INL_H_
#endif

#include "base/span.h"
#include "hwy/highway.h"
#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D>
HWY_INLINE void GatherRows(D d, Span<const int32_t> tokens, ConstMatrix table,
                           Matrix<float> out) {
  for (size_t n = 0; n < tokens.size; ++n) {
    const float* from = table.Row(static_cast<size_t>(tokens[n]));
    float* to = out.Row(n);
    ForVectors(d, out.cols, [&](size_t i, auto lanes) HEED_LAMBDA {
      lanes.Store(d, lanes.Load(d, from + i), to + i);
    });
  }
}

template <class D>
HWY_INLINE void ScatterAddRows(D d, Span<const int32_t> tokens, ConstMatrix d_out,
                               Matrix<float> d_table) {
  for (size_t n = 0; n < tokens.size; ++n) {
    const float* from = d_out.Row(n);
    float* to = d_table.Row(static_cast<size_t>(tokens[n]));
    ForVectors(d, d_out.cols, [&](size_t i, auto lanes) HEED_LAMBDA {
      lanes.Store(d, hn::Add(lanes.Load(d, to + i), lanes.Load(d, from + i)), to + i);
    });
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
