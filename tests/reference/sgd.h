// SPDX-License-Identifier: MIT
#ifndef HEED_TESTS_REFERENCE_SGD_H_
#define HEED_TESTS_REFERENCE_SGD_H_

#include <cstddef>

namespace heed::reference {

struct SgdStep {
  double learning_rate = 0.0;
  double momentum = 0.0;
  double weight_decay = 0.0;    // 0 for tensors that do not decay
  double gradient_scale = 1.0;  // of clipping
};

// Momentum (Polyak 1964) with decoupled decay, n elements.
inline void SgdUpdate(const SgdStep& options, size_t n, const double* gradient, double* parameter,
                      double* velocity) {
  for (size_t i = 0; i < n; ++i) {
    parameter[i] -= options.learning_rate * options.weight_decay * parameter[i];
    velocity[i] = options.momentum * velocity[i] + options.gradient_scale * gradient[i];
    parameter[i] -= options.learning_rate * velocity[i];
  }
}

}  // namespace heed::reference

#endif  // HEED_TESTS_REFERENCE_SGD_H_
