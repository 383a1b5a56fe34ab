// SPDX-License-Identifier: MIT
// Causal scaled dot-product attention (Vaswani et al. 2017) with grouped key/value heads (Ainslie
// et al. 2023), all weights kept.
#ifndef HEED_TESTS_REFERENCE_ATTENTION_H_
#define HEED_TESTS_REFERENCE_ATTENTION_H_

#include <cmath>
#include <complex>
#include <cstddef>
#include <vector>

#include "reference/softmax.h"

namespace heed::reference {

// Query i stands at position key_time - query_time + i and, when causal, sees keys 0 .. that position; query head
// h reads key/value head h / (heads / kv_heads). query_time <= key_time.
struct AttentionShape {
  size_t batch = 1;
  size_t query_time = 0;
  size_t key_time = 0;
  size_t heads = 1;
  size_t kv_heads = 1;
  size_t head_width = 0;
  double scale = 1.0;
  bool causal = true;  // false: every query sees every key
  double softcap = 0.0;        // c: a score s becomes c tanh(s / c); 0 leaves it
  std::vector<double> slopes = {};  // (H), ALiBi: scores fall by it for each position; empty leaves them
  size_t window = 0;           // keys seen, the query's own included; 0 is all

  size_t Query(size_t b, size_t i, size_t h) const {
    return ((b * query_time + i) * heads + h) * head_width;
  }
  size_t Key(size_t b, size_t j, size_t h) const {
    return ((b * key_time + j) * kv_heads + h / (heads / kv_heads)) * head_width;
  }
  size_t Row(size_t b, size_t h, size_t i) const {
    return ((b * heads + h) * query_time + i) * key_time;
  }
  size_t Visible(size_t i) const { return causal ? key_time - query_time + i + 1 : key_time; }
  size_t FirstVisible(size_t i) const {
    return window == 0 || Visible(i) < window ? 0 : Visible(i) - window;
  }
  double Distance(size_t i, size_t j) const {
    return std::abs(static_cast<double>(key_time - query_time + i) - static_cast<double>(j));
  }
  size_t WeightCount() const { return batch * heads * query_time * key_time; }
};

// c tanh(scale q.k / c) - slope distance, without the parts that are off.
template <class T>
T Score(const AttentionShape& shape, const T* q, const T* k, size_t b, size_t h, size_t i,
        size_t j) {
  T score = 0;
  for (size_t d = 0; d < shape.head_width; ++d) {
    score += q[shape.Query(b, i, h) + d] * k[shape.Key(b, j, h) + d];
  }
  score *= shape.scale;
  if (shape.softcap > 0.0) {
    using std::tanh;
    score = shape.softcap * tanh(score / shape.softcap);
  }
  if (!shape.slopes.empty()) score -= shape.slopes[h] * shape.Distance(i, j);
  return score;
}

// d score / d q.k
template <class T>
T ScoreSlope(const AttentionShape& shape, const T* q, const T* k, size_t b, size_t h, size_t i,
             size_t j) {
  if (shape.softcap <= 0.0) return T(shape.scale);
  AttentionShape capped = shape;
  capped.slopes.clear();
  const T t = Score(capped, q, k, b, h, i, j) / shape.softcap;
  return shape.scale * (T(1) - t * t);
}

// q, out (B, Tq, H, D); k, v (B, Tk, Hk, D); weights (B, H, Tq, Tk): softmax(scores) before
// dropout, 0 where masked. dropout: factors (B, H, Tq, Tk), or null.
template <class T>
void AttentionForward(const AttentionShape& shape, const T* q, const T* k, const T* v,
                      const double* dropout, T* out, T* weights) {
  const size_t D = shape.head_width;
  for (size_t b = 0; b < shape.batch; ++b) {
    for (size_t h = 0; h < shape.heads; ++h) {
      for (size_t i = 0; i < shape.query_time; ++i) {
        const size_t first = shape.FirstVisible(i), visible = shape.Visible(i);
        T* row = weights + shape.Row(b, h, i);
        for (size_t j = 0; j < shape.key_time; ++j) {
          const bool seen = j >= first && j < visible;
          row[j] = seen ? Score(shape, q, k, b, h, i, j) : T(0);
        }
        Softmax(visible - first, row + first, row + first);
        for (size_t d = 0; d < D; ++d) {
          T sum = 0;
          for (size_t j = first; j < visible; ++j) {
            const double factor = dropout == nullptr ? 1.0 : dropout[shape.Row(b, h, i) + j];
            sum += row[j] * factor * v[shape.Key(b, j, h) + d];
          }
          out[shape.Query(b, i, h) + d] = sum;
        }
      }
    }
  }
}

// d_q is overwritten; d_k and d_v accumulate, since query heads share them. d_scores
// (B, H, Tq, Tk), the gradient of the scores (0 where masked), may be null.
template <class T>
void AttentionBackward(const AttentionShape& shape, const T* d_out, const T* q, const T* k,
                       const T* v, const T* weights, const double* dropout, T* d_scores, T* d_q,
                       T* d_k, T* d_v) {
  const size_t D = shape.head_width;
  std::vector<T> d_row(shape.key_time);
  for (size_t b = 0; b < shape.batch; ++b) {
    for (size_t h = 0; h < shape.heads; ++h) {
      for (size_t i = 0; i < shape.query_time; ++i) {
        const size_t first = shape.FirstVisible(i), visible = shape.Visible(i);
        const size_t row = shape.Row(b, h, i), query = shape.Query(b, i, h);
        // out = sum_j weight_j factor_j v_j
        for (size_t j = first; j < visible; ++j) {
          const size_t key = shape.Key(b, j, h);
          const double factor = dropout == nullptr ? 1.0 : dropout[row + j];
          d_row[j] = 0;
          for (size_t d = 0; d < D; ++d) {
            d_row[j] += d_out[query + d] * factor * v[key + d];
            d_v[key + d] += d_out[query + d] * factor * weights[row + j];
          }
        }
        SoftmaxBackward(visible - first, d_row.data() + first, weights + row + first,
                        d_row.data() + first);
        if (d_scores != nullptr) {
          for (size_t j = 0; j < shape.key_time; ++j) {
            d_scores[row + j] = j >= first && j < visible ? d_row[j] : T(0);
          }
        }
        for (size_t d = 0; d < D; ++d) d_q[query + d] = 0;
        for (size_t j = first; j < visible; ++j) {
          const size_t key = shape.Key(b, j, h);
          const T slope = ScoreSlope(shape, q, k, b, h, i, j);
          for (size_t d = 0; d < D; ++d) {
            d_q[query + d] += slope * d_row[j] * k[key + d];
            d_k[key + d] += slope * d_row[j] * q[query + d];
          }
        }
      }
    }
  }
}

}  // namespace heed::reference

#endif  // HEED_TESTS_REFERENCE_ATTENTION_H_
