// SPDX-License-Identifier: MIT
// A pass over a model, stage by stage: embedding, each block forward, head and loss, each block
// backward, embedding backward. Owns the memory of the pass; the model owns the weights.
#ifndef HEED_MODEL_TRANSFORMER_H_
#define HEED_MODEL_TRANSFORMER_H_

#include <cstdint>

#include "base/arena.h"
#include "kernels/cross_entropy.h"
#include "model/activations.h"
#include "model/model.h"

namespace heed {

// Dropout of one pass: all sites' masks follow from the key.
struct PassDropout {
  float probability = 0.0f;
  uint64_t key = 0;
};

class Transformer {
 public:
  // Bytes of a pass; UINT64_MAX when beyond 64 bits. The configuration is valid.
  static uint64_t Bytes(const ModelConfig& config, uint64_t batch, uint64_t time, PassKind kind);

  // Plans for at most `batch` sequences of at most `time` <= context tokens; kOutOfMemory.
  Status Init(const Model* model, size_t batch, size_t time, PassKind kind);

  // Starts a pass over B sequences of T tokens (tokens.size = B T, B T <= the planned rows, T <= the
  // planned time), checked by the caller. The tokens must stay until the pass is over.
  void Embed(Span<const int32_t> tokens, size_t batch, size_t time, const PassDropout& dropout);
  // Runs block `layer` after those before it. `weights` as in AttentionLayerForward.
  void BlockForward(size_t layer, Matrix<float> weights = Matrix<float>());
  // After all blocks: the final norm; then what the head reads, (B T, C).
  ConstMatrix FinalNorm();
  // logits (B T, V); after FinalNorm.
  void Logits(Matrix<float> logits);
  // Loss of targets (B T), -1 ignored; after FinalNorm. losses and likeliest as in HeadLossForward.
  LossSum Loss(Span<const int32_t> targets, Span<float> losses,
               Span<int32_t> likeliest = Span<int32_t>());

  // Training passes only. Gradients of scale * loss sum accumulate into `gradients`.
  // smoothing: of the labels, kernels/cross_entropy.h.
  LossSum LossForwardBackward(Span<const int32_t> targets, float scale,
                              const ModelTensors<float>& gradients, float smoothing = 0.0f);
  // Blocks in descending order, after LossForwardBackward.
  void BlockBackward(size_t layer, const ModelTensors<float>& gradients);
  void EmbedBackward(const ModelTensors<float>& gradients);

  // All forward stages and the final norm.
  void Forward(Span<const int32_t> tokens, size_t batch, size_t time, const PassDropout& dropout);

  const Activations& activations() const { return activations_; }
  const Model& model() const { return *model_; }

 private:
  size_t rows() const { return batch_ * time_; }
  // The block's views, cut to the rows of the current pass.
  BlockActivations Block(size_t layer) const;
  // The block's input: the output of the block before it, or the embedding.
  Matrix<float> BlockInput(size_t layer) const;
  Matrix<float> LastOutput() const;
  AttentionShape attention_shape() const;
  AttentionDropout attention_dropout(size_t layer) const;
  DropoutSite dropout_site(uint32_t site) const;
  // sum, holding a branch's output, becomes x + dropout(sum).
  void JoinBranch(uint32_t site, ConstMatrix x, Matrix<float> sum) const;
  // The gradient that enters a branch: d_stream behind the branch's dropout.
  ConstMatrix BranchGradient(uint32_t site) const;
  // d_stream, the gradient of a norm's output, becomes that of its input; or d_branch likewise.
  void NormInputGradient(Matrix<float> gradient, ConstMatrix input, const NormSaved& saved,
                         TensorRole weight, TensorRole bias, int32_t layer,
                         const ModelTensors<float>& gradients) const;

  const Model* model_ = nullptr;
  Arena arena_;
  Activations activations_;
  Matrix<float> rope_cosines_;  // (context, D/2)
  Matrix<float> rope_sines_;
  Matrix<float> sinusoids_;  // (context, C)

  Span<const int32_t> tokens_;
  size_t batch_ = 0;
  size_t time_ = 0;
  PassDropout dropout_;
};

}  // namespace heed

#endif  // HEED_MODEL_TRANSFORMER_H_
