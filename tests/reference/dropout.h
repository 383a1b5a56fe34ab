// SPDX-License-Identifier: MIT
#ifndef HEED_TESTS_REFERENCE_DROPOUT_H_
#define HEED_TESTS_REFERENCE_DROPOUT_H_

#include <cstddef>
#include <vector>

namespace heed::reference {

// x (n) *= factors, each 0 or 1 / (1 - probability) (inverted dropout, Srivastava et al. 2014). The
// same call takes gradients back. No factors: dropout is off.
template <class T>
void ApplyDropout(const std::vector<double>& factors, size_t n, T* x) {
  if (factors.empty()) return;
  for (size_t i = 0; i < n; ++i) x[i] *= factors[i];
}

}  // namespace heed::reference

#endif  // HEED_TESTS_REFERENCE_DROPOUT_H_
