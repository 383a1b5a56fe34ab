// SPDX-License-Identifier: MIT
#ifndef HEED_TESTS_REFERENCE_LINEAR_H_
#define HEED_TESTS_REFERENCE_LINEAR_H_

#include <cstddef>

namespace heed::reference {

struct LinearShape {
  size_t rows = 0;
  size_t in = 0;
  size_t out = 0;
};

// y (rows, out) = x (rows, in) weight (in, out) + bias (out); bias may be null.
template <class T>
void LinearForward(const LinearShape& shape, const T* x, const T* weight, const T* bias, T* y) {
  for (size_t n = 0; n < shape.rows; ++n) {
    for (size_t j = 0; j < shape.out; ++j) {
      T sum = bias == nullptr ? T(0) : bias[j];
      for (size_t i = 0; i < shape.in; ++i) sum += x[n * shape.in + i] * weight[i * shape.out + j];
      y[n * shape.out + j] = sum;
    }
  }
}

// d_x is overwritten; d_weight and d_bias (null without bias) accumulate.
template <class T>
void LinearBackward(const LinearShape& shape, const T* d_y, const T* x, const T* weight, T* d_x,
                    T* d_weight, T* d_bias) {
  for (size_t n = 0; n < shape.rows; ++n) {
    for (size_t i = 0; i < shape.in; ++i) {
      T sum = 0;
      for (size_t j = 0; j < shape.out; ++j) {
        sum += d_y[n * shape.out + j] * weight[i * shape.out + j];
        d_weight[i * shape.out + j] += x[n * shape.in + i] * d_y[n * shape.out + j];
      }
      d_x[n * shape.in + i] = sum;
    }
    if (d_bias == nullptr) continue;
    for (size_t j = 0; j < shape.out; ++j) d_bias[j] += d_y[n * shape.out + j];
  }
}

// logits (rows, out) = x (rows, in) head^T, head (out, in): out is V, in is C.
template <class T>
void HeadForward(const LinearShape& shape, const T* x, const T* head, T* logits) {
  for (size_t n = 0; n < shape.rows; ++n) {
    for (size_t v = 0; v < shape.out; ++v) {
      T sum = 0;
      for (size_t c = 0; c < shape.in; ++c) sum += x[n * shape.in + c] * head[v * shape.in + c];
      logits[n * shape.out + v] = sum;
    }
  }
}

// d_x is overwritten; d_head accumulates.
template <class T>
void HeadBackward(const LinearShape& shape, const T* d_logits, const T* x, const T* head, T* d_x,
                  T* d_head) {
  for (size_t n = 0; n < shape.rows; ++n) {
    for (size_t c = 0; c < shape.in; ++c) {
      T sum = 0;
      for (size_t v = 0; v < shape.out; ++v) {
        sum += d_logits[n * shape.out + v] * head[v * shape.in + c];
        d_head[v * shape.in + c] += d_logits[n * shape.out + v] * x[n * shape.in + c];
      }
      d_x[n * shape.in + c] = sum;
    }
  }
}

}  // namespace heed::reference

#endif  // HEED_TESTS_REFERENCE_LINEAR_H_
