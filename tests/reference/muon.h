// SPDX-License-Identifier: MIT
#ifndef HEED_TESTS_REFERENCE_MUON_H_
#define HEED_TESTS_REFERENCE_MUON_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace heed::reference {

struct MuonStep {
  double learning_rate = 0.0;
  double momentum = 0.0;
  double weight_decay = 0.0;
  double gradient_scale = 1.0;
};

// x (rows, columns) by five Newton-Schulz iterations, in the shape with fewer rows than columns.
inline std::vector<double> Orthogonalised(size_t rows, size_t columns, std::vector<double> x) {
  const auto transposed = [](size_t r, size_t c, const std::vector<double>& m) {
    std::vector<double> t(m.size());
    for (size_t i = 0; i < r; ++i) {
      for (size_t j = 0; j < c; ++j) t[j * r + i] = m[i * c + j];
    }
    return t;
  };
  const bool tall = rows > columns;
  if (tall) x = transposed(rows, columns, x);
  const size_t n = std::min(rows, columns), k = std::max(rows, columns);
  const auto product = [](size_t r, size_t inner, size_t c, const std::vector<double>& a,
                          const std::vector<double>& b) {
    std::vector<double> y(r * c, 0.0);
    for (size_t i = 0; i < r; ++i) {
      for (size_t l = 0; l < inner; ++l) {
        for (size_t j = 0; j < c; ++j) y[i * c + j] += a[i * inner + l] * b[l * c + j];
      }
    }
    return y;
  };
  double squares = 0.0;
  for (const double value : x) squares += value * value;
  for (double& value : x) value /= std::sqrt(squares) + 1e-7;
  for (int iteration = 0; iteration < 5; ++iteration) {
    const std::vector<double> s = product(n, k, n, x, transposed(n, k, x));
    std::vector<double> polynomial = product(n, n, n, s, s);
    for (size_t i = 0; i < s.size(); ++i) polynomial[i] = 2.0315 * polynomial[i] - 4.7750 * s[i];
    const std::vector<double> bent = product(n, n, k, polynomial, x);
    for (size_t i = 0; i < x.size(); ++i) x[i] = 3.4445 * x[i] + bent[i];
  }
  return tall ? transposed(n, k, x) : x;
}

inline void MuonUpdate(const MuonStep& step, size_t rows, size_t columns, const double* gradient,
                       double* parameter, double* m) {
  const size_t size = rows * columns;
  std::vector<double> update(size);
  for (size_t i = 0; i < size; ++i) {
    const double g = step.gradient_scale * gradient[i];
    m[i] = step.momentum * m[i] + (1.0 - step.momentum) * g;
    update[i] = step.momentum * m[i] + (1.0 - step.momentum) * g;
  }
  update = Orthogonalised(rows, columns, std::move(update));
  const double length = 0.2 * std::sqrt(static_cast<double>(std::max(rows, columns)));
  for (size_t i = 0; i < size; ++i) {
    parameter[i] -= step.learning_rate * step.weight_decay * parameter[i];
    parameter[i] -= step.learning_rate * length * update[i];
  }
}

}  // namespace heed::reference

#endif  // HEED_TESTS_REFERENCE_MUON_H_
