// SPDX-License-Identifier: MIT

// Per-target include guard.
#if defined(HEED_KERNELS_DROPOUT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEED_KERNELS_DROPOUT_INL_H_
#undef HEED_KERNELS_DROPOUT_INL_H_
#else
#define HEED_KERNELS_DROPOUT_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "base/philox.h"
#include "hwy/highway.h"
#include "kernels/dropout.h"
#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Low and high words of the 64-bit products of each lane with a constant.
template <class DU, class VU = hn::VFromD<DU>>
HWY_INLINE void MulWide(DU du, VU a, VU b, VU& low, VU& high) {
  const VU even = hn::BitCast(du, hn::MulEven(a, b));
  const VU odd = hn::BitCast(du, hn::MulOdd(a, b));
  low = hn::InterleaveEven(du, even, odd);
  high = hn::InterleaveOdd(du, even, odd);
}

// Philox4x32-10 of N counters at once, a lane each: the words of base/philox.h's Philox().
template <class DU, class VU = hn::VFromD<DU>>
HWY_INLINE void PhiloxVectors(DU du, uint64_t key, VU& word0, VU& word1, VU& word2, VU& word3) {
  const VU mul0 = hn::Set(du, 0xD2511F53u), mul1 = hn::Set(du, 0xCD9E8D57u);
  uint32_t key0 = static_cast<uint32_t>(key), key1 = static_cast<uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    VU low0, high0, low1, high1;
    MulWide(du, word0, mul0, low0, high0);
    MulWide(du, word2, mul1, low1, high1);
    word0 = hn::Xor3(high1, word1, hn::Set(du, key0));
    word1 = low1;
    word2 = hn::Xor3(high0, word3, hn::Set(du, key1));
    word3 = low0;
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
}

// What all blocks of a site share.
struct DropoutFactor {
  uint32_t threshold;  // words below it drop
  float scale;

  explicit DropoutFactor(float probability)
      : threshold(static_cast<uint32_t>(double{probability} * 4294967296.0)),
        scale(static_cast<float>(1.0 / (1.0 - double{probability}))) {}
};

// The 4 N factors of elements 4 block .. 4 (block + N) - 1, in element order.
template <class D>
HWY_INLINE void FactorBlocks(D d, const DropoutSite& dropout, const DropoutFactor& factor,
                             uint32_t row, uint32_t block, float* factors) {
  const hn::RebindToUnsigned<D> du;
  auto word0 = hn::Iota(du, block);
  auto word1 = hn::Set(du, row);
  auto word2 = hn::Set(du, static_cast<uint32_t>(RandomStream::kDropout));
  auto word3 = hn::Set(du, dropout.site);
  PhiloxVectors(du, dropout.key, word0, word1, word2, word3);
  const auto threshold = hn::Set(du, factor.threshold);
  const auto scale = hn::BitCast(du, hn::Set(d, factor.scale));
  const auto keep = [&](auto word) HEED_LAMBDA {
    return hn::BitCast(d, hn::IfThenElseZero(hn::Ge(word, threshold), scale));
  };
  hn::StoreInterleaved4(keep(word0), keep(word1), keep(word2), keep(word3), d, factors);
}

template <class D>
HWY_INLINE void FillFactors(D d, const DropoutSite& dropout, uint32_t row, size_t first,
                            size_t count, float* factors) {
  const size_t chunk = 4 * hn::Lanes(d);
  const DropoutFactor factor(dropout.probability);
  HWY_ALIGN float buffer[4 * hn::MaxLanes(D())];
  size_t skip = first % 4;  // elements of the first block before `first`
  uint32_t block = static_cast<uint32_t>(first / 4);
  for (size_t done = 0; done < count; block += static_cast<uint32_t>(hn::Lanes(d))) {
    FactorBlocks(d, dropout, factor, row, block, buffer);
    const size_t take = HWY_MIN(chunk - skip, count - done);
    for (size_t i = 0; i < take; ++i) factors[done + i] = buffer[skip + i];
    done += take;
    skip = 0;
  }
}

template <class D>
HWY_INLINE void DropRow(D d, const DropoutSite& dropout, uint32_t row, size_t n, float* x) {
  const size_t chunk = 4 * hn::Lanes(d);
  const DropoutFactor factor(dropout.probability);
  HWY_ALIGN float buffer[4 * hn::MaxLanes(D())];
  for (size_t start = 0; start < n; start += chunk) {
    FactorBlocks(d, dropout, factor, row, static_cast<uint32_t>(start / 4), buffer);
    ForVectors(d, HWY_MIN(chunk, n - start), [&](size_t i, auto lanes) HEED_LAMBDA {
      float* to = x + start + i;
      lanes.Store(d, hn::Mul(lanes.Load(d, to), lanes.Load(d, buffer + i)), to);
    });
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
