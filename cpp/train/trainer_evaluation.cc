// SPDX-License-Identifier: MIT
// A trainer's evaluations, in slices.
#include <algorithm>

#include "base/clock.h"
#include "train/trainer.h"

namespace heed {

Status Trainer::BeginEvaluation(Split split, uint64_t max_examples) {
  if (stage_ != 0) {
    return Status::Error(StatusCode::kBadState,
                         "a training step is under way; finish or abandon it before evaluating");
  }
  const uint64_t all = examples_->examples(split);
  if (all == 0) {
    // A task always has some.
    return Status::Error(StatusCode::kBadData,
                         "the %s part has %llu tokens; one window needs %zu; raise valFraction or "
                         "use a longer text",
                         SplitName(split),
                         static_cast<unsigned long long>(examples_->text()->tokens(split)),
                         time_ + 1);
  }
  evaluating_ = true;
  evaluation_split_ = split;
  evaluation_examples_ = max_examples > 0 ? std::min(max_examples, all) : all;
  evaluation_next_ = 0;
  evaluation_sum_ = Evaluation();
  return Status();
}

Result<bool> Trainer::AdvanceEvaluation(double budget_ms) {
  if (!evaluating_) {
    return Status::Error(StatusCode::kBadState, "no evaluation is under way; begin one first");
  }
  const double start = NowMs();
  const uint64_t all = examples_->examples(evaluation_split_);
  do {
    const auto batch = static_cast<size_t>(
        std::min<uint64_t>(config_.batch, evaluation_examples_ - evaluation_next_));
    for (size_t b = 0; b < batch; ++b) {
      const uint64_t number = (evaluation_next_ + b) * all / evaluation_examples_;
      examples_->FixedExample(evaluation_split_, number, batch_tokens_.Slice(b * time_, time_),
                              batch_targets_.Slice(b * time_, time_));
    }
    Evaluate(&transformer_, batch, batch_tokens_.Slice(0, batch * time_),
             batch_targets_.Slice(0, batch * time_), batch_likeliest_.Slice(0, batch * time_),
             &evaluation_sum_);
    evaluation_next_ += batch;
    evaluating_ = evaluation_next_ < evaluation_examples_;
  } while (evaluating_ && NowMs() - start < budget_ms);
  return !evaluating_;
}

void Trainer::AbandonEvaluation() { evaluating_ = false; }

}  // namespace heed
