// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/matrix_copies.h"
#include "explain/trace.h"
#include "kernels/elementwise.h"
#include "kernels/softmax.h"
#include "layers/embedding.h"
#include "layers/head.h"
#include "model/parameter_views.h"

namespace heed {

using enum TensorRole;

TracedAttention Trace::AttentionOf(size_t layer, Span<const WhatIf> what_ifs) const {
  TracedAttention pass{model_->config(),
                       attention_shape(),
                       heed::AttentionOf(model_->tensors(), static_cast<int32_t>(layer)),
                       what_ifs,
                       layer,
                       buffers_};
  pass.buffers.softmax = saved_[layer].softmax;
  pass.buffers.norm = saved_[layer].query_key_norm;
  return pass;
}

LossSum Trace::LossWith(const WhatIf& what_if) {
  what_ifs_[what_ifs_.size - 1] = what_if;
  Forward(what_ifs_);
  return loss_;
}

void Trace::Restore() { Forward(own_what_ifs()); }

void Trace::Forward(Span<const WhatIf> what_ifs) {
  const ModelConfig& config = model_->config();
  const ModelTensors<const float> weights = model_->tensors();
  EmbeddingLayerForward(tokens_, time(), weights.matrix(kEmbed), ConstMatrix(), values_.e);
  const Matrix<float> first = config.layers > 0 ? values_.layers[0].r : values_.last;
  Copy(values_.e, first);
  if (values_.p.data != nullptr) {
    const ConstMatrix positions = config.position == PositionKind::kLearned
                                      ? weights.matrix(kPositions).Rows(0, time())
                                      : ConstMatrix(sinusoids_);
    Copy(positions, values_.p);
    AddTo(values_.p.Flat(), first.Flat());
  }
  for (size_t layer = 0; layer < config.layers; ++layer) ForwardLayer(layer, what_ifs);
  Head();
}

void Trace::ForwardLayer(size_t layer, Span<const WhatIf> what_ifs) {
  const ModelConfig& config = model_->config();
  const ModelTensors<const float> weights = model_->tensors();
  const auto l = static_cast<int32_t>(layer);
  const bool norms = config.norm != NormKind::kNone;
  const bool pre = norms && config.norm_position == NormPosition::kPre, post = norms && !pre;
  const TraceLayer& v = values_.layers[layer];
  const LayerSaved& saved = saved_[layer];
  const auto norm1 = NormOf(weights, kNorm1Weight, kNorm1Bias, l);
  const auto norm2 = NormOf(weights, kNorm2Weight, kNorm2Bias, l);

  if (pre) {
    NormForward(config.norm, v.r, norm1, v.x, saved.norm1);
  } else {
    Copy(v.r, v.x);
  }
  TracedAttentionForward(AttentionOf(layer, what_ifs), v);
  const Matrix<float> sum1 = post ? saved.sum1 : v.m;
  Add(v.r.Flat(), v.y.Flat(), sum1.Flat());
  if (post) NormForward(config.norm, sum1, norm1, v.m, saved.norm1);

  const Matrix<float> output = Output(values_, layer);
  if (config.ffn == 0) {
    Copy(v.m, output);
    return;
  }
  if (pre) {
    NormForward(config.norm, v.m, norm2, v.u, saved.norm2);
  } else {
    Copy(v.m, v.u);
  }
  FeedForwardForward({config.pointwise(), config.gated()}, v.u, FeedForwardOf(weights, l),
                     {v.ffn_in, v.ffn_gate, v.ffn_hidden}, v.z, buffers_.scratch);
  const Matrix<float> sum2 = post ? saved.sum2 : output;
  Add(v.m.Flat(), v.z.Flat(), sum2.Flat());
  if (post) NormForward(config.norm, sum2, norm2, output, saved.norm2);
}

void Trace::Head() {
  const ModelConfig& config = model_->config();
  const ModelTensors<const float> weights = model_->tensors();
  if (config.norm != NormKind::kNone && config.norm_position == NormPosition::kPre) {
    NormForward(config.norm, values_.last, NormOf(weights, kNormWeight, kNormBias, -1), values_.n,
                norm_);
  } else {
    Copy(values_.last, values_.n);
  }
  HeadLogits(values_.n, HeadOf(config, weights), values_.logits, buffers_.scratch);
  for (size_t i = 0; i < time(); ++i) Softmax(values_.logits.RowSpan(i), values_.probs.RowSpan(i));
  loss_ = CrossEntropyForward(values_.logits, targets_, values_.loss.Flat());
}

}  // namespace heed
