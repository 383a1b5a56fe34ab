// SPDX-License-Identifier: MIT
// Inverted dropout (Srivastava et al. 2014) from counters: the backward pass and a replayed step
// make the same mask again, nothing is stored.
#ifndef HEED_KERNELS_DROPOUT_H_
#define HEED_KERNELS_DROPOUT_H_

#include <cstddef>
#include <cstdint>

#include "base/span.h"

namespace heed {

struct DropoutSite {
  float probability = 0.0f;  // in [0, 1); 0 switches the site off
  uint64_t key = 0;          // fixed by seed, step and micro-batch
  uint32_t site = 0;         // which dropout of the model (layer and place, for attention also head)
  bool active() const { return probability > 0.0f; }
};

// factors[i] = 0 with the site's probability, else 1 / (1 - probability), for element first + i of
// row `row`; a function of (key, site, row, element) alone.
void DropoutFactors(const DropoutSite& dropout, uint32_t row, size_t first, Span<float> factors);

// x (N, C) *= its factors; rows are numbered from first_row. Serves forward and backward.
void ApplyDropout(const DropoutSite& dropout, uint32_t first_row, Matrix<float> x);

}  // namespace heed

#endif  // HEED_KERNELS_DROPOUT_H_
