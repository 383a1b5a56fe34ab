// SPDX-License-Identifier: MIT
// The examples of a task. Which are for training and which for validation follows from a hash of
// the example itself, so no draw of one part can meet an example of the other.
#ifndef HEED_TRAIN_TASK_EXAMPLES_H_
#define HEED_TRAIN_TASK_EXAMPLES_H_

#include <cstdint>

#include "base/span.h"
#include "base/status.h"
#include "train/split.h"
#include "train/task.h"

namespace heed {

class TaskExamples {
 public:
  // Numbered examples of each split.
  static constexpr uint64_t kNumbered = 1024;

  // Errors: kInvalidArgument (the options), kBadData (a model whose vocabulary or context is too
  // small for the task).
  Status Init(const TaskConfig& config, uint32_t vocab, uint32_t context);

  // As Dataset's: by (seed, step, row) alone, always for training; and by number alone, the same
  // for every seed. tokens and targets have context() entries.
  void DrawExample(uint64_t seed, uint64_t step, uint64_t row, Span<int32_t> tokens,
                   Span<int32_t> targets) const;
  void FixedExample(Split split, uint64_t number, Span<int32_t> tokens,
                    Span<int32_t> targets) const;

  uint64_t examples(Split) const { return kNumbered; }
  uint32_t context() const { return TaskContext(config_); }
  const TaskConfig& config() const { return config_; }
  // FNV-1a of the options.
  uint64_t fingerprint() const;

  // The part that an example of a task belongs to: an eighth of all to validation, of modular addition
  // a fifth.
  static Split SplitOf(TaskKind task, Span<const int32_t> tokens, Span<const int32_t> targets);

 private:
  // The first example of `split` that the key's numbers make.
  void Make(uint64_t key, Split split, Span<int32_t> tokens, Span<int32_t> targets) const;

  TaskConfig config_;
};

}  // namespace heed

#endif  // HEED_TRAIN_TASK_EXAMPLES_H_
