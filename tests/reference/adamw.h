// SPDX-License-Identifier: MIT
#ifndef HEED_TESTS_REFERENCE_ADAMW_H_
#define HEED_TESTS_REFERENCE_ADAMW_H_

#include <cmath>
#include <cstddef>

namespace heed::reference {

struct AdamWStep {
  size_t step = 1;  // counted from 1
  double learning_rate = 0.0;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0.0;    // 0 for tensors that do not decay
  double gradient_scale = 1.0;  // of clipping
};

// AdamW (Loshchilov and Hutter 2019), n elements: decay of the parameter itself, epsilon beside the
// corrected root.
inline void AdamWUpdate(const AdamWStep& options, size_t n, const double* gradient,
                        double* parameter, double* m, double* v) {
  const double correction1 = 1.0 - std::pow(options.beta1, static_cast<double>(options.step));
  const double correction2 = 1.0 - std::pow(options.beta2, static_cast<double>(options.step));
  for (size_t i = 0; i < n; ++i) {
    const double g = options.gradient_scale * gradient[i];
    m[i] = options.beta1 * m[i] + (1.0 - options.beta1) * g;
    v[i] = options.beta2 * v[i] + (1.0 - options.beta2) * g * g;
    parameter[i] -= options.learning_rate * options.weight_decay * parameter[i];
    parameter[i] -= options.learning_rate * (m[i] / correction1) /
                    (std::sqrt(v[i] / correction2) + options.epsilon);
  }
}

}  // namespace heed::reference

#endif  // HEED_TESTS_REFERENCE_ADAMW_H_
