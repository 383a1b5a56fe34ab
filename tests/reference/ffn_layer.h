// SPDX-License-Identifier: MIT
// The feed-forward layer, plain or gated.
#ifndef HEED_TESTS_REFERENCE_FFN_LAYER_H_
#define HEED_TESTS_REFERENCE_FFN_LAYER_H_

#include <cstddef>
#include <string>
#include <vector>

#include "reference/activation.h"
#include "reference/config.h"
#include "reference/projection.h"
#include "reference/tensors.h"

namespace heed::reference {

template <class T>
struct FfnSaved {
  std::vector<T> x;       // (N, C), the layer's input
  std::vector<T> in;      // (N, F), before the activation; gated: the factor beside it
  std::vector<T> gate;    // (N, F), gated only
  std::vector<T> hidden;  // (N, F), what ffn.out reads
};

inline Activation PointwiseOf(FfnActivation activation) {
  switch (activation) {
    case FfnActivation::kGeluTanh:
      return Activation::kGeluTanh;
    case FfnActivation::kGeluErf:
    case FfnActivation::kGeglu:
      return Activation::kGeluErf;
    case FfnActivation::kRelu:
      return Activation::kRelu;
    case FfnActivation::kRelu2:
      return Activation::kRelu2;
    case FfnActivation::kSilu:
    case FfnActivation::kSwiglu:
      break;
  }
  return Activation::kSilu;
}

// x (N, C); `name` ends in "ffn".
template <class T>
std::vector<T> FfnLayerForward(const ModelConfig& config, const std::string& name,
                               const Tensors<T>& parameters, const std::vector<T>& x,
                               FfnSaved<T>& saved) {
  const size_t C = config.width, F = config.ffn;
  const Activation activation = PointwiseOf(config.activation);
  saved.x = x;
  saved.in = ProjectionForward(name + ".in", parameters, x, C, F);
  saved.hidden.resize(saved.in.size());
  if (IsGated(config.activation)) {
    saved.gate = ProjectionForward(name + ".gate", parameters, x, C, F);
    GatedForward(activation, saved.in.size(), saved.gate.data(), saved.in.data(),
                 saved.hidden.data());
  } else {
    ActivationForward(activation, saved.in.size(), saved.in.data(), saved.hidden.data());
  }
  return ProjectionForward(name + ".out", parameters, saved.hidden, F, C);
}

// Returns d_x; parameter gradients accumulate.
template <class T>
std::vector<T> FfnLayerBackward(const ModelConfig& config, const std::string& name,
                                const Tensors<T>& parameters, const std::vector<T>& d_y,
                                const FfnSaved<T>& saved, Tensors<T>& gradients) {
  const size_t C = config.width, F = config.ffn;
  const Activation activation = PointwiseOf(config.activation);
  std::vector<T> d_hidden(saved.hidden.size()), d_in(saved.in.size()), d_x(saved.x.size());
  ProjectionBackward(name + ".out", parameters, d_y, saved.hidden, F, C, d_hidden, gradients);
  if (IsGated(config.activation)) {
    std::vector<T> d_gate(saved.gate.size());
    GatedBackward(activation, saved.in.size(), saved.gate.data(), saved.in.data(), d_hidden.data(),
                  d_gate.data(), d_in.data());
    ProjectionBackward(name + ".gate", parameters, d_gate, saved.x, C, F, d_x, gradients);
  } else {
    ActivationBackward(activation, saved.in.size(), saved.in.data(), d_hidden.data(), d_in.data());
  }
  ProjectionBackward(name + ".in", parameters, d_in, saved.x, C, F, d_x, gradients);
  return d_x;
}

}  // namespace heed::reference

#endif  // HEED_TESTS_REFERENCE_FFN_LAYER_H_
