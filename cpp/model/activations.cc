// SPDX-License-Identifier: MIT
#include "model/activations.h"

#include <algorithm>

#include "layers/head.h"

namespace heed {
namespace {

NormSaved PlanNorm(NormKind kind, uint64_t rows, Planner* planner) {
  NormSaved saved;
  if (kind == NormKind::kLayer) saved.mean = planner->Floats(rows);
  if (kind != NormKind::kNone) saved.rstd = planner->Floats(rows);
  return saved;
}

AttentionSaved PlanAttention(const ModelConfig& c, uint64_t rows, Planner* planner) {
  AttentionSaved saved;
  saved.q = planner->Floats(rows, uint64_t{c.heads} * c.head_width);
  saved.k = planner->Floats(rows, uint64_t{c.kv_heads} * c.head_width);
  saved.v = planner->Floats(rows, uint64_t{c.kv_heads} * c.head_width);
  saved.mixed = planner->Floats(rows, uint64_t{c.heads} * c.head_width);
  return saved;
}

BlockActivations PlanBlock(const ModelConfig& c, uint64_t rows, Planner* planner) {
  const bool norms = c.norm != NormKind::kNone;
  BlockActivations block;
  if (norms) block.normed1 = planner->Floats(rows, c.width);
  block.norm1 = PlanNorm(c.norm, rows, planner);
  block.attention = PlanAttention(c, rows, planner);
  block.attention.lse = planner->Floats(CheckedMul(rows, c.heads));
  block.attention.norm = PlanQueryKeyNorm(c, rows, planner);
  block.sum1 = planner->Floats(rows, c.width);
  if (c.ffn > 0) {
    if (norms) block.normed2 = planner->Floats(rows, c.width);
    block.norm2 = PlanNorm(c.norm, rows, planner);
    block.ffn.in = planner->Floats(rows, c.ffn);
    if (c.gated()) block.ffn.gate = planner->Floats(rows, c.ffn);
    block.ffn.hidden = planner->Floats(rows, c.ffn);
    block.sum2 = planner->Floats(rows, c.width);
  }
  const bool post = c.norm_position == NormPosition::kPost && norms;
  block.output = c.ffn > 0 ? (post ? block.normed2 : block.sum2)
                           : (post ? block.normed1 : block.sum1);
  return block;
}

BackwardBuffers PlanBackward(const ModelConfig& c, uint64_t rows, Planner* planner) {
  BackwardBuffers buffers;
  buffers.d_stream = planner->Floats(rows, c.width);
  buffers.d_branch = planner->Floats(rows, c.width);
  if (c.dropout > 0.0f) buffers.d_dropped = planner->Floats(rows, c.width);
  buffers.d_attention = PlanAttention(c, rows, planner);
  if (c.ffn > 0) {
    buffers.d_ffn.in = planner->Floats(rows, c.ffn);
    if (c.gated()) buffers.d_ffn.gate = planner->Floats(rows, c.ffn);
    // ActivationBackward and GatedBackward may work in place.
    buffers.d_ffn.hidden = buffers.d_ffn.in;
  }
  return buffers;
}

uint64_t ScratchFloats(const ModelConfig& c, uint64_t batch, uint64_t time) {
  const uint64_t rows = CheckedMul(batch, time);
  uint64_t floats = std::max(AttentionLayerScratchFloats(batch, time, c.width, c.heads, c.kv_heads,
                                                         c.head_width),
                             HeadScratchFloats(rows, c.width, c.vocab));
  if (c.ffn > 0) {
    floats = std::max({floats, LinearScratchFloats(rows, c.width, c.ffn),
                       LinearScratchFloats(rows, c.ffn, c.width)});
  }
  return floats;
}

}  // namespace

QueryKeyNormSaved PlanQueryKeyNorm(const ModelConfig& c, uint64_t rows, Planner* planner) {
  QueryKeyNormSaved saved;
  if (!c.qk_norm) return saved;
  saved.q = planner->Floats(rows, uint64_t{c.heads} * c.head_width);
  saved.k = planner->Floats(rows, uint64_t{c.kv_heads} * c.head_width);
  saved.q_rstd = planner->Floats(CheckedMul(rows, c.heads));
  saved.k_rstd = planner->Floats(CheckedMul(rows, c.kv_heads));
  return saved;
}

Activations PlanActivations(const ModelConfig& c, uint64_t batch, uint64_t time, PassKind kind,
                            Planner* planner) {
  const uint64_t rows = CheckedMul(batch, time);
  const uint64_t sets = kind == PassKind::kTraining ? c.layers : std::min(c.layers, 2u);
  Activations a;
  a.embedded = planner->Floats(rows, c.width);
  a.blocks = planner->Take<BlockActivations>(sets);
  for (uint64_t i = 0; i < sets; ++i) {
    const BlockActivations block = PlanBlock(c, rows, planner);
    if (!planner->measuring()) a.blocks[i] = block;
  }
  if (c.norm != NormKind::kNone && c.norm_position == NormPosition::kPre) {
    a.normed = planner->Floats(rows, c.width);
    a.norm = PlanNorm(c.norm, rows, planner);
  }
  if (kind == PassKind::kTraining) a.backward = PlanBackward(c, rows, planner);
  a.scratch = planner->Floats(ScratchFloats(c, batch, time));
  return a;
}

}  // namespace heed
