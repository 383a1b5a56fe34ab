// SPDX-License-Identifier: MIT
// What a test of one layer needs on both sides: float buffers for Heed, doubles by name for the
// reference, and the comparison of every parameter gradient.
#ifndef HEED_TESTS_SUPPORT_LAYER_CHECK_H_
#define HEED_TESTS_SUPPORT_LAYER_CHECK_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/span.h"
#include "layers/linear.h"
#include "reference/tensors.h"
#include "support/gradient_check.h"
#include "support/near.h"
#include "support/random.h"

namespace heed::test {

// A layer's parameters and their gradients, drawn once and held as float and as double.
class LayerTensors {
 public:
  explicit LayerTensors(uint64_t seed) : random_(seed) {}

  // A (rows, cols) tensor; rows 0 leaves it out.
  void Add(const std::string& name, size_t rows, size_t cols, double deviation = 0.4,
           double mean = 0.0) {
    values_[name] = random_.NormalVector<float>(rows * cols, deviation, mean);
    // Parameter gradients accumulate: they do not start at zero here.
    start_[name] = random_.NormalVector<float>(rows * cols, 0.1);
    gradients_[name] = start_[name];
    shapes_[name] = {rows, cols};
    if (rows > 0) expected_values[name] = Convert<double>(values_[name]);
    if (rows > 0) expected_gradients[name] = Convert<double>(start_[name]);
  }
  void AddLinear(const std::string& name, size_t in, size_t out, bool bias) {
    Add(name + ".weight", in, out);
    Add(name + ".bias", bias ? 1 : 0, out);
  }

  Matrix<const float> Weight(const std::string& name) { return MatrixOf<const float>(values_, name); }
  Matrix<float> Gradient(const std::string& name) { return MatrixOf<float>(gradients_, name); }
  LinearParams<const float> Linear(const std::string& name) {
    return {Weight(name + ".weight"), Weight(name + ".bias").Flat()};
  }
  LinearParams<float> LinearGradient(const std::string& name) {
    return {Gradient(name + ".weight"), Gradient(name + ".bias").Flat()};
  }

  // Every gradient against expected_gradients. The floor is for gradients that cancel to nothing: a
  // key bias without RoPE shifts all scores of a query alike, and what is left is the rounding of
  // terms as large as the other tensors' gradients.
  void CheckGradients() const {
    double whole = 0.0;
    for (const auto& [name, expected] : expected_gradients) {
      whole = std::hypot(whole, NormL2(expected.data(), expected.size()));
    }
    for (const auto& [name, expected] : expected_gradients) {
      const std::vector<float>& actual = gradients_.at(name);
      HEED_CHECK_NEAR(NearL2("d_" + name, expected.data(), actual.data(), actual.size(),
                             kKernelGradientError, 1e-2 * whole));
    }
  }

  Random& random() { return random_; }

  reference::Tensors<double> expected_values;
  reference::Tensors<double> expected_gradients;

 private:
  struct Shape {
    size_t rows = 0;
    size_t cols = 0;
  };
  template <typename T>
  Matrix<T> MatrixOf(std::map<std::string, std::vector<float>>& values, const std::string& name) {
    const Shape shape = shapes_.at(name);
    if (shape.rows == 0) return Matrix<T>();
    return Matrix<T>(values.at(name).data(), shape.rows, shape.cols);
  }

  Random random_;
  std::map<std::string, std::vector<float>> values_, start_, gradients_;
  std::map<std::string, Shape> shapes_;
};

// Rows of floats that start at a cache line, as scratch memory does.
class Scratch {
 public:
  explicit Scratch(uint64_t floats) : storage_(static_cast<size_t>(floats) + kLine) {
    const auto address = reinterpret_cast<uintptr_t>(storage_.data());
    offset_ = (kLine - address / sizeof(float) % kLine) % kLine;
  }
  Span<float> span() { return {storage_.data() + offset_, storage_.size() - kLine}; }

 private:
  static constexpr size_t kLine = 16;
  std::vector<float> storage_;
  size_t offset_ = 0;
};

inline Matrix<float> MatrixOf(std::vector<float>& values, size_t rows, size_t cols) {
  return Matrix<float>(values.data(), rows, cols);
}

}  // namespace heed::test

#endif  // HEED_TESTS_SUPPORT_LAYER_CHECK_H_
