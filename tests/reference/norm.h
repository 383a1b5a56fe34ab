// SPDX-License-Identifier: MIT
// The norm a configuration asks for, by tensor name.
#ifndef HEED_TESTS_REFERENCE_NORM_H_
#define HEED_TESTS_REFERENCE_NORM_H_

#include <cstddef>
#include <string>
#include <vector>

#include "reference/config.h"
#include "reference/layer_norm.h"
#include "reference/rms_norm.h"
#include "reference/tensors.h"

namespace heed::reference {

template <class T>
struct NormSaved {
  std::vector<T> x;     // (N, C)
  std::vector<T> mean;  // (N), LayerNorm
  std::vector<T> rstd;  // (N)
};

// x (N, C); returns y (N, C).
template <class T>
std::vector<T> NormForward(const ModelConfig& config, const std::string& name,
                           const Tensors<T>& parameters, const std::vector<T>& x,
                           NormSaved<T>& saved) {
  if (config.norm == Norm::kNone) return x;
  const size_t C = config.width, N = x.size() / C;
  std::vector<T> y(x.size());
  saved.x = x;
  saved.mean.resize(N);
  saved.rstd.resize(N);
  const T* weight = parameters.Get(name + ".weight");
  if (config.norm == Norm::kLayer) {
    LayerNormForward(N, C, x.data(), weight, parameters.Get(name + ".bias"), kNormEpsilon, y.data(),
                     saved.mean.data(), saved.rstd.data());
  } else {
    RmsNormForward(N, C, x.data(), weight, kNormEpsilon, y.data(), saved.rstd.data());
  }
  return y;
}

// Returns d_x; the parameters' gradients accumulate.
template <class T>
std::vector<T> NormBackward(const ModelConfig& config, const std::string& name,
                            const Tensors<T>& parameters, const std::vector<T>& d_y,
                            const NormSaved<T>& saved, Tensors<T>& gradients) {
  if (config.norm == Norm::kNone) return d_y;
  const size_t C = config.width, N = d_y.size() / C;
  std::vector<T> d_x(d_y.size());
  const T* weight = parameters.Get(name + ".weight");
  T* d_weight = gradients.Get(name + ".weight");
  if (config.norm == Norm::kLayer) {
    LayerNormBackward(N, C, d_y.data(), saved.x.data(), weight, saved.mean.data(),
                      saved.rstd.data(), d_x.data(), d_weight, gradients.Get(name + ".bias"));
  } else {
    RmsNormBackward(N, C, d_y.data(), saved.x.data(), weight, saved.rstd.data(), d_x.data(),
                    d_weight);
  }
  return d_x;
}

}  // namespace heed::reference

#endif  // HEED_TESTS_REFERENCE_NORM_H_
