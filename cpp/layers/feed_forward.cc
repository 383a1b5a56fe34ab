// SPDX-License-Identifier: MIT
#include "layers/feed_forward.h"

namespace heed {

void FeedForwardForward(const FeedForwardShape& shape, ConstMatrix x,
                        const FeedForwardParams<const float>& params,
                        const FeedForwardSaved& saved, Matrix<float> y, Span<float> scratch) {
  LinearForward(x, params.in, saved.in, scratch);
  if (shape.gated) {
    LinearForward(x, params.gate, saved.gate, scratch);
    GatedForward(shape.activation, saved.gate.Flat(), saved.in.Flat(), saved.hidden.Flat());
  } else {
    ActivationForward(shape.activation, saved.in.Flat(), saved.hidden.Flat());
  }
  LinearForward(saved.hidden, params.out, y, scratch);
}

void FeedForwardBackward(const FeedForwardShape& shape, ConstMatrix d_y, ConstMatrix x,
                         const FeedForwardParams<const float>& params,
                         const FeedForwardSaved& saved, const FeedForwardSaved& d_saved,
                         Matrix<float> d_x, const FeedForwardParams<float>& d_params,
                         Span<float> scratch) {
  // y = hidden W_out + b_out
  LinearBackward(d_y, saved.hidden, params.out, d_saved.hidden, Join::kOverwrite, d_params.out,
                 scratch);
  if (shape.gated) {
    // hidden = f(gate) * in;  gate = x W_gate + b_gate;  in = x W_in + b_in
    GatedBackward(shape.activation, saved.gate.Flat(), saved.in.Flat(), d_saved.hidden.Flat(),
                  d_saved.gate.Flat(), d_saved.in.Flat());
    LinearBackward(d_saved.gate, x, params.gate, d_x, Join::kOverwrite, d_params.gate, scratch);
    LinearBackward(d_saved.in, x, params.in, d_x, Join::kAdd, d_params.in, scratch);
  } else {
    // hidden = f(in);  in = x W_in + b_in
    ActivationBackward(shape.activation, saved.in.Flat(), d_saved.hidden.Flat(),
                       d_saved.in.Flat());
    LinearBackward(d_saved.in, x, params.in, d_x, Join::kOverwrite, d_params.in, scratch);
  }
}

}  // namespace heed
