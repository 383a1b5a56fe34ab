// SPDX-License-Identifier: MIT
#ifndef HEED_TESTS_REFERENCE_CROSS_ENTROPY_H_
#define HEED_TESTS_REFERENCE_CROSS_ENTROPY_H_

#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "reference/softmax.h"

namespace heed::reference {

template <class T>
struct LossSum {
  T sum = 0;         // nats
  size_t count = 0;  // counted rows

  // 0 when nothing counts, not 0 / 0.
  T Mean() const { return count == 0 ? T(0) : sum / static_cast<double>(count); }
};

// Sum of -log softmax(logits)[target] over rows; logits (N, V), targets (N) in [0, V) or -1 (not
// counted). losses (N) may be null.
template <class T>
LossSum<T> CrossEntropyForward(size_t N, size_t V, const T* logits, const int32_t* targets,
                               T* losses) {
  LossSum<T> loss;
  std::vector<T> probabilities(V);
  for (size_t n = 0; n < N; ++n) {
    T value = 0;
    if (targets[n] != -1) {
      const T* row = logits + n * V;
      value = Softmax(V, row, probabilities.data()) - row[targets[n]];
      ++loss.count;
    }
    loss.sum += value;
    if (losses != nullptr) losses[n] = value;
  }
  return loss;
}

// d_logits = scale * (softmax - onehot), zero rows where not counted: the gradient of scale * sum.
template <class T>
void CrossEntropyBackward(size_t N, size_t V, const T* logits, const int32_t* targets,
                          double scale, T* d_logits) {
  for (size_t n = 0; n < N; ++n) {
    T* row = d_logits + n * V;
    if (targets[n] == -1) {
      for (size_t v = 0; v < V; ++v) row[v] = 0;
      continue;
    }
    Softmax(V, logits + n * V, row);
    row[targets[n]] -= 1.0;
    for (size_t v = 0; v < V; ++v) row[v] *= scale;
  }
}

}  // namespace heed::reference

#endif  // HEED_TESTS_REFERENCE_CROSS_ENTROPY_H_
