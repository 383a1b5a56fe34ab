// SPDX-License-Identifier: MIT
// y = x W + b.
#ifndef HEED_LAYERS_LINEAR_H_
#define HEED_LAYERS_LINEAR_H_

#include <cstddef>
#include <cstdint>

#include "base/span.h"

namespace heed {

template <typename T>
struct LinearParams {
  Matrix<T> weight;  // (in, out)
  Span<T> bias;      // (out), empty without bias
};

// Whether d_x is replaced or added to: query, key and value share one input.
enum class Join : bool { kOverwrite = false, kAdd = true };

// Floats of scratch for both directions over `rows` rows; kAlignment-aligned.
uint64_t LinearScratchFloats(uint64_t rows, uint64_t in, uint64_t out);

// x (N, in), y (N, out).
void LinearForward(ConstMatrix x, const LinearParams<const float>& params, Matrix<float> y,
                   Span<float> scratch);

// d_params accumulate; d_x (N, in) must not overlap d_y (N, out).
void LinearBackward(ConstMatrix d_y, ConstMatrix x, const LinearParams<const float>& params,
                    Matrix<float> d_x, Join join, const LinearParams<float>& d_params,
                    Span<float> scratch);

}  // namespace heed

#endif  // HEED_LAYERS_LINEAR_H_
