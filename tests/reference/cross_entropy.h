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

// Sum over rows of -sum_v y_v log softmax(logits)_v, y = (1 - smoothing) onehot(target) + smoothing / V;
// logits (N, V), targets (N) in [0, V) or -1 (not counted). losses (N) may be null.
template <class T>
LossSum<T> CrossEntropyForward(size_t N, size_t V, const T* logits, const int32_t* targets,
                               T* losses, double smoothing = 0.0) {
  LossSum<T> loss;
  std::vector<T> probabilities(V);
  for (size_t n = 0; n < N; ++n) {
    T value = 0;
    if (targets[n] != -1) {
      const T* row = logits + n * V;
      const T log_sum = Softmax(V, row, probabilities.data());
      value = (1.0 - smoothing) * (log_sum - row[targets[n]]);
      for (size_t v = 0; smoothing > 0.0 && v < V; ++v) {
        value += smoothing / static_cast<double>(V) * (log_sum - row[v]);
      }
      ++loss.count;
    }
    loss.sum += value;
    if (losses != nullptr) losses[n] = value;
  }
  return loss;
}

// d_logits = scale * (softmax - y), zero rows where not counted: the gradient of scale * sum.
template <class T>
void CrossEntropyBackward(size_t N, size_t V, const T* logits, const int32_t* targets,
                          double scale, T* d_logits, double smoothing = 0.0) {
  for (size_t n = 0; n < N; ++n) {
    T* row = d_logits + n * V;
    if (targets[n] == -1) {
      for (size_t v = 0; v < V; ++v) row[v] = 0;
      continue;
    }
    Softmax(V, logits + n * V, row);
    row[targets[n]] -= 1.0 - smoothing;
    for (size_t v = 0; v < V; ++v) row[v] = scale * (row[v] - smoothing / static_cast<double>(V));
  }
}

}  // namespace heed::reference

#endif  // HEED_TESTS_REFERENCE_CROSS_ENTROPY_H_
