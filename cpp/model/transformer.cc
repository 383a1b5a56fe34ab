// SPDX-License-Identifier: MIT
#include "model/transformer.h"

#include "kernels/elementwise.h"
#include "layers/embedding.h"
#include "layers/head.h"
#include "model/attention_shape.h"
#include "model/dropout_sites.h"
#include "model/parameter_views.h"

namespace heed {
namespace {

using enum TensorRole;

struct Tables {
  Matrix<float> rope_cosines, rope_sines, sinusoids;
};

Tables PlanTables(const ModelConfig& config, uint64_t time, Planner* planner) {
  Tables tables;
  if (config.position == PositionKind::kRope) {
    tables.rope_cosines = planner->Floats(time, config.head_width / 2);
    tables.rope_sines = planner->Floats(time, config.head_width / 2);
  } else if (config.position == PositionKind::kSinusoidal) {
    tables.sinusoids = planner->Floats(time, config.width);
  }
  return tables;
}

void Cut(Matrix<float>* matrix, size_t rows) {
  if (matrix->rows > 0) *matrix = matrix->Rows(0, rows);
}

NormSaved Cut(NormSaved saved, size_t rows) {
  if (saved.mean.size > 0) saved.mean = saved.mean.Slice(0, rows);
  if (saved.rstd.size > 0) saved.rstd = saved.rstd.Slice(0, rows);
  return saved;
}

AttentionSaved Cut(AttentionSaved saved, size_t rows) {
  Cut(&saved.q, rows);
  Cut(&saved.k, rows);
  Cut(&saved.v, rows);
  Cut(&saved.mixed, rows);
  Cut(&saved.norm.q, rows);
  Cut(&saved.norm.k, rows);
  return saved;
}

FeedForwardSaved Cut(FeedForwardSaved saved, size_t rows) {
  Cut(&saved.in, rows);
  Cut(&saved.gate, rows);
  Cut(&saved.hidden, rows);
  return saved;
}

FeedForwardShape ShapeOf(const ModelConfig& config) {
  return {config.pointwise(), config.gated()};
}

}  // namespace

uint64_t Transformer::Bytes(const ModelConfig& config, uint64_t batch, uint64_t time,
                            PassKind kind) {
  Planner planner;
  PlanTables(config, time, &planner);
  PlanActivations(config, batch, time, kind, &planner);
  return planner.bytes();
}

Status Transformer::Init(const Model* model, size_t batch, size_t time, PassKind kind) {
  const ModelConfig& config = model->config();
  HEED_RETURN_IF_ERROR(arena_.Allocate(Bytes(config, batch, time, kind),
                                       kind == PassKind::kTraining
                                           ? "the activations of a training step"
                                           : "the activations of a forward pass"));
  Planner planner(&arena_);
  const Tables tables = PlanTables(config, time, &planner);
  activations_ = PlanActivations(config, batch, time, kind, &planner);
  rope_cosines_ = tables.rope_cosines;
  rope_sines_ = tables.rope_sines;
  sinusoids_ = tables.sinusoids;
  if (rope_cosines_.rows > 0) FillRopeTables(config.rope_base, rope_cosines_, rope_sines_);
  if (sinusoids_.rows > 0) FillSinusoidalPositions(sinusoids_);
  model_ = model;
  return Status();
}

BlockActivations Transformer::Block(size_t layer) const {
  BlockActivations block = activations_.Block(layer);
  const size_t n = rows();
  for (Matrix<float>* m : {&block.normed1, &block.sum1, &block.normed2, &block.sum2,
                           &block.output}) {
    Cut(m, n);
  }
  block.norm1 = Cut(block.norm1, n);
  block.norm2 = Cut(block.norm2, n);
  block.attention = Cut(block.attention, n);
  block.ffn = Cut(block.ffn, n);
  return block;
}

Matrix<float> Transformer::BlockInput(size_t layer) const {
  return layer == 0 ? activations_.embedded.Rows(0, rows()) : Block(layer - 1).output;
}

Matrix<float> Transformer::LastOutput() const { return BlockInput(model_->config().layers); }

AttentionShape Transformer::attention_shape() const {
  AttentionShape shape = AttentionShapeOf(model_->config());
  shape.batch = batch_;
  shape.time = time_;
  shape.rope = {model_->config().rope_layout, rope_cosines_, rope_sines_};
  return shape;
}

AttentionDropout Transformer::attention_dropout(size_t layer) const {
  return {dropout_.probability, dropout_.key,
          FirstWeightsSite(layer, batch_, model_->config().heads)};
}

DropoutSite Transformer::dropout_site(uint32_t site) const {
  return {dropout_.probability, dropout_.key, site};
}

void Transformer::JoinBranch(uint32_t site, ConstMatrix x, Matrix<float> sum) const {
  const DropoutSite dropout = dropout_site(site);
  if (dropout.active()) ApplyDropout(dropout, 0, sum);
  AddTo(x.Flat(), sum.Flat());
}

void Transformer::Embed(Span<const int32_t> tokens, size_t batch, size_t time,
                        const PassDropout& dropout) {
  HEED_DCHECK(tokens.size == batch * time);
  HEED_DCHECK(batch * time <= activations_.embedded.rows);
  tokens_ = tokens;
  batch_ = batch;
  time_ = time;
  dropout_ = dropout;
  const ModelTensors<const float> weights = model_->tensors();
  const ConstMatrix positions = model_->config().position == PositionKind::kLearned
                                    ? weights.matrix(kPositions)
                                    : ConstMatrix(sinusoids_);
  const Matrix<float> x = BlockInput(0);
  EmbeddingLayerForward(tokens, time, weights.matrix(kEmbed), positions, x);
  const DropoutSite site = dropout_site(kEmbeddingSite);
  if (site.active()) ApplyDropout(site, 0, x);
}

void Transformer::BlockForward(size_t layer, Matrix<float> attention_weights) {
  const ModelConfig& config = model_->config();
  const ModelTensors<const float> weights = model_->tensors();
  const auto l = static_cast<int32_t>(layer);
  const bool norms = config.norm != NormKind::kNone;
  const bool pre = norms && config.norm_position == NormPosition::kPre;
  const bool post = norms && !pre;
  const BlockActivations block = Block(layer);
  const Span<float> scratch = activations_.scratch;
  const Matrix<float> x = BlockInput(layer);
  const auto norm1 = NormOf(weights, kNorm1Weight, kNorm1Bias, l);

  if (pre) NormForward(config.norm, x, norm1, block.normed1, block.norm1);
  AttentionLayerForward(attention_shape(), pre ? block.normed1 : x, AttentionOf(weights, l),
                        attention_dropout(layer), block.attention, block.sum1, attention_weights,
                        scratch);
  JoinBranch(AttentionSite(layer), x, block.sum1);
  if (post) NormForward(config.norm, block.sum1, norm1, block.normed1, block.norm1);
  if (config.ffn == 0) return;

  const Matrix<float> middle = post ? block.normed1 : block.sum1;
  const auto norm2 = NormOf(weights, kNorm2Weight, kNorm2Bias, l);
  if (pre) NormForward(config.norm, middle, norm2, block.normed2, block.norm2);
  FeedForwardForward(ShapeOf(config), pre ? block.normed2 : middle, FeedForwardOf(weights, l),
                     block.ffn, block.sum2, scratch);
  JoinBranch(FeedForwardSite(layer), middle, block.sum2);
  if (post) NormForward(config.norm, block.sum2, norm2, block.normed2, block.norm2);
}

ConstMatrix Transformer::FinalNorm() {
  const Matrix<float> x = LastOutput();
  if (activations_.normed.rows == 0) return x;
  const Matrix<float> normed = activations_.normed.Rows(0, rows());
  NormForward(model_->config().norm, x, NormOf(model_->tensors(), kNormWeight, kNormBias, -1),
              normed, Cut(activations_.norm, rows()));
  return normed;
}

void Transformer::Logits(Matrix<float> logits) {
  const ConstMatrix x =
      activations_.normed.rows == 0 ? LastOutput() : activations_.normed.Rows(0, rows());
  HeadLogits(x, HeadOf(model_->config(), model_->tensors()), logits, activations_.scratch);
}

LossSum Transformer::Loss(Span<const int32_t> targets, Span<float> losses,
                          Span<int32_t> likeliest) {
  const ConstMatrix x =
      activations_.normed.rows == 0 ? LastOutput() : activations_.normed.Rows(0, rows());
  return HeadLossForward(x, HeadOf(model_->config(), model_->tensors()), targets, losses,
                         activations_.scratch, likeliest);
}

void Transformer::NormInputGradient(Matrix<float> gradient, ConstMatrix input,
                                    const NormSaved& saved, TensorRole weight, TensorRole bias,
                                    int32_t layer, const ModelTensors<float>& gradients) const {
  NormBackward(model_->config().norm, gradient, input,
               NormOf(model_->tensors(), weight, bias, layer), saved, gradient,
               NormOf(gradients, weight, bias, layer));
}

LossSum Transformer::LossForwardBackward(Span<const int32_t> targets, float scale,
                                         const ModelTensors<float>& gradients, float smoothing) {
  const ModelConfig& config = model_->config();
  const ConstMatrix x = FinalNorm();
  const Matrix<float> d_stream = activations_.backward.d_stream.Rows(0, rows());
  const LossSum loss =
      HeadLossForwardBackward(x, HeadOf(config, model_->tensors()), targets, scale, d_stream,
                              HeadOf(config, gradients), activations_.scratch, smoothing);
  if (activations_.normed.rows > 0) {
    NormInputGradient(d_stream, LastOutput(), Cut(activations_.norm, rows()), kNormWeight,
                      kNormBias, -1, gradients);
  }
  return loss;
}

ConstMatrix Transformer::BranchGradient(uint32_t site) const {
  const Matrix<float> d_stream = activations_.backward.d_stream.Rows(0, rows());
  const DropoutSite dropout = dropout_site(site);
  if (!dropout.active()) return d_stream;
  const Matrix<float> dropped = activations_.backward.d_dropped.Rows(0, rows());
  Scale(d_stream.Flat(), 1.0f, dropped.Flat());
  ApplyDropout(dropout, 0, dropped);
  return dropped;
}

void Transformer::BlockBackward(size_t layer, const ModelTensors<float>& gradients) {
  const ModelConfig& config = model_->config();
  const ModelTensors<const float> weights = model_->tensors();
  const auto l = static_cast<int32_t>(layer);
  const bool norms = config.norm != NormKind::kNone;
  const bool pre = norms && config.norm_position == NormPosition::kPre;
  const bool post = norms && !pre;
  const BlockActivations block = Block(layer);
  const BackwardBuffers& buffers = activations_.backward;
  const Span<float> scratch = activations_.scratch;
  const Matrix<float> x = BlockInput(layer);
  const Matrix<float> d_stream = buffers.d_stream.Rows(0, rows());
  const Matrix<float> d_branch = buffers.d_branch.Rows(0, rows());

  if (config.ffn > 0) {
    const Matrix<float> middle = post ? block.normed1 : block.sum1;
    if (post) {
      NormInputGradient(d_stream, block.sum2, block.norm2, kNorm2Weight, kNorm2Bias, l, gradients);
    }
    // sum2 = middle + dropout(ffn(normed2 or middle))
    FeedForwardBackward(ShapeOf(config), BranchGradient(FeedForwardSite(layer)),
                        pre ? block.normed2 : middle, FeedForwardOf(weights, l), block.ffn,
                        Cut(buffers.d_ffn, rows()), d_branch, FeedForwardOf(gradients, l), scratch);
    if (pre) {
      NormInputGradient(d_branch, middle, block.norm2, kNorm2Weight, kNorm2Bias, l, gradients);
    }
    AddTo(d_branch.Flat(), d_stream.Flat());
  }

  if (post) {
    NormInputGradient(d_stream, block.sum1, block.norm1, kNorm1Weight, kNorm1Bias, l, gradients);
  }
  // sum1 = x + dropout(attention(normed1 or x))
  AttentionLayerBackward(attention_shape(), BranchGradient(AttentionSite(layer)),
                         pre ? block.normed1 : x, AttentionOf(weights, l),
                         attention_dropout(layer), block.attention,
                         Cut(buffers.d_attention, rows()), d_branch, AttentionOf(gradients, l),
                         scratch);
  if (pre) {
    NormInputGradient(d_branch, x, block.norm1, kNorm1Weight, kNorm1Bias, l, gradients);
  }
  AddTo(d_branch.Flat(), d_stream.Flat());
}

void Transformer::EmbedBackward(const ModelTensors<float>& gradients) {
  const Matrix<float> d_x = activations_.backward.d_stream.Rows(0, rows());
  const DropoutSite site = dropout_site(kEmbeddingSite);
  if (site.active()) ApplyDropout(site, 0, d_x);
  EmbeddingLayerBackward(tokens_, time_, d_x, gradients.matrix(kEmbed),
                         gradients.matrix(kPositions));
}

void Transformer::Forward(Span<const int32_t> tokens, size_t batch, size_t time,
                          const PassDropout& dropout) {
  Embed(tokens, batch, time, dropout);
  for (size_t layer = 0; layer < model_->config().layers; ++layer) BlockForward(layer);
  FinalNorm();
}

}  // namespace heed
