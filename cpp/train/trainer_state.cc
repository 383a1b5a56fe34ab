// SPDX-License-Identifier: MIT
#include "train/trainer_state.h"

#include <algorithm>

#include "train/trainer.h"

namespace heed {
namespace {

struct StateViews {
  Span<float> weights;
  Span<float> moments;
  Span<uint64_t> updates;
  Span<uint8_t> frozen;
};

StateViews PlanState(const Trainer& trainer, Planner* planner) {
  const uint64_t floats = trainer.model().table().floats();
  StateViews views;
  views.weights = planner->Floats(floats);
  views.moments = planner->Floats(CheckedMul(floats, trainer.optimizer().slots()));
  views.updates = planner->Take<uint64_t>(trainer.model().table().entries().size);
  views.frozen = planner->Take<uint8_t>(trainer.groups().size());
  return views;
}

template <typename T, typename U>
void Copy(Span<T> from, Span<U> to) {
  HEED_DCHECK(from.size == to.size);
  std::copy(from.begin(), from.end(), to.begin());
}

}  // namespace

uint64_t TrainerState::Bytes(const Trainer& trainer) {
  Planner planner;
  PlanState(trainer, &planner);
  return planner.bytes();
}

Status TrainerState::Init(const Trainer& trainer) {
  HEED_RETURN_IF_ERROR(arena_.Allocate(Bytes(trainer), "a copy of the weights and moments"));
  Planner planner(&arena_);
  const StateViews views = PlanState(trainer, &planner);
  weights_ = views.weights;
  moments_ = views.moments;
  updates_ = views.updates;
  frozen_ = views.frozen;
  return Status();
}

void TrainerState::Save(const Trainer& trainer) {
  Copy(trainer.model().parameters(), weights_);
  const size_t floats = weights_.size;
  for (size_t slot = 0; slot < trainer.optimizer().slots(); ++slot) {
    Copy(trainer.optimizer().state(slot), moments_.Slice(slot * floats, floats));
  }
  Copy(trainer.updates(), updates_);
  Copy(trainer.frozen(), frozen_);
  optimizer_ = trainer.config().optimizer;
  step_ = trainer.step();
  tokens_seen_ = trainer.tokens_seen();
  metrics_ = trainer.metrics();
}

void TrainerState::RestoreFloats(Trainer* trainer) const {
  Copy(weights_, trainer->model_->mutable_parameters());
  if (trainer->config().optimizer != optimizer_) {
    trainer->optimizer_.Reset();
    std::fill(trainer->updates_.begin(), trainer->updates_.end(), uint64_t{0});
    return;
  }
  const size_t floats = weights_.size;
  for (size_t slot = 0; slot < trainer->optimizer().slots(); ++slot) {
    Copy(moments_.Slice(slot * floats, floats), trainer->optimizer().state(slot));
  }
  Copy(updates_, trainer->updates_);
}

void TrainerState::Restore(Trainer* trainer) const {
  RestoreFloats(trainer);
  trainer->AbandonStep();
  trainer->step_ = step_;
  trainer->tokens_seen_ = tokens_seen_;
  trainer->metrics_ = metrics_;
}

void TrainerState::RestoreFrozen(Trainer* trainer) const { Copy(frozen_, trainer->frozen_); }

}  // namespace heed
