// SPDX-License-Identifier: MIT
#include "train/task.h"

#include <algorithm>
#include <cmath>

namespace heed {
namespace {

constexpr uint32_t kMaxLength = 64;
constexpr uint32_t kMaxSymbols = 256;
// An eighth of the examples is for validation: with fewer there would be hardly any.
constexpr double kFewestExamples = 64.0;

struct Sizes {
  uint32_t shortest, longest, fewest, most;
};

Sizes SizesOf(TaskKind task) {
  switch (task) {
    case TaskKind::kInduction:
      // A block of two leaves a single place to continue from.
      return {3, kMaxLength, 2, kMaxSymbols};
    case TaskKind::kModularAddition:
      return {2, 2, 2, kMaxSymbols};
    case TaskKind::kParity:
      return {2, kMaxLength, 2, 2};
    case TaskKind::kDyck:
      return {2, kMaxLength, 1, kMaxSymbols};
    default:
      return {2, kMaxLength, 2, kMaxSymbols};
  }
}

Status CheckRange(const char* name, uint32_t value, uint32_t low, uint32_t high) {
  if (value >= low && value <= high) return Status();
  return Status::Error(StatusCode::kInvalidArgument,
                       "task: %s is %u; it must be a whole number from %u to %u", name, value, low,
                       high);
}

// Ways to nest `length` brackets of one kind at most kDyckDepth deep, by their number at each depth.
double DyckShapes(uint32_t length) {
  double at[kDyckDepth + 1] = {1.0};
  for (uint32_t i = 0; i < length; ++i) {
    double next[kDyckDepth + 1] = {};
    for (uint32_t depth = 0; depth <= kDyckDepth; ++depth) {
      if (depth > 0) next[depth - 1] += at[depth];
      if (depth < kDyckDepth) next[depth + 1] += at[depth];
    }
    std::copy(next, next + kDyckDepth + 1, at);
  }
  return at[0];
}

}  // namespace

TaskConfig DefaultTask(TaskKind task) {
  switch (task) {
    case TaskKind::kInduction:
      return {task, 8, 16};
    case TaskKind::kAddition:
      return {task, 3, 10};
    case TaskKind::kModularAddition:
      return {task, 2, 97};
    case TaskKind::kParity:
      return {task, 10, 2};
    case TaskKind::kDyck:
      return {task, 24, 2};
    default:
      return {task, 6, 8};
  }
}

Status CheckTaskConfig(const TaskConfig& config) {
  if (!IsEnumValue(config.task)) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "task has the unknown value number %u; see the documented names",
                         static_cast<unsigned>(config.task));
  }
  const Sizes sizes = SizesOf(config.task);
  HEED_RETURN_IF_ERROR(CheckRange("length", config.length, sizes.shortest, sizes.longest));
  HEED_RETURN_IF_ERROR(CheckRange("symbols", config.symbols, sizes.fewest, sizes.most));
  if (config.task == TaskKind::kDyck && config.length % 2 != 0) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "task: length is %u; balanced brackets come in pairs, so it must be even",
                         config.length);
  }
  if (config.task == TaskKind::kInduction && config.symbols < config.length) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "task: induction draws %u different symbols, but there are %u; raise "
                         "symbols or lower length",
                         config.length, config.symbols);
  }
  const double count = TaskExampleCount(config);
  if (count < kFewestExamples) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "task: length %u and symbols %u make %.0f different examples; at least "
                         "%.0f are needed to keep some for validation; raise one of them",
                         config.length, config.symbols, count, kFewestExamples);
  }
  return Status();
}

uint32_t TaskVocab(const TaskConfig& config) {
  switch (config.task) {
    case TaskKind::kPointAndShift:
      return config.symbols + config.length;
    case TaskKind::kInduction:
    case TaskKind::kParity:
      return config.symbols;
    case TaskKind::kAddition:
      return config.symbols + 2;
    case TaskKind::kDyck:
      return 2 * config.symbols;
    default:
      return config.symbols + 1;
  }
}

uint32_t TaskContext(const TaskConfig& config) {
  switch (config.task) {
    case TaskKind::kPointAndShift:
      return config.length + 1;
    case TaskKind::kInduction:
      return config.length + config.length / 2;
    case TaskKind::kAddition:
      return 3 * config.length + 2;
    case TaskKind::kModularAddition:
      return 3;
    case TaskKind::kParity:
      return config.length;
    case TaskKind::kDyck:
      return config.length - 1;
    default:
      return 2 * config.length;
  }
}

double TaskExampleCount(const TaskConfig& config) {
  const double length = config.length, symbols = config.symbols;
  if (config.task == TaskKind::kInduction) {
    double count = config.length - config.length / 2;  // places to continue from
    for (uint32_t i = 0; i < config.length; ++i) count *= symbols - i;
    return count;
  }
  const double words = std::pow(symbols, length);
  switch (config.task) {
    case TaskKind::kPointAndShift:
      return words * length;
    case TaskKind::kAddition:
      return words * words;
    case TaskKind::kDyck:
      return DyckShapes(config.length) * std::pow(symbols, config.length / 2);
    default:
      return words;
  }
}

}  // namespace heed
