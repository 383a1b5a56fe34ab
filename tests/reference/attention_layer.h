// SPDX-License-Identifier: MIT
// Multi-head attention with its projections and rotary positions.
#ifndef HEED_TESTS_REFERENCE_ATTENTION_LAYER_H_
#define HEED_TESTS_REFERENCE_ATTENTION_LAYER_H_

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "reference/attention.h"
#include "reference/config.h"
#include "reference/projection.h"
#include "reference/rms_norm.h"
#include "reference/rope.h"
#include "reference/tensors.h"

namespace heed::reference {

template <class T>
struct AttentionSaved {
  std::vector<T> x;        // (B*T, C), the layer's input
  std::vector<T> raw_query, raw_key;    // before their norm, if there is one
  std::vector<T> query_rstd, key_rstd;  // (B, T, H), (B, T, Hk)
  std::vector<T> query;    // (B, T, H, D), rotated when the model uses RoPE
  std::vector<T> key;      // (B, T, Hk, D), likewise
  std::vector<T> value;    // (B, T, Hk, D)
  std::vector<T> weights;  // (B, H, T, T), before dropout
  std::vector<T> heads;    // (B, T, H, D), the heads' outputs
};

// Press et al. 2022, section 3 and its code: a geometric series from 2^(-8 / n) on for n heads, a
// power of two; other numbers of heads fill up from the series of twice as many.
inline std::vector<double> AlibiSlopes(size_t heads) {
  std::vector<double> slopes;
  size_t power = 1;
  while (2 * power <= heads) power *= 2;
  for (size_t h = 1; h <= power; ++h) {
    slopes.push_back(std::pow(2.0, -8.0 * static_cast<double>(h) / static_cast<double>(power)));
  }
  for (size_t h = 1; slopes.size() < heads; h += 2) {
    slopes.push_back(std::pow(2.0, -4.0 * static_cast<double>(h) / static_cast<double>(power)));
  }
  return slopes;
}

inline AttentionShape ShapeOf(const ModelConfig& config, size_t B, size_t time) {
  const double scale = config.scale > 0.0
                           ? config.scale
                           : 1.0 / std::sqrt(static_cast<double>(config.head_width));
  AttentionShape shape{B, time, time, config.heads, config.kv_heads, config.head_width,
                       scale, config.causal, config.softcap, {}, config.window};
  if (config.position == Position::kAlibi) shape.slopes = AlibiSlopes(config.heads);
  return shape;
}

template <class T>
void RotatePositions(const ModelConfig& config, size_t time, RopeDirection direction, size_t heads,
                     std::vector<T>& x) {
  if (config.position != Position::kRope) return;
  const size_t rows = x.size() / (heads * config.head_width);
  RopeRotate({config.rope_layout, config.rope_base, 0, time}, direction, rows, heads,
             config.head_width, x.data());
}

inline const double* DataOrNull(const std::vector<double>& values) {
  return values.empty() ? nullptr : values.data();
}

// x (B*T, C); `name` ends in "attention"; dropout: factors of the weights (B, H, T, T) or empty.
template <class T>
std::vector<T> AttentionLayerForward(const ModelConfig& config, const std::string& name, size_t B,
                                     const Tensors<T>& parameters, const std::vector<T>& x,
                                     const std::vector<double>& dropout, AttentionSaved<T>& saved) {
  const size_t C = config.width, query_width = config.heads * config.head_width;
  const size_t kv_width = config.kv_heads * config.head_width, time = x.size() / C / B;
  saved.x = x;
  // Queries and keys of zero give every visible key the same weight.
  saved.query.assign(x.size() / C * query_width, T(0));
  saved.key.assign(x.size() / C * kv_width, T(0));
  saved.value = x;
  if (!config.uniform_attention) {
    saved.query = ProjectionForward(name + ".query", parameters, x, C, query_width);
    saved.key = ProjectionForward(name + ".key", parameters, x, C, kv_width);
  }
  if (config.value_projection) {
    saved.value = ProjectionForward(name + ".value", parameters, x, C, kv_width);
  }
  if (config.qk_norm) {
    const auto norm = [&](const std::string& which, std::vector<T>& vectors, std::vector<T>& raw,
                          std::vector<T>& rstd) {
      raw = vectors;
      const size_t rows = raw.size() / config.head_width;
      rstd.resize(rows);
      RmsNormForward(rows, config.head_width, raw.data(),
                     parameters.Get(name + "." + which + ".weight"), kNormEpsilon, vectors.data(),
                     rstd.data());
    };
    norm("queryNorm", saved.query, saved.raw_query, saved.query_rstd);
    norm("keyNorm", saved.key, saved.raw_key, saved.key_rstd);
  }
  RotatePositions(config, time, RopeDirection::kForward, config.heads, saved.query);
  RotatePositions(config, time, RopeDirection::kForward, config.kv_heads, saved.key);
  const AttentionShape shape = ShapeOf(config, B, time);
  saved.weights.resize(shape.WeightCount());
  saved.heads.resize(saved.query.size());
  AttentionForward(shape, saved.query.data(), saved.key.data(), saved.value.data(),
                   DataOrNull(dropout), saved.heads.data(), saved.weights.data());
  if (!config.output_projection) return saved.heads;
  return ProjectionForward(name + ".output", parameters, saved.heads, query_width, C);
}

// Returns d_x; parameter gradients accumulate.
template <class T>
std::vector<T> AttentionLayerBackward(const ModelConfig& config, const std::string& name, size_t B,
                                      const Tensors<T>& parameters, const std::vector<T>& d_y,
                                      const std::vector<double>& dropout,
                                      const AttentionSaved<T>& saved, Tensors<T>& gradients) {
  const size_t C = config.width, query_width = config.heads * config.head_width;
  const size_t kv_width = config.kv_heads * config.head_width, time = saved.x.size() / C / B;
  std::vector<T> d_heads(saved.heads.size()), d_query(saved.query.size());
  std::vector<T> d_key(saved.key.size()), d_value(saved.value.size()), d_x(saved.x.size());
  if (config.output_projection) {
    ProjectionBackward(name + ".output", parameters, d_y, saved.heads, query_width, C, d_heads,
                       gradients);
  } else {
    d_heads = d_y;
  }
  AttentionBackward<T>(ShapeOf(config, B, time), d_heads.data(), saved.query.data(),
                       saved.key.data(), saved.value.data(), saved.weights.data(),
                       DataOrNull(dropout), nullptr, d_query.data(), d_key.data(),
                       d_value.data());
  RotatePositions(config, time, RopeDirection::kBackward, config.heads, d_query);
  RotatePositions(config, time, RopeDirection::kBackward, config.kv_heads, d_key);
  if (config.qk_norm) {
    const auto norm = [&](const std::string& which, std::vector<T>& d, const std::vector<T>& raw,
                          const std::vector<T>& rstd) {
      std::vector<T> d_raw(raw.size());
      RmsNormBackward(rstd.size(), config.head_width, d.data(), raw.data(),
                      parameters.Get(name + "." + which + ".weight"), rstd.data(), d_raw.data(),
                      gradients.Get(name + "." + which + ".weight"));
      d = d_raw;
    };
    norm("queryNorm", d_query, saved.raw_query, saved.query_rstd);
    norm("keyNorm", d_key, saved.raw_key, saved.key_rstd);
  }
  if (!config.uniform_attention) {
    ProjectionBackward(name + ".query", parameters, d_query, saved.x, C, query_width, d_x,
                       gradients);
    ProjectionBackward(name + ".key", parameters, d_key, saved.x, C, kv_width, d_x, gradients);
  }
  if (config.value_projection) {
    ProjectionBackward(name + ".value", parameters, d_value, saved.x, C, kv_width, d_x, gradients);
  } else {
    for (size_t i = 0; i < d_x.size(); ++i) d_x[i] += d_value[i];
  }
  return d_x;
}

}  // namespace heed::reference

#endif  // HEED_TESTS_REFERENCE_ATTENTION_LAYER_H_
