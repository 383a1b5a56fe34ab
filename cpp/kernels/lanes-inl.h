// SPDX-License-Identifier: MIT
// The one way a kernel walks n elements with vectors of N lanes: whole vectors, then one partial
// vector. A loop body is written once, for any kind of `lanes`; nothing past element n - 1 is read
// or written.

// Per-target include guard.
#if defined(HEED_KERNELS_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEED_KERNELS_LANES_INL_H_
#undef HEED_KERNELS_LANES_INL_H_
#else
#define HEED_KERNELS_LANES_INL_H_
#endif

#include <cstddef>

#include "hwy/highway.h"

// A lambda does not inherit the target of its surroundings in Clang, and one that is called from
// several places of a loop may stay a call otherwise.
#ifndef HEED_LAMBDA
#define HEED_LAMBDA HWY_ATTR __attribute__((always_inline))
#endif

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// All lanes of a vector.
struct WholeVector {
  template <class D, typename T = hn::TFromD<D>>
  HWY_INLINE hn::VFromD<D> Load(D d, const T* p) const {
    return hn::LoadU(d, p);
  }
  template <class D, typename T = hn::TFromD<D>>
  HWY_INLINE hn::VFromD<D> LoadOr(D d, T, const T* p) const {
    return hn::LoadU(d, p);
  }
  template <class D, typename T = hn::TFromD<D>>
  HWY_INLINE void Store(D d, hn::VFromD<D> v, T* p) const {
    hn::StoreU(v, d, p);
  }
  template <class D>
  HWY_INLINE hn::VFromD<D> ZeroRest(D, hn::VFromD<D> v) const {
    return v;
  }
};

// The first `count` lanes, 0 < count < N.
struct PartVector {
  size_t count;

  template <class D, typename T = hn::TFromD<D>>
  HWY_INLINE hn::VFromD<D> Load(D d, const T* p) const {  // other lanes 0
    return hn::LoadN(d, p, count);
  }
  template <class D, typename T = hn::TFromD<D>>
  HWY_INLINE hn::VFromD<D> LoadOr(D d, T other, const T* p) const {
    return hn::LoadNOr(hn::Set(d, other), d, p, count);
  }
  template <class D, typename T = hn::TFromD<D>>
  HWY_INLINE void Store(D d, hn::VFromD<D> v, T* p) const {
    hn::StoreN(v, d, p, count);
  }
  template <class D>
  HWY_INLINE hn::VFromD<D> ZeroRest(D d, hn::VFromD<D> v) const {
    return hn::IfThenElseZero(hn::FirstN(d, count), v);
  }
};

// Calls body(i, lanes) for i = 0, N, 2N, ... below n.
template <class D, class Body>
HWY_INLINE void ForVectors(D d, size_t n, Body&& body) {
  const size_t N = hn::Lanes(d);
  size_t i = 0;
  for (; i + N <= n; i += N) body(i, WholeVector());
  if (i < n) body(i, PartVector{n - i});
}

// Lane sums of the vectors term(i, lanes); lanes past the end count as 0 whatever term gives there.
// Four accumulators cover an addition's latency (3 to 4 cycles at one or two a cycle) and shorten
// the chains of rounding errors; the order depends on n and N alone.
template <class D, class Term>
HWY_INLINE hn::VFromD<D> SumVectors(D d, size_t n, Term&& term) {
  const size_t N = hn::Lanes(d);
  auto sum0 = hn::Zero(d), sum1 = hn::Zero(d), sum2 = hn::Zero(d), sum3 = hn::Zero(d);
  size_t i = 0;
  for (; i + 4 * N <= n; i += 4 * N) {
    sum0 = hn::Add(sum0, term(i, WholeVector()));
    sum1 = hn::Add(sum1, term(i + N, WholeVector()));
    sum2 = hn::Add(sum2, term(i + 2 * N, WholeVector()));
    sum3 = hn::Add(sum3, term(i + 3 * N, WholeVector()));
  }
  for (; i + N <= n; i += N) sum0 = hn::Add(sum0, term(i, WholeVector()));
  if (i < n) {
    const PartVector rest{n - i};
    sum1 = hn::Add(sum1, rest.ZeroRest(d, term(i, rest)));
  }
  return hn::Add(hn::Add(sum0, sum1), hn::Add(sum2, sum3));
}

// The same as one number.
template <class D, class Term>
HWY_INLINE hn::TFromD<D> Sum(D d, size_t n, Term&& term) {
  return hn::ReduceSum(d, SumVectors(d, n, term));
}

}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
