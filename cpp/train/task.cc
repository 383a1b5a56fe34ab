// SPDX-License-Identifier: MIT
#include "train/task.h"

#include <cmath>

namespace heed {
namespace {

constexpr uint32_t kMaxLength = 64;
constexpr uint32_t kMaxSymbols = 256;
// An eighth of the examples is for validation: with fewer there would be hardly any.
constexpr double kFewestExamples = 64.0;

Status CheckRange(const char* name, uint32_t value, uint32_t low, uint32_t high) {
  if (value >= low && value <= high) return Status();
  return Status::Error(StatusCode::kInvalidArgument,
                       "task: %s is %u; it must be a whole number from %u to %u", name, value, low,
                       high);
}

}  // namespace

TaskConfig DefaultTask(TaskKind task) {
  if (task == TaskKind::kInduction) return {task, 8, 16};
  return {task, 6, 8};
}

Status CheckTaskConfig(const TaskConfig& config) {
  if (!IsEnumValue(config.task)) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "task has the unknown value number %u; see the documented names",
                         static_cast<unsigned>(config.task));
  }
  const bool induction = config.task == TaskKind::kInduction;
  // A block of two leaves induction a single place to continue from.
  HEED_RETURN_IF_ERROR(CheckRange("length", config.length, induction ? 3 : 2, kMaxLength));
  HEED_RETURN_IF_ERROR(CheckRange("symbols", config.symbols, 2, kMaxSymbols));
  if (induction && config.symbols < config.length) {
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
      return config.symbols;
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
  return config.task == TaskKind::kPointAndShift ? words * length : words;
}

}  // namespace heed
