// SPDX-License-Identifier: MIT
#include "explain/patch.h"

#include <cmath>

#include "base/matrix_copies.h"

namespace heed {
namespace {

Status CheckShapes(const Trace& trace, const Trace& from) {
  const ModelConfig &a = trace.model().config(), &b = from.model().config();
  const struct {
    const char* name;
    uint64_t own, other;
  } sizes[] = {
      {"layers", a.layers, b.layers},
      {"heads", a.heads, b.heads},
      {"kvHeads", a.kv_heads, b.kv_heads},
      {"headWidth", a.head_width, b.head_width},
      {"width", a.width, b.width},
      {"ffn", a.ffn, b.ffn},
      {"vocab", a.vocab, b.vocab},
  };
  for (const auto& size : sizes) {
    if (size.own == size.other) continue;
    return Status::Error(StatusCode::kInvalidArgument,
                         "the other trace's model has %s %llu and this one's %llu; patch between "
                         "traces of models of one shape",
                         size.name, static_cast<unsigned long long>(size.other),
                         static_cast<unsigned long long>(size.own));
  }
  if (trace.time() != from.time()) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "the other trace has %zu tokens and this one %zu; choose texts of the "
                         "same length",
                         from.time(), trace.time());
  }
  return Status();
}

Status CheckPlaces(const Trace& trace, const PatchQuestion& question, size_t layer, size_t first,
                   size_t count) {
  const ModelConfig& config = trace.model().config();
  if (config.layers == 0) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "a model without layers has no activation to patch; use one with layers");
  }
  if (question.point == PassPoint::kFeedForward && config.ffn == 0) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "the model has no feed-forward layers (ffn is 0); patch the stream, "
                         "attention or heads instead");
  }
  const auto vocab = static_cast<int32_t>(config.vocab);
  const auto known = [&](int32_t token) { return token >= 0 && token < vocab; };
  if (question.row >= trace.time() || !known(question.target) || !known(question.rival)) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "row %zu, target %d, rival %d: there are %zu rows and a vocabulary of %u, "
                         "counted from 0",
                         question.row, question.target, question.rival, trace.time(), config.vocab);
  }
  const size_t places = question.point == PassPoint::kHeads ? config.heads : trace.time();
  if (layer >= config.layers || first > places || count > places - first) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "layer %zu, places %zu to %zu: there are %u layers of %zu places, counted "
                         "from 0",
                         layer, first, first + count, config.layers, places);
  }
  return Status();
}

Matrix<float> ActivationOf(const Trace& trace, PassPoint point, size_t layer, size_t place) {
  const TraceLayer& v = trace.values().layers[layer];
  switch (point) {
    case PassPoint::kStream:
      return v.r.Rows(place, 1);
    case PassPoint::kAttention:
      return v.y.Rows(place, 1);
    case PassPoint::kFeedForward:
      return v.z.Rows(place, 1);
    case PassPoint::kHeads:
      break;
  }
  const size_t width = trace.model().config().head_width;
  return v.c.Cols(place * width, width);
}

double DifferenceIn(const Trace& trace, const PatchQuestion& question) {
  const Matrix<float>& logits = trace.values().logits;
  return double{logits(question.row, static_cast<size_t>(question.target))} -
         logits(question.row, static_cast<size_t>(question.rival));
}

}  // namespace

Result<LogitDifferences> PatchActivations(Trace* trace, const Trace& from,
                                          const PatchQuestion& question, size_t layer, size_t first,
                                          Span<double> differences) {
  HEED_RETURN_IF_ERROR(CheckShapes(*trace, from));
  HEED_RETURN_IF_ERROR(CheckPlaces(*trace, question, layer, first, differences.size));
  const LogitDifferences unchanged = {DifferenceIn(*trace, question), DifferenceIn(from, question)};
  bool finite = true;
  for (size_t n = 0; finite && n < differences.size; ++n) {
    const Matrix<float> own = ActivationOf(*trace, question.point, layer, first + n);
    const ConstMatrix other = ActivationOf(from, question.point, layer, first + n);
    const Matrix<float> kept = question.point == PassPoint::kHeads ? trace->head_work()
                                                                   : trace->work(0).Rows(0, 1);
    Copy(own, kept);
    if (other.data != own.data) Copy(other, own);
    trace->ContinueFrom(question.point, layer);
    Copy(kept, own);
    differences[n] = DifferenceIn(*trace, question);
    finite = std::isfinite(differences[n]);
  }
  trace->ContinueFrom(question.point, layer);
  if (!finite) {
    return Status::Error(StatusCode::kNonFinite,
                         "layer %zu: a logit is not finite with a patched activation; patch "
                         "between traces whose values are nearer to each other",
                         layer);
  }
  return unchanged;
}

}  // namespace heed
