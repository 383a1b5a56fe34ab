// SPDX-License-Identifier: MIT
// One example's forward and backward pass with every number kept: the layers of the trained path
// under a plan that aliases nothing, attention by its plain twin, no dropout. It has weights of its
// own, copied when it is made, so training may go on beside it.
#ifndef HEED_EXPLAIN_TRACE_H_
#define HEED_EXPLAIN_TRACE_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/arena.h"
#include "base/span.h"
#include "base/status.h"
#include "explain/trace_matrices.h"
#include "explain/traced_attention.h"
#include "explain/what_if.h"
#include "kernels/cross_entropy.h"
#include "model/model.h"

namespace heed {

// Activations of a layer from which a pass can be taken up again.
enum class PassPoint : uint8_t {
  kStream,       // r
  kHeads,        // c
  kAttention,    // y
  kFeedForward,  // z
};

class Trace {
 public:
  // tokens, targets (T), 1 <= T <= context; a target of -1 does not count. Gradients are those of the
  // mean loss over the counted targets. Errors: kInvalidArgument (a what-if that does not fit),
  // kBadData (tokens, targets), kOutOfMemory, kNonFinite.
  static Result<std::unique_ptr<Trace>> Create(const Model& model, Span<const int32_t> tokens,
                                               Span<const int32_t> targets,
                                               Span<const WhatIf> what_ifs, bool gradients);

  // The loss of another forward pass over the same example with one more what-if, which has been
  // checked and changes no weight. The values are then that pass's, until Restore.
  LossSum LossWith(const WhatIf& what_if);
  // The values and the loss of the trace's own pass again, bit for bit.
  void Restore();
  // Runs what comes after a layer's activation again, from that activation as it now lies in the
  // values. With its own numbers there, the values are the trace's own again, bit for bit. kFeedForward
  // needs a feed-forward layer.
  void ContinueFrom(PassPoint point, size_t layer);
  // Runs the head, with the final norm before it, over a (T, C) in place of the last stream: n, logits,
  // probs and loss are then of that. Over values().last they are the trace's own.
  void RunHead(ConstMatrix stream);

  const Model& model() const { return *model_; }
  size_t time() const { return tokens_.size; }
  Span<const int32_t> tokens() const { return tokens_; }
  Span<const int32_t> targets() const { return targets_; }
  LossSum loss() const { return loss_; }
  bool has_gradients() const { return has_gradients_; }
  const TraceMatrices& values() const { return values_; }
  const TraceMatrices& gradients() const { return gradients_; }
  ModelTensors<const float> parameter_gradients() const {
    return {&model_->table(), parameter_gradients_};
  }
  AttentionShape attention_shape() const;
  // 1 / deviation by which the final norm multiplied a row; 1 without one.
  double final_rstd(size_t row) const { return norm_.rstd.empty() ? 1.0 : norm_.rstd[row]; }

  // Queries and keys of a layer before their norm; empty without one.
  const QueryKeyNormSaved& query_key_norm(size_t layer) const {
    return saved_[layer].query_key_norm;
  }

  // The memory behind values and gradients; matrices lie inside.
  Span<const float> value_floats() const { return FloatsOf(value_arena_); }
  Span<const float> gradient_floats() const { return FloatsOf(gradient_arena_); }
  // Fixed memory for queries over the trace: (T, C) each.
  Matrix<float> work(size_t index) const { return work_[index]; }
  // The same of a head, (T, D).
  Matrix<float> head_work() const { return buffers_.flow_c; }

 private:
  Trace() = default;
  static Span<const float> FloatsOf(const Arena& arena) {
    return arena.Slice<const float>(0, arena.bytes() / sizeof(float));
  }
  void Plan(size_t time, size_t what_ifs, Planner* values, Planner* gradients, Planner* work);
  Status Allocate(size_t time, size_t what_ifs);
  Span<const WhatIf> own_what_ifs() const { return what_ifs_.Slice(0, what_ifs_.size - 1); }
  void SetWeights(Span<const WhatIf> what_ifs);
  TracedAttention AttentionOf(size_t layer, Span<const WhatIf> what_ifs) const;
  void Forward(Span<const WhatIf> what_ifs);
  void ForwardLayer(size_t layer, Span<const WhatIf> what_ifs);
  // The parts of a layer's forward pass: from r to y, to m, to z and to the layer's output.
  void AttentionBranch(size_t layer, Span<const WhatIf> what_ifs);
  void JoinAttention(size_t layer);
  void FeedForwardBranch(size_t layer);
  void JoinFeedForward(size_t layer);
  bool norms_at(NormPosition position) const;
  void Backward(Span<const WhatIf> what_ifs);
  void BackwardHead();
  void BackwardLayer(size_t layer, Span<const WhatIf> what_ifs);
  bool AllValuesFinite() const;
  // Where a layer hands its output: the next layer's r, or last.
  Matrix<float> Output(const TraceMatrices& matrices, size_t layer) const;

  // What the layers keep for their backward passes beside the matrices.
  struct LayerSaved {
    NormSaved norm1, norm2;
    Matrix<float> sum1, sum2;  // post-norm: input of the norms
    Matrix<float> softmax;     // (H T, T)
    QueryKeyNormSaved query_key_norm;
  };

  std::unique_ptr<Model> model_;
  bool has_gradients_ = false;
  Arena value_arena_, gradient_arena_, work_arena_;
  TraceMatrices values_, gradients_;
  Span<LayerSaved> saved_;
  NormSaved norm_;
  TracedAttentionBuffers buffers_;
  Matrix<float> work_[3];
  Matrix<float> rope_cosines_, rope_sines_, sinusoids_;
  Span<float> parameter_gradients_;
  Span<int32_t> tokens_, targets_;
  Span<WhatIf> what_ifs_;  // the trace's own, and room for one more
  LossSum loss_;
};

}  // namespace heed

#endif  // HEED_EXPLAIN_TRACE_H_
