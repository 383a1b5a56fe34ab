// SPDX-License-Identifier: MIT
// The tensors of a model as its layers take them.
#ifndef HEED_MODEL_PARAMETER_VIEWS_H_
#define HEED_MODEL_PARAMETER_VIEWS_H_

#include "layers/attention.h"
#include "layers/feed_forward.h"
#include "layers/norm.h"
#include "model/tensors.h"

namespace heed {

template <typename T>
LinearParams<T> LinearOf(const ModelTensors<T>& tensors, TensorRole weight, TensorRole bias,
                         int32_t layer) {
  return {tensors.matrix(weight, layer), tensors.vector(bias, layer)};
}

template <typename T>
NormParams<T> NormOf(const ModelTensors<T>& tensors, TensorRole weight, TensorRole bias,
                     int32_t layer) {
  return {tensors.vector(weight, layer), tensors.vector(bias, layer)};
}

template <typename T>
AttentionParams<T> AttentionOf(const ModelTensors<T>& tensors, int32_t layer) {
  using enum TensorRole;
  return {LinearOf(tensors, kQueryWeight, kQueryBias, layer),
          LinearOf(tensors, kKeyWeight, kKeyBias, layer),
          LinearOf(tensors, kValueWeight, kValueBias, layer),
          LinearOf(tensors, kOutputWeight, kOutputBias, layer),
          {tensors.vector(kQueryNorm, layer), tensors.vector(kKeyNorm, layer)}};
}

template <typename T>
FeedForwardParams<T> FeedForwardOf(const ModelTensors<T>& tensors, int32_t layer) {
  using enum TensorRole;
  return {LinearOf(tensors, kFfnInWeight, kFfnInBias, layer),
          LinearOf(tensors, kFfnGateWeight, kFfnGateBias, layer),
          LinearOf(tensors, kFfnOutWeight, kFfnOutBias, layer)};
}

// The head reads the token embedding when they are tied.
template <typename T>
Matrix<T> HeadOf(const ModelConfig& config, const ModelTensors<T>& tensors) {
  return tensors.matrix(config.tied ? TensorRole::kEmbed : TensorRole::kHead);
}

}  // namespace heed

#endif  // HEED_MODEL_PARAMETER_VIEWS_H_
