// SPDX-License-Identifier: MIT
// Every value of one example's pass, nothing aliased, and where it lies. A second set of the same
// matrices holds the gradients.
#ifndef HEED_EXPLAIN_TRACE_MATRICES_H_
#define HEED_EXPLAIN_TRACE_MATRICES_H_

#include <cstddef>
#include <cstdint>

#include "base/span.h"
#include "model/config.h"
#include "model/plan.h"

namespace heed {

// How the heads lie in a matrix of a layer.
enum class HeadLayout : uint8_t {
  kNone,        // no heads
  kColumns,     // head h has columns h D ..
  kKeyColumns,  // key head h / (H / Hk) has columns
  kRows,        // head h has rows h T ..
};

struct TraceLayer {
  Matrix<float> r;           // (T, C) residual stream coming in
  Matrix<float> x;           // (T, C) input of the projections
  Matrix<float> q;           // (T, H D) turned by RoPE; absent with uniform attention, as k and s
  Matrix<float> k;           // (T, Hk D)
  Matrix<float> v;           // (T, Hk D)
  Matrix<float> s;           // (H T, T) scaled scores before the mask
  Matrix<float> a;           // (H T, T) weights
  Matrix<float> c;           // (T, H D) mixed values
  Matrix<float> o;           // (H T, C) a head's part of y
  Matrix<float> y;           // (T, C) attention's output
  Matrix<float> m;           // (T, C) stream after attention
  Matrix<float> u;           // (T, C) input of the feed-forward layer, absent without one, as below
  Matrix<float> ffn_in;      // (T, F)
  Matrix<float> ffn_gate;    // (T, F) gated only
  Matrix<float> ffn_hidden;  // (T, F)
  Matrix<float> z;           // (T, C) output of the feed-forward layer
};

struct TraceMatrices {
  Matrix<float> e;       // (T, C) embedding rows
  Matrix<float> p;       // (T, C) position rows, absent without positions
  Span<TraceLayer> layers;
  Matrix<float> last;    // (T, C) stream after all layers
  Matrix<float> n;       // (T, C) what the head reads
  Matrix<float> logits;  // (T, V)
  Matrix<float> probs;   // (T, V)
  Matrix<float> loss;    // (T, 1)
};

struct TraceMatrixInfo {
  const char* name;
  int32_t layer;  // -1: of the model
  uint64_t rows;
  uint64_t cols;
  HeadLayout heads;
  bool has_gradient;
};

// visit(const TraceMatrixInfo&, Matrix<float> TraceMatrices::*, Matrix<float> TraceLayer::*) for every
// matrix there is, one of the two member pointers null. Order is that of the forward pass.
template <typename Visitor>
void ForEachTraceMatrix(const ModelConfig& c, uint64_t time, Visitor&& visit) {
  const uint64_t width = c.width, queries = uint64_t{c.heads} * c.head_width;
  const uint64_t keys = uint64_t{c.kv_heads} * c.head_width, maps = CheckedMul(c.heads, time);
  const auto of_model = [&](const char* name, Matrix<float> TraceMatrices::* member, uint64_t cols,
                            bool has_gradient = true) {
    visit(TraceMatrixInfo{name, -1, time, cols, HeadLayout::kNone, has_gradient}, member, nullptr);
  };
  of_model("E", &TraceMatrices::e, width);
  if (c.position == PositionKind::kLearned || c.position == PositionKind::kSinusoidal) {
    of_model("P", &TraceMatrices::p, width, c.position == PositionKind::kLearned);
  }
  for (int32_t layer = 0; layer < static_cast<int32_t>(c.layers); ++layer) {
    const auto of_layer = [&](const char* name, Matrix<float> TraceLayer::* member, uint64_t rows,
                              uint64_t cols, HeadLayout heads = HeadLayout::kNone) {
      visit(TraceMatrixInfo{name, layer, rows, cols, heads, true}, nullptr, member);
    };
    of_layer("R", &TraceLayer::r, time, width);
    of_layer("X", &TraceLayer::x, time, width);
    if (!c.uniform_attention) {
      of_layer("Q", &TraceLayer::q, time, queries, HeadLayout::kColumns);
      of_layer("K", &TraceLayer::k, time, keys, HeadLayout::kKeyColumns);
    }
    of_layer("V", &TraceLayer::v, time, keys, HeadLayout::kKeyColumns);
    if (!c.uniform_attention) of_layer("S", &TraceLayer::s, maps, time, HeadLayout::kRows);
    of_layer("A", &TraceLayer::a, maps, time, HeadLayout::kRows);
    of_layer("C", &TraceLayer::c, time, queries, HeadLayout::kColumns);
    of_layer("O", &TraceLayer::o, maps, width, HeadLayout::kRows);
    of_layer("Y", &TraceLayer::y, time, width);
    of_layer("M", &TraceLayer::m, time, width);
    if (c.ffn == 0) continue;
    of_layer("U", &TraceLayer::u, time, width);
    of_layer("ffnIn", &TraceLayer::ffn_in, time, c.ffn);
    if (c.gated()) of_layer("ffnGate", &TraceLayer::ffn_gate, time, c.ffn);
    of_layer("ffnHidden", &TraceLayer::ffn_hidden, time, c.ffn);
    of_layer("Z", &TraceLayer::z, time, width);
  }
  of_model("last", &TraceMatrices::last, width);
  of_model("N", &TraceMatrices::n, width);
  of_model("logits", &TraceMatrices::logits, c.vocab);
  of_model("probs", &TraceMatrices::probs, c.vocab, false);
  of_model("loss", &TraceMatrices::loss, 1, false);
}

// Lays out the matrices, those with a gradient only for the set of gradients; `views` holds the
// list of layers, so that `planner` has nothing but floats.
TraceMatrices PlanTraceMatrices(const ModelConfig& config, uint64_t time, bool gradients,
                                Planner* planner, Planner* views);

}  // namespace heed

#endif  // HEED_EXPLAIN_TRACE_MATRICES_H_
