// SPDX-License-Identifier: MIT
// A trace's memory, checks and weights; its passes are in trace_forward.cc and trace_backward.cc.
#include "explain/trace.h"

#include <algorithm>
#include <cmath>
#include <new>

#include "kernels/reduce.h"
#include "kernels/rope.h"
#include "layers/embedding.h"
#include "layers/head.h"
#include "layers/row_blocks.h"
#include "model/activations.h"
#include "model/attention_shape.h"

namespace heed {
namespace {

Status CheckTargets(const Model& model, Span<const int32_t> tokens, Span<const int32_t> targets) {
  if (targets.size != tokens.size) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "there are %zu targets for %zu tokens; give one for each, -1 where none "
                         "counts",
                         targets.size, tokens.size);
  }
  const auto vocab = static_cast<int32_t>(model.config().vocab);
  for (size_t i = 0; i < targets.size; ++i) {
    if (targets[i] < -1 || targets[i] >= vocab) {
      return Status::Error(StatusCode::kBadData,
                           "target %d at position %zu is neither -1 nor in the vocabulary (0 to "
                           "%d); encode the text with the model's own tokenizer",
                           targets[i], i, vocab - 1);
    }
  }
  return Status();
}

NormSaved PlanNorm(NormKind kind, uint64_t rows, Planner* planner) {
  NormSaved saved;
  if (kind == NormKind::kLayer) saved.mean = planner->Floats(rows);
  if (kind != NormKind::kNone) saved.rstd = planner->Floats(rows);
  return saved;
}

}  // namespace

Result<std::unique_ptr<Trace>> Trace::Create(const Model& model, Span<const int32_t> tokens,
                                             Span<const int32_t> targets,
                                             Span<const WhatIf> what_ifs, bool gradients) {
  HEED_RETURN_IF_ERROR(model.CheckTokens(tokens));
  HEED_RETURN_IF_ERROR(CheckTargets(model, tokens, targets));
  HEED_RETURN_IF_ERROR(CheckWhatIfs(model, tokens.size, what_ifs));
  std::unique_ptr<Trace> trace(new (std::nothrow) Trace());
  if (trace == nullptr) {
    return Status::Error(StatusCode::kOutOfMemory, "the trace: no memory left; dispose something");
  }
  Result<std::unique_ptr<Model>> copy = Model::Create(model.config());
  if (!copy.ok()) return copy.status();
  trace->model_ = std::move(*copy);
  std::copy(model.parameters().begin(), model.parameters().end(),
            trace->model_->mutable_parameters().begin());
  trace->has_gradients_ = gradients;
  HEED_RETURN_IF_ERROR(trace->Allocate(tokens.size, what_ifs.size));
  std::copy(tokens.begin(), tokens.end(), trace->tokens_.begin());
  std::copy(targets.begin(), targets.end(), trace->targets_.begin());
  std::copy(what_ifs.begin(), what_ifs.end(), trace->what_ifs_.begin());
  trace->SetWeights(what_ifs);
  trace->Forward(what_ifs);
  if (gradients) trace->Backward(what_ifs);
  if (!trace->AllValuesFinite()) {
    return Status::Error(StatusCode::kNonFinite,
                         "the trace: a value is not finite; a weight is, or a product leaves the "
                         "range of 32-bit floats. Load weights that are finite, or change less");
  }
  return trace;
}

void Trace::Plan(size_t time, size_t what_ifs, Planner* values, Planner* gradients,
                 Planner* work) {
  const ModelConfig& config = model_->config();
  values_ = PlanTraceMatrices(config, time, false, values, work);
  if (has_gradients_) {
    parameter_gradients_ = gradients->Floats(model_->table().floats());
    gradients_ = PlanTraceMatrices(config, time, true, gradients, work);
  }
  tokens_ = work->Take<int32_t>(time);
  targets_ = work->Take<int32_t>(time);
  what_ifs_ = work->Take<WhatIf>(what_ifs + 1);
  saved_ = work->Take<LayerSaved>(config.layers);
  const bool post = config.norm != NormKind::kNone && config.norm_position == NormPosition::kPost;
  for (uint32_t layer = 0; layer < config.layers; ++layer) {
    LayerSaved saved;
    saved.norm1 = PlanNorm(config.norm, time, work);
    saved.norm2 = PlanNorm(config.norm, time, work);
    if (post) saved.sum1 = work->Floats(time, config.width);
    if (post) saved.sum2 = work->Floats(time, config.width);
    saved.softmax = work->Floats(CheckedMul(config.heads, time), time);
    saved.query_key_norm = PlanQueryKeyNorm(config, time, work);
    if (!work->measuring()) saved_[layer] = saved;
  }
  norm_ = PlanNorm(config.norm, time, work);
  for (Matrix<float>& matrix : work_) matrix = work->Floats(time, config.width);
  if (config.position == PositionKind::kRope) {
    rope_cosines_ = work->Floats(time, config.head_width / 2);
    rope_sines_ = work->Floats(time, config.head_width / 2);
  } else if (config.position == PositionKind::kSinusoidal) {
    sinusoids_ = work->Floats(time, config.width);
  }
  buffers_ = PlanTracedAttention(config, time, work);
  uint64_t scratch = std::max({HeadScratchFloats(time, config.width, config.vocab),
                               PlannedPackedFloats(config.vocab, config.width),
                               PlannedPackedFloats(time, config.width),
                               TracedAttentionScratchFloats(config, time)});
  if (config.ffn > 0) {
    scratch = std::max({scratch, LinearScratchFloats(time, config.width, config.ffn),
                        LinearScratchFloats(time, config.ffn, config.width)});
  }
  buffers_.scratch = work->Floats(scratch);
}

Status Trace::Allocate(size_t time, size_t what_ifs) {
  Planner values, gradients, work;
  Plan(time, what_ifs, &values, &gradients, &work);
  HEED_RETURN_IF_ERROR(value_arena_.Allocate(values.bytes(), "the values of a trace"));
  HEED_RETURN_IF_ERROR(gradient_arena_.Allocate(gradients.bytes(), "the gradients of a trace"));
  HEED_RETURN_IF_ERROR(work_arena_.Allocate(work.bytes(), "the work memory of a trace"));
  Planner plan_values(&value_arena_), plan_gradients(&gradient_arena_), plan_work(&work_arena_);
  Plan(time, what_ifs, &plan_values, &plan_gradients, &plan_work);
  if (rope_cosines_.rows > 0) FillRopeTables(model_->config().rope_base, rope_cosines_, rope_sines_);
  if (sinusoids_.rows > 0) FillSinusoidalPositions(sinusoids_);
  return Status();
}

void Trace::SetWeights(Span<const WhatIf> what_ifs) {
  const ModelTensors<float> weights{&model_->table(), model_->mutable_parameters()};
  for (const WhatIf& w : what_ifs) {
    if (w.kind != WhatIfKind::kWeight) continue;
    weights.At(model_->table().entries()[w.layer])(w.row, w.column) = w.value;
  }
}

AttentionShape Trace::attention_shape() const {
  AttentionShape shape = AttentionShapeOf(model_->config());
  shape.batch = 1;
  shape.time = time();
  shape.rope = {model_->config().rope_layout, rope_cosines_, rope_sines_};
  return shape;
}

Matrix<float> Trace::Output(const TraceMatrices& matrices, size_t layer) const {
  return layer + 1 < model_->config().layers ? matrices.layers[layer + 1].r : matrices.last;
}

bool Trace::AllValuesFinite() const {
  bool finite = true;
  ForEachTraceMatrix(model_->config(), time(),
                     [&](const TraceMatrixInfo& info, Matrix<float> TraceMatrices::* of_model,
                         Matrix<float> TraceLayer::* of_layer) {
                       const auto check = [&](const TraceMatrices& matrices) {
                         const Matrix<float>& m =
                             of_model != nullptr
                                 ? matrices.*of_model
                                 : matrices.layers[static_cast<size_t>(info.layer)].*of_layer;
                         finite = finite && AllFinite(m.Flat());
                       };
                       check(values_);
                       if (has_gradients_ && info.has_gradient) check(gradients_);
                     });
  return finite && (!has_gradients_ || AllFinite(parameter_gradients_));
}

}  // namespace heed
