// SPDX-License-Identifier: MIT
// The normalization layer of a block: layer norm, RMS norm, or none (the caller wires around it).
#ifndef HEED_LAYERS_NORM_H_
#define HEED_LAYERS_NORM_H_

#include <cstdint>

#include "base/span.h"

namespace heed {

enum class NormKind : uint8_t { kLayer, kRms, kNone };

// Added to the variance (layer) or the mean square (rms); the value GPT-2, nanoGPT and Llama 2 use.
inline constexpr float kNormEpsilon = 1e-5f;

template <typename T>
struct NormParams {
  Span<T> weight;  // (C)
  Span<T> bias;    // (C), empty without bias and for rms
};

// What backward needs of forward.
struct NormSaved {
  Span<float> mean;  // (N), layer only
  Span<float> rstd;  // (N)
};

// y (N, C) = norm(x) for kind layer or rms.
void NormForward(NormKind kind, ConstMatrix x, const NormParams<const float>& params,
                 Matrix<float> y, const NormSaved& saved);

// d_x (N, C) is overwritten and may be d_y; parameter gradients accumulate.
void NormBackward(NormKind kind, ConstMatrix d_y, ConstMatrix x,
                  const NormParams<const float>& params, const NormSaved& saved,
                  Matrix<float> d_x, const NormParams<float>& d_params);

}  // namespace heed

#endif  // HEED_LAYERS_NORM_H_
