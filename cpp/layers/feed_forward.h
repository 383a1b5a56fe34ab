// SPDX-License-Identifier: MIT
// The feed-forward layer: y = f(x W_in + b_in) W_out + b_out, or gated (Shazeer 2020)
// y = (f(x W_gate + b_gate) * (x W_in + b_in)) W_out + b_out.
#ifndef HEED_LAYERS_FEED_FORWARD_H_
#define HEED_LAYERS_FEED_FORWARD_H_

#include "base/span.h"
#include "kernels/activation.h"
#include "layers/linear.h"

namespace heed {

template <typename T>
struct FeedForwardParams {
  LinearParams<T> in;    // (C, F)
  LinearParams<T> gate;  // (C, F), gated only
  LinearParams<T> out;   // (F, C)
};

struct FeedForwardShape {
  Activation activation = Activation::kGeluErf;
  bool gated = false;
};

// What backward needs of forward; a second one holds the gradients of the same values.
struct FeedForwardSaved {
  Matrix<float> in;      // (N, F) before the activation
  Matrix<float> gate;    // (N, F) before the activation, gated only
  Matrix<float> hidden;  // (N, F)
};

// x, y (N, C).
void FeedForwardForward(const FeedForwardShape& shape, ConstMatrix x,
                        const FeedForwardParams<const float>& params,
                        const FeedForwardSaved& saved, Matrix<float> y, Span<float> scratch);

// d_x (N, C) is overwritten and may be d_y. d_saved is workspace; its `hidden` may share memory with
// its `in`.
void FeedForwardBackward(const FeedForwardShape& shape, ConstMatrix d_y, ConstMatrix x,
                         const FeedForwardParams<const float>& params,
                         const FeedForwardSaved& saved, const FeedForwardSaved& d_saved,
                         Matrix<float> d_x, const FeedForwardParams<float>& d_params,
                         Span<float> scratch);

}  // namespace heed

#endif  // HEED_LAYERS_FEED_FORWARD_H_
