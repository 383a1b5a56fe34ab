// SPDX-License-Identifier: MIT
#include "explain/contributions.h"

#include <algorithm>
#include <cmath>

#include "base/matrix_copies.h"
#include "explain/traced_scores.h"
#include "kernels/reduce.h"
#include "kernels/rope.h"
#include "model/parameter_views.h"

namespace heed {
namespace {

// A pair's part of the gradient is weight_ij left (x) right, with rows of these two matrices.
struct OuterProducts {
  ConstMatrix weights;  // (T, T)
  ConstMatrix q, k;     // (T, D): a score's weight is multiplied by its slope; empty otherwise
  ConstMatrix left;   // (T, C): x
  ConstMatrix right;  // (T, D): k, q or g
  bool left_by_row;   // left is x_i (queries) or x_j
  bool rotated;       // right is turned back by the position of `left`
  // With a norm of queries and keys, right goes back through that of left's row.
  ConstMatrix raw;     // (T, D) the head's rows before the norm; empty without one
  ConstSpan rstd;      // (T heads)
  size_t head, heads;  // a row t has its deviation at t heads + head
  ConstSpan weight;    // (D)
};

Status CheckProjection(const Trace& trace, Projection projection, size_t layer, size_t head) {
  const ModelConfig& config = trace.model().config();
  if (!trace.has_gradients()) {
    return Status::Error(StatusCode::kBadState,
                         "the trace has no gradients; make it with gradients to ask who made them");
  }
  if (layer >= config.layers || head >= config.heads) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "layer %zu, head %zu: the model has %u layers of %u heads, counted from 0",
                         layer, head, config.layers, config.heads);
  }
  if (projection == Projection::kValue && config.value == ValueKind::kIdentity) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "the model has no W_V (value is identity); ask for W_Q or W_K");
  }
  if (projection != Projection::kValue && config.uniform_attention) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "the model has no W_Q and W_K (uniformAttention); ask for W_V");
  }
  return Status();
}

OuterProducts PartsOf(const Trace& trace, Projection projection, size_t layer, size_t head) {
  const AttentionShape shape = trace.attention_shape();
  const size_t width = shape.head_width, time = shape.time;
  const size_t key_head = head / (shape.heads / shape.kv_heads);
  const TraceLayer& values = trace.values().layers[layer];
  const TraceLayer& gradients = trace.gradients().layers[layer];
  const bool rope = shape.rope.active();
  const ConstMatrix q = values.q.data == nullptr ? Matrix<float>()
                                                 : values.q.Cols(head * width, width);
  const ConstMatrix k = values.k.data == nullptr ? Matrix<float>()
                                                 : values.k.Cols(key_head * width, width);
  const QueryKeyNormSaved& norm = trace.query_key_norm(layer);
  const auto params = AttentionOf(trace.model().tensors(), static_cast<int32_t>(layer)).norm;
  const auto columns = [&](const Matrix<float>& m, size_t h) {
    return m.data == nullptr ? ConstMatrix() : ConstMatrix(m.Cols(h * width, width));
  };
  switch (projection) {
    case Projection::kQuery:
      return {gradients.s.Rows(head * time, time), q, k, values.x, k, true, rope,
              columns(norm.q, head), norm.q_rstd, head, shape.heads, params.query};
    case Projection::kKey:
      return {gradients.s.Rows(head * time, time), q, k, values.x, q, false, rope,
              columns(norm.k, key_head), norm.k_rstd, key_head, shape.kv_heads, params.key};
    case Projection::kValue:
      break;
  }
  return {values.a.Rows(head * time, time), {}, {}, values.x,
          gradients.c.Cols(head * width, width), false, false, {}, {}, 0, 0, {}};
}

// g, a gradient of the norm's output at row `at`, becomes that of its input: with u = raw rstd and
// w = weight g, rstd (w - u (u.w) / D).
void ThroughNorm(const OuterProducts& parts, size_t at, double* g) {
  if (parts.raw.data == nullptr) return;
  const size_t width = parts.raw.cols;
  const double rstd = parts.rstd[at * parts.heads + parts.head];
  double along = 0.0;
  for (size_t c = 0; c < width; ++c) {
    g[c] *= parts.weight[c];
    along += g[c] * parts.raw(at, c) * rstd;
  }
  for (size_t c = 0; c < width; ++c) {
    g[c] = rstd * (g[c] - parts.raw(at, c) * rstd * along / static_cast<double>(width));
  }
}

double WeightOf(const Trace& trace, const OuterProducts& parts, size_t i, size_t j) {
  const double weight = parts.weights(i, j);
  if (weight == 0.0 || parts.q.data == nullptr) return weight;
  const AttentionShape shape = trace.attention_shape();
  return weight * ScoreSlope(shape, shape.scale, parts.q.RowSpan(i), parts.k.RowSpan(j));
}

constexpr size_t kWidestHead = 1024;  // what CheckConfig allows

// right turned back by position `at`, or as it is, and through the norm there.
void TurnedBack(const Trace& trace, const OuterProducts& parts, size_t row, size_t at,
                double (&out)[kWidestHead]) {
  const size_t width = parts.right.cols;
  if (!parts.rotated) {
    for (size_t c = 0; c < width; ++c) out[c] = parts.right(row, c);
    ThroughNorm(parts, at, out);
    return;
  }
  float turned[kWidestHead];
  std::copy_n(parts.right.Row(row), width, turned);
  const RopeTables& rope = trace.attention_shape().rope;
  RopeRotate(rope.layout, RopeDirection::kBackward, rope.cosines.Rows(at, 1),
             rope.sines.Rows(at, 1), 0, 1, Matrix<float>(turned, 1, width));
  for (size_t c = 0; c < width; ++c) out[c] = turned[c];
  ThroughNorm(parts, at, out);
}

// The head's gradient, sum of all its parts, in double.
void SumParts(const Trace& trace, const OuterProducts& parts, Span<double> sum) {
  const size_t time = parts.weights.rows, width = parts.right.cols, channels = parts.left.cols;
  std::fill(sum.begin(), sum.end(), 0.0);
  double inner[kWidestHead], turned[kWidestHead];
  // Grouped by the left row: one outer product each.
  for (size_t l = 0; l < time; ++l) {
    std::fill_n(inner, width, 0.0);
    for (size_t r = 0; r < time; ++r) {
      const double weight =
          parts.left_by_row ? WeightOf(trace, parts, l, r) : WeightOf(trace, parts, r, l);
      if (weight == 0.0) continue;
      TurnedBack(trace, parts, r, l, turned);
      for (size_t c = 0; c < width; ++c) inner[c] += weight * turned[c];
    }
    for (size_t d = 0; d < channels; ++d) {
      for (size_t c = 0; c < width; ++c) sum[d * width + c] += parts.left(l, d) * inner[c];
    }
  }
}

void Shares(const Trace& trace, const OuterProducts& parts, Span<const double> gradient,
            double squared_norm, Span<double> pairs) {
  const size_t time = parts.weights.rows, width = parts.right.cols, channels = parts.left.cols;
  double onto[kWidestHead], turned[kWidestHead];
  for (size_t l = 0; l < time; ++l) {
    // <x_l (x) r, D> = (x_l D) r
    std::fill_n(onto, width, 0.0);
    for (size_t d = 0; d < channels; ++d) {
      const double x = parts.left(l, d);
      for (size_t c = 0; c < width; ++c) onto[c] += x * gradient[d * width + c];
    }
    for (size_t r = 0; r < time; ++r) {
      const size_t i = parts.left_by_row ? l : r, j = parts.left_by_row ? r : l;
      const double weight = WeightOf(trace, parts, i, j);
      double product = 0.0;
      if (weight != 0.0) {
        TurnedBack(trace, parts, r, l, turned);
        for (size_t c = 0; c < width; ++c) product += onto[c] * turned[c];
      }
      pairs[i * time + j] = weight * product / squared_norm;
    }
  }
}

}  // namespace

Result<ContributionSums> Contributions(const Trace& trace, Projection projection, size_t layer,
                                       size_t head, Span<double> tokens, Span<double> pairs) {
  HEED_RETURN_IF_ERROR(CheckProjection(trace, projection, layer, head));
  const size_t time = trace.time();
  HEED_DCHECK(tokens.size == time && pairs.size == time * time);
  const OuterProducts parts = PartsOf(trace, projection, layer, head);
  Arena arena;
  const uint64_t floats = CheckedMul(parts.left.cols, parts.right.cols);
  HEED_RETURN_IF_ERROR(
      arena.Allocate(CheckedMul(floats, sizeof(double)), "the gradient of one head"));
  const Span<double> gradient = arena.Slice<double>(0, floats);
  SumParts(trace, parts, gradient);

  ContributionSums sums;
  for (const double g : gradient) sums.squared_norm += g * g;
  double whole = 0.0;
  const ModelTensors<const float> all = trace.parameter_gradients();
  for (const TensorTable::Entry& entry : all.table->entries()) {
    whole += SumOfSquares(all.floats.Slice(entry.offset, entry.spec.size()));
  }
  sums.meaningful = sums.squared_norm > 0.0 &&
                    sums.squared_norm >
                        kSmallestMeaningfulNorm * kSmallestMeaningfulNorm * whole;
  std::fill(tokens.begin(), tokens.end(), 0.0);
  std::fill(pairs.begin(), pairs.end(), 0.0);
  if (!sums.meaningful) return sums;
  Shares(trace, parts, gradient, sums.squared_norm, pairs);
  for (size_t i = 0; i < time; ++i) {
    for (size_t j = 0; j < time; ++j) {
      tokens[projection == Projection::kQuery ? i : j] += pairs[i * time + j];
    }
  }
  return sums;
}

}  // namespace heed
