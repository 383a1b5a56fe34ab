// SPDX-License-Identifier: MIT
#ifndef HEED_TESTS_REFERENCE_EMBEDDING_H_
#define HEED_TESTS_REFERENCE_EMBEDDING_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heed::reference {

// Row n of out (N, C) = row tokens[n] of table (V, C).
template <class T>
void EmbeddingForward(size_t N, size_t C, const int32_t* tokens, const T* table, T* out) {
  for (size_t n = 0; n < N; ++n) {
    for (size_t c = 0; c < C; ++c) out[n * C + c] = table[static_cast<size_t>(tokens[n]) * C + c];
  }
}

// d_table accumulates, so repeated tokens add up.
template <class T>
void EmbeddingBackward(size_t N, size_t C, const int32_t* tokens, const T* d_out, T* d_table) {
  for (size_t n = 0; n < N; ++n) {
    T* d_row = d_table + static_cast<size_t>(tokens[n]) * C;
    for (size_t c = 0; c < C; ++c) d_row[c] += d_out[n * C + c];
  }
}

// Row n of x (N, C) += row n % period of table (period, C).
template <class T, class Table>
void AddRepeatedRows(size_t N, size_t C, size_t period, const Table* table, T* x) {
  for (size_t n = 0; n < N; ++n) {
    for (size_t c = 0; c < C; ++c) x[n * C + c] += table[n % period * C + c];
  }
}

// Row n % period of d_table += row n of d_x.
template <class T>
void AccumulateRepeatedRows(size_t N, size_t C, size_t period, const T* d_x, T* d_table) {
  for (size_t n = 0; n < N; ++n) {
    for (size_t c = 0; c < C; ++c) d_table[n % period * C + c] += d_x[n * C + c];
  }
}

// (T, C): P[t, 2i] = sin(t / 10000^(2i/C)), P[t, 2i+1] = cos(same) (Vaswani et al. 2017).
inline std::vector<double> SinusoidalPositions(size_t T, size_t C) {
  std::vector<double> table(T * C);
  for (size_t t = 0; t < T; ++t) {
    for (size_t c = 0; c < C; ++c) {
      const double exponent = static_cast<double>(c - c % 2) / static_cast<double>(C);
      const double angle = static_cast<double>(t) / std::pow(10000.0, exponent);
      table[t * C + c] = c % 2 == 0 ? std::sin(angle) : std::cos(angle);
    }
  }
  return table;
}

}  // namespace heed::reference

#endif  // HEED_TESTS_REFERENCE_EMBEDDING_H_
