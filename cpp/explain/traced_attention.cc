// SPDX-License-Identifier: MIT
#include "explain/traced_attention.h"

#include <algorithm>

#include "base/matrix_copies.h"
#include "explain/softmax_rows.h"
#include "explain/traced_scores.h"
#include "kernels/elementwise.h"
#include "kernels/gemm.h"
#include "layers/row_blocks.h"

namespace heed {
namespace {

// One head's views of a layer's matrices, values or gradients.
struct HeadViews {
  Matrix<float> q, k, v, s, a, c, o;
};

HeadViews ViewsOf(const TraceLayer& layer, const AttentionShape& shape, size_t head) {
  const size_t width = shape.head_width, time = shape.time;
  const size_t key_head = head / (shape.heads / shape.kv_heads);
  const auto columns = [&](const Matrix<float>& m, size_t h) {
    return m.data == nullptr ? Matrix<float>() : m.Cols(h * width, width);
  };
  const auto rows = [&](const Matrix<float>& m) {
    return m.data == nullptr ? Matrix<float>() : m.Rows(head * time, time);
  };
  return {columns(layer.q, head), columns(layer.k, key_head), columns(layer.v, key_head),
          rows(layer.s),          rows(layer.a),              columns(layer.c, head),
          rows(layer.o)};
}

// What a head's scores are multiplied by: the model's scale and the what-ifs'.
float ScaleOf(const TracedAttention& pass, const HeadWhatIfs& what_ifs) {
  float scale = pass.shape.scale;
  what_ifs.Each(WhatIfKind::kScale, [&](const WhatIf& w) { scale *= w.value; });
  return scale;
}

bool IsCausal(const TracedAttention& pass, const HeadWhatIfs& what_ifs) {
  bool causal = pass.shape.causal;
  what_ifs.Each(WhatIfKind::kMask, [&](const WhatIf& w) { causal = w.value != 0.0f; });
  return causal;
}

// A what-if without a mask lifts the window too.
bool IsVisible(const TracedAttention& pass, bool causal, size_t i, size_t j) {
  const size_t window = pass.shape.window;
  return !causal || (j <= i && (window == 0 || j + window > i));
}

void Scores(const TracedAttention& pass, const HeadWhatIfs& what_ifs, const HeadViews& head,
            size_t h) {
  if (head.s.data == nullptr) return;
  Gemm(head.q, Transpose::kNo, head.k, Transpose::kYes, head.s, GemmOptions(),
       pass.buffers.scratch);
  ScoresFromProducts(pass.shape, h, ScaleOf(pass, what_ifs), head.s);
  what_ifs.Each(WhatIfKind::kScore, [&](const WhatIf& w) { head.s(w.row, w.column) = w.value; });
  what_ifs.Each(WhatIfKind::kAddToScore,
                [&](const WhatIf& w) { head.s(w.row, w.column) += w.value; });
}

void Weights(const TracedAttention& pass, const HeadWhatIfs& what_ifs, const HeadViews& head,
             Matrix<float> softmax) {
  const bool causal = IsCausal(pass, what_ifs);
  const Span<uint8_t> visible = pass.buffers.visible;
  for (size_t i = 0; i < softmax.rows; ++i) {
    for (size_t j = 0; j < visible.size; ++j) visible[j] = IsVisible(pass, causal, i, j) ? 1 : 0;
    what_ifs.Each(WhatIfKind::kCutEdgeRenormalised, [&](const WhatIf& w) {
      if (w.row == i) visible[w.column] = 0;
    });
    const ConstSpan scores = head.s.data == nullptr ? ConstSpan() : ConstSpan(head.s.RowSpan(i));
    MaskedSoftmax(scores, visible, pass.buffers.row, softmax.RowSpan(i));
  }
  Copy(softmax, head.a);
  what_ifs.Each(WhatIfKind::kCutEdge, [&](const WhatIf& w) { head.a(w.row, w.column) = 0.0f; });
}

// The head's output for all rows becomes its mean over them.
void SpreadMean(Matrix<float> m) {
  for (size_t c = 0; c < m.cols; ++c) {
    double sum = 0.0;
    for (size_t i = 0; i < m.rows; ++i) sum += m(i, c);
    const auto mean = static_cast<float>(sum / static_cast<double>(m.rows));
    for (size_t i = 0; i < m.rows; ++i) m(i, c) = mean;
  }
}

void OutputOfHead(const TracedAttention& pass, const HeadViews& head, size_t h) {
  const size_t width = pass.shape.head_width;
  const ConstMatrix weight = pass.params.output.weight;
  if (weight.data != nullptr) {
    Gemm(head.c, Transpose::kNo, weight.Rows(h * width, width), Transpose::kNo, head.o,
         GemmOptions(), pass.buffers.scratch);
  } else {
    Zero(head.o);
    Copy(head.c, head.o.Cols(h * width, width));
  }
}

void ForwardHead(const TracedAttention& pass, const TraceLayer& values, size_t h) {
  const HeadWhatIfs what_ifs(pass.what_ifs, pass.layer, h);
  const HeadViews head = ViewsOf(values, pass.shape, h);
  Scores(pass, what_ifs, head, h);
  Weights(pass, what_ifs, head, pass.buffers.softmax.Rows(h * pass.shape.time, pass.shape.time));
  Gemm(head.a, Transpose::kNo, head.v, Transpose::kNo, head.c, GemmOptions(),
       pass.buffers.scratch);
  if (what_ifs.Has(WhatIfKind::kHeadZero)) Zero(head.c);
  if (what_ifs.Has(WhatIfKind::kHeadMean)) SpreadMean(head.c);
  OutputOfHead(pass, head, h);
}

void SetVectors(const TracedAttention& pass, WhatIfKind kind, const TraceLayer& values) {
  for (size_t h = 0; h < pass.shape.heads; ++h) {
    const HeadViews head = ViewsOf(values, pass.shape, h);
    const Matrix<float> m = kind == WhatIfKind::kQuery ? head.q
                            : kind == WhatIfKind::kKey ? head.k
                                                       : head.v;
    HeadWhatIfs(pass.what_ifs, pass.layer, h).Each(kind, [&](const WhatIf& w) {
      m(w.row, w.column) = w.value;
    });
  }
}

// Gradient of the scores from that of the weights, and `flow_s`, which goes on to q and k.
void ScoreGradients(const TracedAttention& pass, const HeadWhatIfs& what_ifs,
                    const HeadViews& d_head, ConstMatrix softmax) {
  const Matrix<float> flow = pass.buffers.flow_s;
  Copy(d_head.a, flow);
  what_ifs.Each(WhatIfKind::kCutEdge, [&](const WhatIf& w) { flow(w.row, w.column) = 0.0f; });
  SoftmaxRowsBackward(softmax, flow);
  Copy(flow, d_head.s);
  what_ifs.Each(WhatIfKind::kScore, [&](const WhatIf& w) { flow(w.row, w.column) = 0.0f; });
}

void BackwardHead(const TracedAttention& pass, const TraceLayer& values,
                  const TraceLayer& gradients, size_t h) {
  const size_t time = pass.shape.time;
  const HeadWhatIfs what_ifs(pass.what_ifs, pass.layer, h);
  const HeadViews head = ViewsOf(values, pass.shape, h), d_head = ViewsOf(gradients, pass.shape, h);
  const Span<float> scratch = pass.buffers.scratch;
  Copy(gradients.y, d_head.o);

  const Matrix<float> flow_c = pass.buffers.flow_c;
  Copy(d_head.c, flow_c);
  if (what_ifs.Has(WhatIfKind::kHeadMean)) SpreadMean(flow_c);
  if (what_ifs.Has(WhatIfKind::kHeadZero)) Zero(flow_c);

  GemmOptions add;
  add.accumulate = true;
  // c = a v
  Gemm(head.a, Transpose::kYes, flow_c, Transpose::kNo, d_head.v, add, scratch);
  Gemm(flow_c, Transpose::kNo, head.v, Transpose::kYes, d_head.a, GemmOptions(), scratch);
  const ConstMatrix softmax = pass.buffers.softmax.Rows(h * time, time);
  const bool causal = IsCausal(pass, what_ifs);
  for (size_t i = 0; causal && i < time; ++i) {
    for (size_t j = 0; j < time; ++j) {
      if (!IsVisible(pass, causal, i, j)) d_head.a(i, j) = 0.0f;
    }
  }
  if (head.s.data == nullptr) return;
  ScoreGradients(pass, what_ifs, d_head, softmax);
  const Matrix<float> flow_s = pass.buffers.flow_s;
  ScoresBackward(pass.shape, ScaleOf(pass, what_ifs), head.q, head.k, flow_s);
  Gemm(flow_s, Transpose::kNo, head.k, Transpose::kNo, d_head.q, GemmOptions(), scratch);
  Gemm(flow_s, Transpose::kYes, head.q, Transpose::kNo, d_head.k, add, scratch);
}

}  // namespace

TracedAttentionBuffers PlanTracedAttention(const ModelConfig& c, uint64_t time, Planner* planner) {
  const uint64_t queries = uint64_t{c.heads} * c.head_width;
  const uint64_t keys = uint64_t{c.kv_heads} * c.head_width;
  TracedAttentionBuffers buffers;
  buffers.flow_q = planner->Floats(time, queries);
  buffers.flow_k = planner->Floats(time, keys);
  buffers.flow_v = planner->Floats(time, keys);
  buffers.flow_c = planner->Floats(time, c.head_width);
  buffers.flow_s = planner->Floats(time, time);
  buffers.row = planner->Floats(time);
  buffers.visible = planner->Take<uint8_t>(time);
  return buffers;
}

uint64_t TracedAttentionScratchFloats(const ModelConfig& c, uint64_t time) {
  const uint64_t queries = uint64_t{c.heads} * c.head_width;
  const uint64_t keys = uint64_t{c.kv_heads} * c.head_width;
  // The largest right operands: W_O of a head, k and v of a head, the projections.
  return std::max({PlannedPackedFloats(c.head_width, c.width),
                   PlannedPackedFloats(c.head_width, time),
                   PlannedPackedFloats(time, c.head_width),
                   LinearScratchFloats(time, c.width, queries),
                   LinearScratchFloats(time, c.width, keys),
                   LinearScratchFloats(time, queries, c.width)});
}

void TracedAttentionForward(const TracedAttention& pass, const TraceLayer& values) {
  const TracedAttentionBuffers& buffers = pass.buffers;
  // Without queries and keys the buffers stand in for them.
  const bool scores = values.q.data != nullptr;
  const Matrix<float> q = scores ? values.q : buffers.flow_q;
  const Matrix<float> k = scores ? values.k : buffers.flow_k;
  const bool norm = pass.params.norm.active();
  ProjectToHeads(values.x, pass.params, norm ? buffers.norm.q : q, norm ? buffers.norm.k : k,
                 values.v, buffers.scratch);
  if (scores) {
    if (norm) QueryKeyNormForward(pass.params.norm, pass.shape.head_width, buffers.norm, q, k);
    RotateQueriesKeys(pass.shape, RopeDirection::kForward, q, k);
    SetVectors(pass, WhatIfKind::kQuery, values);
    SetVectors(pass, WhatIfKind::kKey, values);
  }
  SetVectors(pass, WhatIfKind::kValue, values);
  for (size_t h = 0; h < pass.shape.heads; ++h) ForwardHead(pass, values, h);
  ProjectFromHeads(values.c, pass.params.output, values.y, buffers.scratch);
}

void TracedAttentionBackward(const TracedAttention& pass, const TraceLayer& values,
                             const TraceLayer& gradients, const AttentionParams<float>& d_params) {
  const TracedAttentionBuffers& buffers = pass.buffers;
  ProjectFromHeadsBackward(gradients.y, values.c, pass.params.output, gradients.c, d_params.output,
                           buffers.scratch);
  Zero(gradients.v);
  if (gradients.k.data != nullptr) Zero(gradients.k);
  for (size_t h = 0; h < pass.shape.heads; ++h) BackwardHead(pass, values, gradients, h);

  // On to the projections go copies: fixed components stop there, and RoPE turns the rest back.
  TraceLayer flow;
  flow.v = buffers.flow_v;
  Copy(gradients.v, flow.v);
  const auto stop = [&](WhatIfKind kind, const Matrix<float>& m, bool keys) {
    for (const WhatIf& w : pass.what_ifs) {
      if (w.kind != kind || w.layer != pass.layer) continue;
      const size_t head = keys ? w.head / (pass.shape.heads / pass.shape.kv_heads) : w.head;
      m(w.row, head * pass.shape.head_width + w.column) = 0.0f;
    }
  };
  stop(WhatIfKind::kValue, flow.v, true);
  if (gradients.q.data != nullptr) {
    flow.q = buffers.flow_q;
    flow.k = buffers.flow_k;
    Copy(gradients.q, flow.q);
    Copy(gradients.k, flow.k);
    stop(WhatIfKind::kQuery, flow.q, false);
    stop(WhatIfKind::kKey, flow.k, true);
    RotateQueriesKeys(pass.shape, RopeDirection::kBackward, flow.q, flow.k);
    if (pass.params.norm.active()) {
      QueryKeyNormBackward(pass.params.norm, pass.shape.head_width, buffers.norm, flow.q, flow.k,
                           d_params.norm);
    }
  }
  ProjectToHeadsBackward(values.x, pass.params, flow.q, flow.k, flow.v, gradients.x, d_params,
                         buffers.scratch);
}

}  // namespace heed
