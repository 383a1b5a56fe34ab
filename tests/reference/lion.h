// SPDX-License-Identifier: MIT
#ifndef HEED_TESTS_REFERENCE_LION_H_
#define HEED_TESTS_REFERENCE_LION_H_

#include <cstddef>

namespace heed::reference {

struct LionStep {
  double learning_rate = 0.0;
  double beta1 = 0.9;
  double beta2 = 0.99;
  double weight_decay = 0.0;    // 0 for tensors that do not decay
  double gradient_scale = 1.0;  // of clipping
};

// What the sign is taken of.
inline double LionDirection(const LionStep& options, double gradient, double m) {
  return options.beta1 * m + (1.0 - options.beta1) * options.gradient_scale * gradient;
}

// Algorithm 2 of Chen et al. 2023, n elements.
inline void LionUpdate(const LionStep& options, size_t n, const double* gradient,
                       double* parameter, double* m) {
  for (size_t i = 0; i < n; ++i) {
    const double direction = LionDirection(options, gradient[i], m[i]);
    const double sign = static_cast<double>(direction > 0.0) - static_cast<double>(direction < 0.0);
    parameter[i] -= options.learning_rate * (sign + options.weight_decay * parameter[i]);
    m[i] = options.beta2 * m[i] + (1.0 - options.beta2) * options.gradient_scale * gradient[i];
  }
}

}  // namespace heed::reference

#endif  // HEED_TESTS_REFERENCE_LION_H_
