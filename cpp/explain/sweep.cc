// SPDX-License-Identifier: MIT
#include "explain/sweep.h"

#include <cmath>
#include <limits>

namespace heed {
namespace {

// Puts the trace back when the passes are over, also when one of them failed.
class RestoreAtEnd {
 public:
  explicit RestoreAtEnd(Trace* trace) : trace_(trace) {}
  ~RestoreAtEnd() { trace_->Restore(); }
  RestoreAtEnd(const RestoreAtEnd&) = delete;
  RestoreAtEnd& operator=(const RestoreAtEnd&) = delete;

 private:
  Trace* trace_;
};

Result<double> MeanLoss(Trace* trace, const WhatIf& what_if,
                        const char* change = "the changed score; change it by less") {
  const LossSum loss = trace->LossWith(what_if);
  if (!std::isfinite(loss.sum)) {
    return Status::Error(StatusCode::kNonFinite,
                         "the loss is not finite with %s", change);
  }
  return loss.count > 0 ? loss.sum / static_cast<double>(loss.count) : 0.0;
}

}  // namespace

Status SweepScore(Trace* trace, WhatIf score, ConstSpan by, Span<double> losses) {
  HEED_DCHECK(by.size == losses.size);
  score.kind = WhatIfKind::kAddToScore;
  const RestoreAtEnd restore(trace);
  for (size_t n = 0; n < by.size; ++n) {
    score.value = by[n];
    const Result<double> loss = MeanLoss(trace, score);
    if (!loss.ok()) return loss.status();
    losses[n] = *loss;
  }
  return Status();
}

Status CutEdges(Trace* trace, const EdgeRow& at, bool renormalise, Span<double> losses) {
  const ModelConfig& config = trace->model().config();
  HEED_DCHECK(losses.size == trace->time());
  WhatIf cut;
  cut.kind = renormalise ? WhatIfKind::kCutEdgeRenormalised : WhatIfKind::kCutEdge;
  cut.layer = static_cast<uint32_t>(at.layer);
  cut.head = static_cast<uint32_t>(at.head);
  cut.row = static_cast<uint32_t>(at.row);
  HEED_RETURN_IF_ERROR(
      CheckWhatIfs(trace->model(), trace->time(), Span<const WhatIf>(&cut, 1)));
  const RestoreAtEnd restore(trace);
  for (cut.column = 0; cut.column < losses.size; ++cut.column) {
    losses[cut.column] = std::numeric_limits<double>::quiet_NaN();
    const bool later = config.mask == MaskKind::kCausal && cut.column > cut.row;
    const bool gone = config.window > 0 && cut.column + config.window <= cut.row;
    if (later || gone) continue;
    const Result<double> loss = MeanLoss(trace, cut);
    if (!loss.ok()) return loss.status();
    losses[cut.column] = *loss;
  }
  return Status();
}

Status CutHeads(Trace* trace, size_t layer, bool mean, Span<double> losses) {
  HEED_DCHECK(losses.size == trace->model().config().heads);
  WhatIf cut;
  cut.kind = mean ? WhatIfKind::kHeadMean : WhatIfKind::kHeadZero;
  cut.layer = static_cast<uint32_t>(layer);
  HEED_RETURN_IF_ERROR(
      CheckWhatIfs(trace->model(), trace->time(), Span<const WhatIf>(&cut, 1)));
  const RestoreAtEnd restore(trace);
  for (cut.head = 0; cut.head < losses.size; ++cut.head) {
    const Result<double> loss =
        MeanLoss(trace, cut, "a head cut; the weights are too large for it");
    if (!loss.ok()) return loss.status();
    losses[cut.head] = *loss;
  }
  return Status();
}

}  // namespace heed
