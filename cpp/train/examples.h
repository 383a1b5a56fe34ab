// SPDX-License-Identifier: MIT
// Where a run's sequences come from: windows of a text, or examples of a task.
#ifndef HEED_TRAIN_EXAMPLES_H_
#define HEED_TRAIN_EXAMPLES_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <variant>

#include "base/span.h"
#include "base/status.h"
#include "model/config.h"
#include "train/config.h"
#include "train/dataset.h"
#include "train/split.h"
#include "train/task_examples.h"

namespace heed {

// Tokens of a text; mask as in Dataset::Init.
struct TextData {
  Span<const int32_t> tokens;
  Span<const uint8_t> mask;
};
// What a caller wants trained on.
using TrainingData = std::variant<TextData, TaskConfig>;

class ExampleSource {
 public:
  // Errors: those of Dataset::Init and TaskExamples::Init.
  Status Init(const TrainingData& data, const ModelConfig& model, const TrainConfig& train);

  // Tokens of every example.
  uint32_t time() const {
    return std::visit([](const auto& source) { return source.context(); }, source_);
  }
  // Numbered examples.
  uint64_t examples(Split split) const {
    return std::visit([&](const auto& source) { return source.examples(split); }, source_);
  }
  // tokens and targets have time() entries; targets of -1 do not count.
  void DrawExample(uint64_t seed, uint64_t step, uint64_t row, Span<int32_t> tokens,
                   Span<int32_t> targets) const {
    std::visit([&](const auto& s) { s.DrawExample(seed, step, row, tokens, targets); }, source_);
  }
  void FixedExample(Split split, uint64_t number, Span<int32_t> tokens,
                    Span<int32_t> targets) const {
    std::visit([&](const auto& s) { s.FixedExample(split, number, tokens, targets); }, source_);
  }
  // Equal for equal data only, as far as a hash can tell.
  uint64_t fingerprint() const {
    return std::visit([](const auto& source) { return source.fingerprint(); }, source_);
  }
  // nullptr when the source is the other kind.
  const Dataset* text() const { return std::get_if<Dataset>(&source_); }
  const TaskExamples* task() const { return std::get_if<TaskExamples>(&source_); }

 private:
  friend class SharedExamples;
  std::variant<Dataset, TaskExamples> source_;
  size_t owners_ = 0;
};

// One source for a trainer and those that replay or continue it: a text is not copied again. Not
// for several threads. std::shared_ptr would throw where it finds no memory for its count.
class SharedExamples {
 public:
  SharedExamples() = default;
  ~SharedExamples() { Reset(); }
  SharedExamples(const SharedExamples& other) : source_(other.source_) {
    if (source_ != nullptr) ++source_->owners_;
  }
  SharedExamples(SharedExamples&& other) noexcept
      : source_(std::exchange(other.source_, nullptr)) {}
  SharedExamples& operator=(SharedExamples other) noexcept {
    std::swap(source_, other.source_);
    return *this;
  }

  static Result<SharedExamples> Create(const TrainingData& data, const ModelConfig& model,
                                       const TrainConfig& train);

  const ExampleSource& operator*() const { return *source_; }
  const ExampleSource* operator->() const { return source_; }

 private:
  void Reset() {
    if (source_ != nullptr && --source_->owners_ == 0) delete source_;
    source_ = nullptr;
  }

  ExampleSource* source_ = nullptr;
};

}  // namespace heed

#endif  // HEED_TRAIN_EXAMPLES_H_
