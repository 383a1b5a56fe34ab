// SPDX-License-Identifier: MIT
// Tasks small enough to check in one's head, whose examples are generated.
//
// Token ids: the symbols 0 .. S - 1, then what a task has beside them. T is the length of a
// sequence; targets are the tokens that should come next, where the task decides them.
//   pointAndShift  L symbols drawn independently, then a pointer (id S + p) to one of the places
//                  p = 0 .. L - 1; target at the pointer: the cyclic successor of the symbol at p.
//                  Where to look and what to make of it are separate jobs. V = S + L, T = L + 1.
//   copy, reverse, sort
//                  L symbols, a separator (id S), then the same symbols as they were, backwards or
//                  in ascending order; targets from the separator on. V = S + 1, T = 2 L.
//   induction      L distinct symbols, then L / 2 of them again from a random place on, so that
//                  the distance to the first occurrence differs from example to example; targets
//                  in the repetition. Needs two layers: one to see what came before each symbol,
//                  one to find the symbol's first occurrence by it. V = S, T = L + L / 2.
//   addition       two numbers of L digits to the base S with a plus (id S) between them and an equals
//                  sign (id S + 1) behind; targets from there on: the L + 1 digits of their sum, the
//                  lowest first, as one adds on paper. V = S + 2, T = 3 L + 2.
//   modularAddition
//                  two numbers below S and an equals sign (id S); target: their sum modulo S. L is 2.
//                  A fifth of the S^2 pairs is for validation. V = S + 1, T = 3.
//   parity         L bits; targets: whether there were an odd number of ones so far. S is 2. V = 2, T = L.
//   dyck           L brackets of S kinds (opening id k, closing id S + k), balanced and nested at most
//                  four deep, without the last of them; targets where a closing bracket comes next: the
//                  one that fits. V = 2 S, T = L - 1.
#ifndef HEED_TRAIN_TASK_H_
#define HEED_TRAIN_TASK_H_

#include <cstdint>

#include "base/enum_names.h"
#include "base/status.h"

namespace heed {

enum class TaskKind : uint8_t {
  kPointAndShift,
  kCopy,
  kReverse,
  kInduction,
  kSort,
  kAddition,
  kModularAddition,
  kParity,
  kDyck,
};
template <>
inline constexpr const char* kEnumNames<TaskKind>[] = {
    "pointAndShift", "copy", "reverse", "induction", "sort",
    "addition",      "modularAddition", "parity", "dyck"};

struct TaskConfig {
  TaskKind task = TaskKind::kPointAndShift;
  uint32_t length = 6;   // L
  uint32_t symbols = 8;  // S
};

// visit(name, field&) for each option under its public name, as ForEachTrainField.
template <typename Config, typename Visitor>
void ForEachTaskField(Config& config, Visitor&& visit) {
  visit("task", config.task);
  visit("length", config.length);
  visit("symbols", config.symbols);
}

// Deepest nesting of dyck.
inline constexpr uint32_t kDyckDepth = 4;

// Length and symbols where the caller names none.
TaskConfig DefaultTask(TaskKind task);

// kInvalidArgument naming the option, its value, the range and what to do.
Status CheckTaskConfig(const TaskConfig& config);

// Of a checked configuration: token ids, tokens of an example, and different examples (for large
// tasks rounded).
uint32_t TaskVocab(const TaskConfig& config);
uint32_t TaskContext(const TaskConfig& config);
double TaskExampleCount(const TaskConfig& config);

}  // namespace heed

#endif  // HEED_TRAIN_TASK_H_
