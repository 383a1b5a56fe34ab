// SPDX-License-Identifier: MIT
#include "explain/logit_parts.h"

#include <algorithm>

#include "model/parameter_views.h"

namespace heed {
namespace {

Status CheckQuestion(const Trace& trace, const LogitQuestion& question) {
  const ModelConfig& config = trace.model().config();
  if (config.norm != NormKind::kNone && config.norm_position == NormPosition::kPost) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "a post-norm model rescales the stream after every branch, so its logits "
                         "are no sum of parts; use normPosition pre or norm none");
  }
  const auto vocab = static_cast<int32_t>(config.vocab);
  const auto known = [&](int32_t token) { return token >= 0 && token < vocab; };
  if (question.layer >= config.layers || question.row >= trace.time() || !known(question.target) ||
      !known(question.rival)) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "layer %zu, row %zu, target %d, rival %d: there are %u layers, %zu rows "
                         "and a vocabulary of %u, counted from 0",
                         question.layer, question.row, question.target, question.rival,
                         config.layers, trace.time(), config.vocab);
  }
  return Status();
}

// The direction in the stream along which the difference grows, the norm's scale held still.
class Direction {
 public:
  Direction(const Trace& trace, const LogitQuestion& question)
      : config_(trace.model().config()),
        norm_(NormOf(trace.model().tensors(), TensorRole::kNormWeight, TensorRole::kNormBias, -1)),
        head_(HeadOf(config_, trace.model().tensors())),
        target_(static_cast<size_t>(question.target)),
        rival_(static_cast<size_t>(question.rival)),
        rstd_(trace.final_rstd(question.row)) {}

  // Of a vector (C) of the stream. Layer norm takes the vector's own mean off: the mean is linear too.
  double Along(const float* vector) const {
    const size_t width = config_.width;
    double mean = 0.0;
    if (config_.norm == NormKind::kLayer) {
      for (size_t c = 0; c < width; ++c) mean += vector[c];
      mean /= static_cast<double>(width);
    }
    double sum = 0.0;
    for (size_t c = 0; c < width; ++c) {
      const double weight = norm_.weight.empty() ? 1.0 : double{norm_.weight[c]} * rstd_;
      sum += (vector[c] - mean) * weight * Reads(c);
    }
    return sum;
  }
  // Of the final norm's bias.
  double OfBias() const {
    double sum = 0.0;
    for (size_t c = 0; c < norm_.bias.size; ++c) sum += norm_.bias[c] * Reads(c);
    return sum;
  }

 private:
  double Reads(size_t c) const { return double{head_(target_, c)} - head_(rival_, c); }

  const ModelConfig& config_;
  NormParams<const float> norm_;
  ConstMatrix head_;
  size_t target_, rival_;
  double rstd_;
};

// Adds edges of one head: A_ij v_j W_O of that head.
void HeadEdges(const Trace& trace, const LogitQuestion& question, const Direction& direction,
               size_t head, Span<double> edges) {
  const AttentionShape shape = trace.attention_shape();
  const size_t width = shape.head_width, channels = trace.model().config().width;
  const size_t key_head = head / (shape.heads / shape.kv_heads);
  const TraceLayer& layer = trace.values().layers[question.layer];
  const ConstMatrix output =
      AttentionOf(trace.model().tensors(), static_cast<int32_t>(question.layer)).output.weight;
  const Matrix<float> v = layer.v.Cols(key_head * width, width);
  const Matrix<float> projected = trace.work(2);
  for (size_t j = 0; j < shape.time; ++j) {
    float* row = projected.Row(j);
    std::fill_n(row, channels, 0.0f);
    if (output.data == nullptr) {
      std::copy_n(v.Row(j), width, row + head * width);
    } else {
      for (size_t d = 0; d < width; ++d) {
        const float* weights = output.Row(head * width + d);
        for (size_t c = 0; c < channels; ++c) row[c] += v(j, d) * weights[c];
      }
    }
    edges[head * shape.time + j] =
        layer.a(head * shape.time + question.row, j) * direction.Along(row);
  }
}

}  // namespace

Result<LogitPartSums> LogitParts(const Trace& trace, const LogitQuestion& question,
                                 Span<double> edges, Span<double> attention,
                                 Span<double> feed_forward) {
  HEED_RETURN_IF_ERROR(CheckQuestion(trace, question));
  const ModelConfig& config = trace.model().config();
  const TraceMatrices& values = trace.values();
  const Direction direction(trace, question);
  const size_t i = question.row;

  LogitPartSums sums;
  sums.difference = double{values.logits(i, static_cast<size_t>(question.target))} -
                    values.logits(i, static_cast<size_t>(question.rival));
  sums.embedding = direction.Along(values.layers[0].r.Row(i));
  sums.bias = direction.OfBias();
  const ConstSpan output_bias =
      trace.model().tensors().vector(TensorRole::kOutputBias,
                                     static_cast<int32_t>(question.layer));
  if (!output_bias.empty()) sums.bias += direction.Along(output_bias.data);
  for (size_t layer = 0; layer < config.layers; ++layer) {
    attention[layer] =
        layer == question.layer ? 0.0 : direction.Along(values.layers[layer].y.Row(i));
    feed_forward[layer] = config.ffn == 0 ? 0.0 : direction.Along(values.layers[layer].z.Row(i));
  }
  for (size_t head = 0; head < config.heads; ++head) {
    HeadEdges(trace, question, direction, head, edges);
  }
  return sums;
}

}  // namespace heed
