// SPDX-License-Identifier: MIT
// Muon (Jordan et al. 2024): the step of a matrix is its momentum made orthogonal, so that all of its
// directions move alike.
#ifndef HEED_TRAIN_MUON_H_
#define HEED_TRAIN_MUON_H_

#include <cstdint>

#include "base/span.h"

namespace heed {

struct MuonStep {
  float learning_rate = 0.0f;
  float momentum = 0.0f;
  float weight_decay = 0.0f;
  float gradient_scale = 1.0f;
};

// Floats of scratch for a (rows, columns) matrix; UINT64_MAX when beyond 64 bits.
uint64_t MuonScratchFloats(uint64_t rows, uint64_t columns);

// With g = gradient_scale * gradient: m = momentum m + (1 - momentum) g; u = momentum m + (1 - momentum)
// g (Nesterov); p -= learning_rate * weight_decay * p; p -= learning_rate * 0.2 sqrt(max(rows, columns))
// * Orthogonalise(u). The factor gives a step the size of AdamW's (Liu et al. 2025), so that one rate
// serves both. Subnormal m become 0.
void MuonUpdate(const MuonStep& step, ConstMatrix gradient, Matrix<float> parameter,
                Matrix<float> m, Span<float> scratch);

// x becomes roughly the nearest matrix with orthonormal rows (or columns, if those are fewer): five
// Newton-Schulz iterations x = a x + (b s + c s^2) x, s = x x^T, from x / (its Frobenius norm + 1e-7).
// Their coefficients bring singular values near 1, not to it (0.7 to 1.2), from 0.003 on. 0 stays 0.
void Orthogonalise(Matrix<float> x, Span<float> scratch);

}  // namespace heed

#endif  // HEED_TRAIN_MUON_H_
