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
  RunHead(values_.last);
}

void Trace::ContinueFrom(PassPoint point, size_t layer) {
  const Span<const WhatIf> what_ifs = own_what_ifs();
  if (point == PassPoint::kStream) AttentionBranch(layer, what_ifs);
  if (point == PassPoint::kHeads) {
    const TraceLayer& v = values_.layers[layer];
    ProjectFromHeads(v.c, AttentionOf(layer, what_ifs).params.output, v.y, buffers_.scratch);
  }
  if (point != PassPoint::kFeedForward) {
    JoinAttention(layer);
    FeedForwardBranch(layer);
  }
  JoinFeedForward(layer);
  for (size_t next = layer + 1; next < model_->config().layers; ++next) {
    ForwardLayer(next, what_ifs);
  }
  RunHead(values_.last);
}

bool Trace::norms_at(NormPosition position) const {
  const ModelConfig& config = model_->config();
  return config.norm != NormKind::kNone && config.norm_position == position;
}

void Trace::ForwardLayer(size_t layer, Span<const WhatIf> what_ifs) {
  AttentionBranch(layer, what_ifs);
  JoinAttention(layer);
  FeedForwardBranch(layer);
  JoinFeedForward(layer);
}

void Trace::AttentionBranch(size_t layer, Span<const WhatIf> what_ifs) {
  const TraceLayer& v = values_.layers[layer];
  if (norms_at(NormPosition::kPre)) {
    NormForward(model_->config().norm, v.r,
                NormOf(model_->tensors(), kNorm1Weight, kNorm1Bias, static_cast<int32_t>(layer)),
                v.x, saved_[layer].norm1);
  } else {
    Copy(v.r, v.x);
  }
  TracedAttentionForward(AttentionOf(layer, what_ifs), v);
}

void Trace::JoinAttention(size_t layer) {
  const TraceLayer& v = values_.layers[layer];
  const bool post = norms_at(NormPosition::kPost);
  const Matrix<float> sum1 = post ? saved_[layer].sum1 : v.m;
  Add(v.r.Flat(), v.y.Flat(), sum1.Flat());
  if (!post) return;
  NormForward(model_->config().norm, sum1,
              NormOf(model_->tensors(), kNorm1Weight, kNorm1Bias, static_cast<int32_t>(layer)), v.m,
              saved_[layer].norm1);
}

void Trace::FeedForwardBranch(size_t layer) {
  const ModelConfig& config = model_->config();
  if (config.ffn == 0) return;
  const ModelTensors<const float> weights = model_->tensors();
  const auto l = static_cast<int32_t>(layer);
  const TraceLayer& v = values_.layers[layer];
  if (norms_at(NormPosition::kPre)) {
    NormForward(config.norm, v.m, NormOf(weights, kNorm2Weight, kNorm2Bias, l), v.u,
                saved_[layer].norm2);
  } else {
    Copy(v.m, v.u);
  }
  FeedForwardForward({config.pointwise(), config.gated()}, v.u, FeedForwardOf(weights, l),
                     {v.ffn_in, v.ffn_gate, v.ffn_hidden}, v.z, buffers_.scratch);
}

void Trace::JoinFeedForward(size_t layer) {
  const ModelConfig& config = model_->config();
  const TraceLayer& v = values_.layers[layer];
  const Matrix<float> output = Output(values_, layer);
  if (config.ffn == 0) {
    Copy(v.m, output);
    return;
  }
  const bool post = norms_at(NormPosition::kPost);
  const Matrix<float> sum2 = post ? saved_[layer].sum2 : output;
  Add(v.m.Flat(), v.z.Flat(), sum2.Flat());
  if (!post) return;
  NormForward(config.norm, sum2,
              NormOf(model_->tensors(), kNorm2Weight, kNorm2Bias, static_cast<int32_t>(layer)),
              output, saved_[layer].norm2);
}

void Trace::RunHead(ConstMatrix stream) {
  const ModelConfig& config = model_->config();
  const ModelTensors<const float> weights = model_->tensors();
  if (norms_at(NormPosition::kPre)) {
    NormForward(config.norm, stream, NormOf(weights, kNormWeight, kNormBias, -1), values_.n, norm_);
  } else {
    Copy(stream, values_.n);
  }
  HeadLogits(values_.n, HeadOf(config, weights), values_.logits, buffers_.scratch);
  for (size_t i = 0; i < time(); ++i) Softmax(values_.logits.RowSpan(i), values_.probs.RowSpan(i));
  loss_ = CrossEntropyForward(values_.logits, targets_, values_.loss.Flat());
}

}  // namespace heed
