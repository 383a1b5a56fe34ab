// SPDX-License-Identifier: MIT
// A linear map by tensor name.
#ifndef HEED_TESTS_REFERENCE_PROJECTION_H_
#define HEED_TESTS_REFERENCE_PROJECTION_H_

#include <cstddef>
#include <string>
#include <vector>

#include "reference/linear.h"
#include "reference/tensors.h"

namespace heed::reference {

// x (N, in); returns (N, out).
template <class T>
std::vector<T> ProjectionForward(const std::string& name, const Tensors<T>& parameters,
                                 const std::vector<T>& x, size_t in, size_t out) {
  const LinearShape shape{x.size() / in, in, out};
  std::vector<T> y(shape.rows * out);
  LinearForward(shape, x.data(), parameters.Get(name + ".weight"), parameters.Get(name + ".bias"),
                y.data());
  return y;
}

// Adds its share to d_x (N, in), because query, key and value (and ffn.in, ffn.gate) read one x.
template <class T>
void ProjectionBackward(const std::string& name, const Tensors<T>& parameters,
                        const std::vector<T>& d_y, const std::vector<T>& x, size_t in, size_t out,
                        std::vector<T>& d_x, Tensors<T>& gradients) {
  const LinearShape shape{x.size() / in, in, out};
  std::vector<T> share(x.size());
  LinearBackward(shape, d_y.data(), x.data(), parameters.Get(name + ".weight"), share.data(),
                 gradients.Get(name + ".weight"), gradients.Get(name + ".bias"));
  for (size_t i = 0; i < share.size(); ++i) d_x[i] += share[i];
}

}  // namespace heed::reference

#endif  // HEED_TESTS_REFERENCE_PROJECTION_H_
