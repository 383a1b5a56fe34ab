// SPDX-License-Identifier: MIT
#ifndef HEED_TESTS_REFERENCE_CLIP_H_
#define HEED_TESTS_REFERENCE_CLIP_H_

#include <algorithm>
#include <cstddef>

namespace heed::reference {

inline double SumOfSquares(size_t n, const double* x) {
  double sum = 0.0;
  for (size_t i = 0; i < n; ++i) sum += x[i] * x[i];
  return sum;
}

// Factor of every gradient for clipping by global norm (Pascanu, Mikolov and Bengio 2013): the norm
// becomes min(norm, clip). clip = 0 switches clipping off.
inline double ClipScale(double norm, double clip) {
  return clip == 0.0 ? 1.0 : clip / std::max(norm, clip);
}

}  // namespace heed::reference

#endif  // HEED_TESTS_REFERENCE_CLIP_H_
