// SPDX-License-Identifier: MIT
// The whole transformer: loss of a batch and the gradient of every parameter.
#ifndef HEED_TESTS_REFERENCE_MODEL_H_
#define HEED_TESTS_REFERENCE_MODEL_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "reference/attention_layer.h"
#include "reference/config.h"
#include "reference/cross_entropy.h"
#include "reference/dropout.h"
#include "reference/embedding.h"
#include "reference/ffn_layer.h"
#include "reference/norm.h"
#include "reference/tensors.h"

namespace heed::reference {

// Factors (0 or 1 / (1 - p)) of every dropout; an empty vector switches that one off.
struct DropoutMasks {
  struct Layer {
    std::vector<double> weights;    // (B, H, T, T)
    std::vector<double> attention;  // (B*T, C), the branch before the residual join
    std::vector<double> ffn;        // (B*T, C), likewise
  };
  std::vector<double> embedding;  // (B*T, C)
  std::vector<Layer> layers;      // empty, or one a layer
};

template <class T>
struct LayerSaved {
  NormSaved<T> norm1, norm2;
  AttentionSaved<T> attention;
  FfnSaved<T> ffn;
};

template <class T>
struct ModelSaved {
  std::vector<T> embedded;  // (B*T, C), the first layer's input
  std::vector<LayerSaved<T>> layers;
  NormSaved<T> norm;
  std::vector<T> last;    // (B*T, C), what the head reads
  std::vector<T> logits;  // (B*T, V)
};

namespace internal {

inline DropoutMasks::Layer LayerMasks(const DropoutMasks& masks, size_t layer) {
  return masks.layers.empty() ? DropoutMasks::Layer{} : masks.layers[layer];
}

// Pre: x + dropout(branch(norm(x))). Post: norm(x + dropout(branch(x))).
template <class T, class Branch>
std::vector<T> ResidualForward(const ModelConfig& config, const std::string& norm,
                               const Tensors<T>& parameters, const std::vector<T>& x,
                               const std::vector<double>& factors, NormSaved<T>& saved,
                               Branch branch) {
  const bool pre = config.norm_position == NormPosition::kPre;
  std::vector<T> y = branch(pre ? NormForward(config, norm, parameters, x, saved) : x);
  ApplyDropout(factors, y.size(), y.data());
  for (size_t i = 0; i < y.size(); ++i) y[i] += x[i];
  return pre ? y : NormForward(config, norm, parameters, y, saved);
}

// `branch` maps the gradient of the branch's output to that of its input.
template <class T, class Branch>
std::vector<T> ResidualBackward(const ModelConfig& config, const std::string& norm,
                                const Tensors<T>& parameters, const std::vector<T>& d_y,
                                const std::vector<double>& factors, const NormSaved<T>& saved,
                                Tensors<T>& gradients, Branch branch) {
  const bool pre = config.norm_position == NormPosition::kPre;
  const std::vector<T> d_sum =
      pre ? d_y : NormBackward(config, norm, parameters, d_y, saved, gradients);
  std::vector<T> d_branch = d_sum;
  ApplyDropout(factors, d_branch.size(), d_branch.data());
  std::vector<T> d_x = branch(d_branch);
  if (pre) d_x = NormBackward(config, norm, parameters, d_x, saved, gradients);
  for (size_t i = 0; i < d_x.size(); ++i) d_x[i] += d_sum[i];
  return d_x;
}

}  // namespace internal

// tokens, targets (B, T) row-major with T <= config.context; a target of -1 does not count; smoothing:
// of the labels.
template <class T>
LossSum<T> ModelForward(const ModelConfig& config, const Tensors<T>& parameters, size_t B,
                        const std::vector<int32_t>& tokens, const std::vector<int32_t>& targets,
                        const DropoutMasks& masks, ModelSaved<T>& saved,
                        double smoothing = 0.0) {
  const size_t N = tokens.size(), time = N / B, C = config.width;
  std::vector<T> x(N * C);
  EmbeddingForward(N, C, tokens.data(), parameters.Get("embed.weight"), x.data());
  if (config.position == Position::kLearned) {
    AddRepeatedRows(N, C, time, parameters.Get("positions.weight"), x.data());
  } else if (config.position == Position::kSinusoidal) {
    AddRepeatedRows(N, C, time, SinusoidalPositions(time, C).data(), x.data());
  }
  ApplyDropout(masks.embedding, x.size(), x.data());
  saved.embedded = x;
  saved.layers.resize(config.layers);
  for (size_t i = 0; i < config.layers; ++i) {
    const std::string name = LayerName(i);
    const DropoutMasks::Layer dropout = internal::LayerMasks(masks, i);
    LayerSaved<T>& layer = saved.layers[i];
    x = internal::ResidualForward(config, name + "norm1", parameters, x, dropout.attention,
                                  layer.norm1, [&](const std::vector<T>& h) {
                                    return AttentionLayerForward(config, name + "attention", B,
                                                                 parameters, h, dropout.weights,
                                                                 layer.attention);
                                  });
    if (config.ffn == 0) continue;
    x = internal::ResidualForward(config, name + "norm2", parameters, x, dropout.ffn, layer.norm2,
                                  [&](const std::vector<T>& h) {
                                    return FfnLayerForward(config, name + "ffn", parameters, h,
                                                           layer.ffn);
                                  });
  }
  if (config.norm_position == NormPosition::kPre) {
    x = NormForward(config, "norm", parameters, x, saved.norm);
  }
  saved.last = x;
  saved.logits.resize(N * config.vocab);
  HeadForward({N, C, config.vocab}, x.data(),
              parameters.Get(config.tied ? "embed.weight" : "head.weight"), saved.logits.data());
  return CrossEntropyForward<T>(N, config.vocab, saved.logits.data(), targets.data(), nullptr,
                                smoothing);
}

// Adds the gradients of scale * (sum of losses) to `gradients`; scale is 1 / counted tokens for the
// mean. Everything else as in ModelForward, which made `saved`.
template <class T>
void ModelBackward(const ModelConfig& config, const Tensors<T>& parameters, size_t B,
                   const std::vector<int32_t>& tokens, const std::vector<int32_t>& targets,
                   const DropoutMasks& masks, const ModelSaved<T>& saved, double scale,
                   Tensors<T>& gradients, double smoothing = 0.0) {
  const size_t N = tokens.size(), time = N / B, C = config.width;
  std::vector<T> d_logits(N * config.vocab), d_x(N * C);
  CrossEntropyBackward(N, config.vocab, saved.logits.data(), targets.data(), scale,
                       d_logits.data(), smoothing);
  const std::string head = config.tied ? "embed.weight" : "head.weight";
  HeadBackward({N, C, config.vocab}, d_logits.data(), saved.last.data(), parameters.Get(head),
               d_x.data(), gradients.Get(head));
  if (config.norm_position == NormPosition::kPre) {
    d_x = NormBackward(config, "norm", parameters, d_x, saved.norm, gradients);
  }
  for (size_t i = config.layers; i-- > 0;) {
    const std::string name = LayerName(i);
    const DropoutMasks::Layer dropout = internal::LayerMasks(masks, i);
    const LayerSaved<T>& layer = saved.layers[i];
    if (config.ffn != 0) {
      d_x = internal::ResidualBackward(config, name + "norm2", parameters, d_x, dropout.ffn,
                                       layer.norm2, gradients, [&](const std::vector<T>& d_y) {
                                         return FfnLayerBackward(config, name + "ffn", parameters,
                                                                 d_y, layer.ffn, gradients);
                                       });
    }
    d_x = internal::ResidualBackward(
        config, name + "norm1", parameters, d_x, dropout.attention, layer.norm1, gradients,
        [&](const std::vector<T>& d_y) {
          return AttentionLayerBackward(config, name + "attention", B, parameters, d_y,
                                        dropout.weights, layer.attention, gradients);
        });
  }
  ApplyDropout(masks.embedding, d_x.size(), d_x.data());
  if (config.position == Position::kLearned) {
    AccumulateRepeatedRows(N, C, time, d_x.data(), gradients.Get("positions.weight"));
  }
  EmbeddingBackward(N, C, tokens.data(), d_x.data(), gradients.Get("embed.weight"));
}

}  // namespace heed::reference

#endif  // HEED_TESTS_REFERENCE_MODEL_H_
