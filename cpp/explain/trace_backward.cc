// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/matrix_copies.h"
#include "explain/trace.h"
#include "kernels/elementwise.h"
#include "kernels/gemm.h"
#include "layers/embedding.h"
#include "layers/head.h"
#include "model/parameter_views.h"

namespace heed {

using enum TensorRole;

void Trace::Backward(Span<const WhatIf> what_ifs) {
  const ModelConfig& config = model_->config();
  std::fill(parameter_gradients_.begin(), parameter_gradients_.end(), 0.0f);
  BackwardHead();
  for (size_t layer = config.layers; layer > 0; --layer) BackwardLayer(layer - 1, what_ifs);

  const ModelTensors<float> d_weights{&model_->table(), parameter_gradients_};
  const Matrix<float> d_first = config.layers > 0 ? gradients_.layers[0].r : gradients_.last;
  Copy(d_first, gradients_.e);
  if (gradients_.p.data != nullptr) Copy(d_first, gradients_.p);
  EmbeddingLayerBackward(tokens_, time(), d_first, d_weights.matrix(kEmbed),
                         d_weights.matrix(kPositions));
}

void Trace::BackwardHead() {
  const ModelConfig& config = model_->config();
  const ModelTensors<const float> weights = model_->tensors();
  const ModelTensors<float> d_weights{&model_->table(), parameter_gradients_};
  const float scale = loss_.count > 0 ? 1.0f / static_cast<float>(loss_.count) : 0.0f;
  Copy(values_.logits, gradients_.logits);
  CrossEntropyForwardBackward(gradients_.logits, targets_, scale, 0.0f, Span<float>());
  // logits = n E^T
  GemmOptions add;
  add.accumulate = true;
  Gemm(gradients_.logits, Transpose::kNo, HeadOf(config, weights), Transpose::kNo, gradients_.n,
       GemmOptions(), buffers_.scratch);
  Gemm(gradients_.logits, Transpose::kYes, values_.n, Transpose::kNo, HeadOf(config, d_weights),
       add, buffers_.scratch);
  if (config.norm != NormKind::kNone && config.norm_position == NormPosition::kPre) {
    NormBackward(config.norm, gradients_.n, values_.last,
                 NormOf(weights, kNormWeight, kNormBias, -1), norm_, gradients_.last,
                 NormOf(d_weights, kNormWeight, kNormBias, -1));
  } else {
    Copy(gradients_.n, gradients_.last);
  }
}

void Trace::BackwardLayer(size_t layer, Span<const WhatIf> what_ifs) {
  const ModelConfig& config = model_->config();
  const ModelTensors<const float> weights = model_->tensors();
  const ModelTensors<float> d_weights{&model_->table(), parameter_gradients_};
  const auto l = static_cast<int32_t>(layer);
  const bool norms = config.norm != NormKind::kNone;
  const bool pre = norms && config.norm_position == NormPosition::kPre, post = norms && !pre;
  const TraceLayer &v = values_.layers[layer], &g = gradients_.layers[layer];
  const LayerSaved& saved = saved_[layer];
  // d_norm's input from its output.
  const auto through_norm = [&](ConstMatrix d_y, ConstMatrix x, TensorRole weight, TensorRole bias,
                                const NormSaved& norm, Matrix<float> d_x) {
    NormBackward(config.norm, d_y, x, NormOf(weights, weight, bias, l), norm, d_x,
                 NormOf(d_weights, weight, bias, l));
  };
  const Matrix<float> d_output = Output(gradients_, layer);
  const Matrix<float> d_sum = work_[0], d_branch = work_[1];

  if (config.ffn == 0) {
    Copy(d_output, g.m);
  } else {
    // output = m + z, or norm2 of that
    if (post) {
      through_norm(d_output, saved.sum2, kNorm2Weight, kNorm2Bias, saved.norm2, d_sum);
    } else {
      Copy(d_output, d_sum);
    }
    Copy(d_sum, g.z);
    FeedForwardBackward({config.pointwise(), config.gated()}, g.z, v.u, FeedForwardOf(weights, l),
                        {v.ffn_in, v.ffn_gate, v.ffn_hidden},
                        {g.ffn_in, g.ffn_gate, g.ffn_hidden}, g.u, FeedForwardOf(d_weights, l),
                        buffers_.scratch);
    if (pre) {
      through_norm(g.u, v.m, kNorm2Weight, kNorm2Bias, saved.norm2, d_branch);
    } else {
      Copy(g.u, d_branch);
    }
    Add(d_sum.Flat(), d_branch.Flat(), g.m.Flat());
  }

  // m = r + y, or norm1 of that
  if (post) {
    through_norm(g.m, saved.sum1, kNorm1Weight, kNorm1Bias, saved.norm1, d_sum);
  } else {
    Copy(g.m, d_sum);
  }
  Copy(d_sum, g.y);
  TracedAttentionBackward(AttentionOf(layer, what_ifs), v, g,
                          heed::AttentionOf(d_weights, l));
  if (pre) {
    through_norm(g.x, v.r, kNorm1Weight, kNorm1Bias, saved.norm1, d_branch);
  } else {
    Copy(g.x, d_branch);
  }
  Add(d_sum.Flat(), d_branch.Flat(), g.r.Flat());
}

}  // namespace heed
