// SPDX-License-Identifier: MIT
#include "train/task_examples.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "catch2/catch_test_macros.hpp"
#include "catch2/generators/catch_generators.hpp"

namespace heed::test {
namespace {

struct Example {
  std::vector<int32_t> tokens;
  std::vector<int32_t> targets;
  bool operator<(const Example& other) const {
    return tokens != other.tokens ? tokens < other.tokens : targets < other.targets;
  }
};

TaskExamples Make(const TaskConfig& config) {
  TaskExamples examples;
  const Status status = examples.Init(config, TaskVocab(config), TaskContext(config));
  INFO(status.message());
  REQUIRE(status.ok());
  return examples;
}

Example Blank(const TaskExamples& examples) {
  return {std::vector<int32_t>(examples.context(), -7),
          std::vector<int32_t>(examples.context(), -7)};
}

Example Draw(const TaskExamples& examples, uint64_t seed, uint64_t step, uint64_t row) {
  Example example = Blank(examples);
  examples.DrawExample(seed, step, row, {example.tokens.data(), example.tokens.size()},
                       {example.targets.data(), example.targets.size()});
  return example;
}

Example Fixed(const TaskExamples& examples, Split split, uint64_t number) {
  Example example = Blank(examples);
  examples.FixedExample(split, number, {example.tokens.data(), example.tokens.size()},
                        {example.targets.data(), example.targets.size()});
  return example;
}

// Closing brackets by a stack; what is left on it after the last token is the last target.
std::vector<int32_t> DyckAnswers(const TaskConfig& task, const std::vector<int32_t>& tokens) {
  const auto symbols = static_cast<int32_t>(task.symbols);
  std::vector<int32_t> targets(tokens.size(), -1), stack;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i] < symbols) {
      stack.push_back(tokens[i]);
      REQUIRE(stack.size() <= kDyckDepth);
    } else {
      REQUIRE_FALSE(stack.empty());
      REQUIRE(tokens[i] == symbols + stack.back());
      targets[i - 1] = tokens[i];
      stack.pop_back();
    }
  }
  REQUIRE(stack.size() == 1);
  targets.back() = symbols + stack.back();
  return targets;
}

// The rule of each task, written a second time.
std::vector<int32_t> Answers(const TaskConfig& task, const std::vector<int32_t>& tokens) {
  const size_t length = task.length;
  const auto symbols = static_cast<int32_t>(task.symbols);
  std::vector<int32_t> targets(tokens.size(), -1);
  if (task.task == TaskKind::kPointAndShift) {
    const int32_t place = tokens[length] - symbols;
    REQUIRE(place >= 0);
    REQUIRE(place < static_cast<int32_t>(length));
    targets[length] = (tokens[static_cast<size_t>(place)] + 1) % symbols;
  } else if (task.task == TaskKind::kInduction) {
    for (size_t i = length; i < tokens.size(); ++i) {
      const auto first = std::find(tokens.begin(), tokens.begin() + task.length, tokens[i]);
      REQUIRE(first - tokens.begin() + 1 < static_cast<int64_t>(length));
      targets[i] = *(first + 1);
      if (i + 1 < tokens.size()) REQUIRE(tokens[i + 1] == targets[i]);
    }
  } else if (task.task == TaskKind::kAddition) {
    // As numbers; those of the longest would not fit.
    const auto number = [&](size_t from) {
      uint64_t value = 0;
      for (size_t i = 0; i < length; ++i) {
        value = value * task.symbols + static_cast<uint64_t>(tokens[from + i]);
      }
      return value;
    };
    REQUIRE(tokens[length] == symbols);
    REQUIRE(tokens[2 * length + 1] == symbols + 1);
    uint64_t sum = number(0) + number(length + 1);
    for (size_t i = 2 * length + 1; i < targets.size(); ++i) {
      targets[i] = static_cast<int32_t>(sum % task.symbols);
      sum /= task.symbols;
      if (i + 1 < tokens.size()) REQUIRE(tokens[i + 1] == targets[i]);
    }
    REQUIRE(sum == 0);
  } else if (task.task == TaskKind::kModularAddition) {
    REQUIRE(tokens[2] == symbols);
    targets[2] = tokens[0] + tokens[1] - (tokens[0] + tokens[1] >= symbols ? symbols : 0);
  } else if (task.task == TaskKind::kParity) {
    for (size_t i = 0; i < length; ++i) {
      const auto end = tokens.begin() + static_cast<std::ptrdiff_t>(i) + 1;
      targets[i] = static_cast<int32_t>(std::count(tokens.begin(), end, 1) % 2);
    }
  } else if (task.task == TaskKind::kDyck) {
    return DyckAnswers(task, tokens);
  } else {
    REQUIRE(tokens[length] == symbols);
    std::vector<int32_t> answer(tokens.begin(), tokens.begin() + task.length);
    if (task.task == TaskKind::kReverse) std::reverse(answer.begin(), answer.end());
    if (task.task == TaskKind::kSort) std::stable_sort(answer.begin(), answer.end());
    for (size_t i = 0; i < length; ++i) {
      targets[length + i] = answer[i];
      if (i > 0) REQUIRE(tokens[length + i] == answer[i - 1]);
    }
  }
  for (size_t i = 0; i < length; ++i) {
    REQUIRE(tokens[i] >= 0);
    REQUIRE(tokens[i] < symbols);
  }
  return targets;
}

constexpr TaskKind kAll[] = {TaskKind::kPointAndShift, TaskKind::kCopy, TaskKind::kReverse,
                             TaskKind::kInduction,     TaskKind::kSort,
                             TaskKind::kAddition,      TaskKind::kModularAddition,
                             TaskKind::kParity,        TaskKind::kDyck};

TEST_CASE("tasks: every example follows the task's rule") {
  for (const TaskKind kind : kAll) {
    CAPTURE(EnumName(kind));
    for (const TaskConfig& task :
         {DefaultTask(kind), TaskConfig{kind, 3, 9}, TaskConfig{kind, 20, 30},
          TaskConfig{kind, 12, 5}, TaskConfig{kind, 20, 2}, TaskConfig{kind, 2, 50}}) {
      const bool too_large = kind == TaskKind::kAddition && task.length * task.symbols > 100;
      if (!CheckTaskConfig(task).ok() || too_large) continue;
      const TaskExamples examples = Make(task);
      for (uint64_t i = 0; i < 200; ++i) {
        const Example drawn = Draw(examples, 11, i / 8, i % 8);
        REQUIRE(drawn.targets == Answers(task, drawn.tokens));
        const Example fixed = Fixed(examples, i % 2 == 0 ? Split::kTrain : Split::kValidation, i);
        REQUIRE(fixed.targets == Answers(task, fixed.tokens));
        if (kind != TaskKind::kInduction) continue;
        const std::set<int32_t> block(drawn.tokens.begin(), drawn.tokens.begin() + task.length);
        REQUIRE(block.size() == task.length);
      }
    }
  }
}

TEST_CASE("tasks: no training example is a validation example, and both parts exist") {
  for (const TaskKind kind : kAll) {
    // The smallest that are allowed, where the parts could run empty, and the defaults.
    const TaskConfig smallest = kind == TaskKind::kPointAndShift ? TaskConfig{kind, 2, 6}
                                : kind == TaskKind::kInduction   ? TaskConfig{kind, 3, 5}
                                : kind == TaskKind::kParity      ? TaskConfig{kind, 6, 2}
                                : kind == TaskKind::kDyck        ? TaskConfig{kind, 6, 3}
                                : kind == TaskKind::kAddition    ? TaskConfig{kind, 2, 3}
                                                                 : TaskConfig{kind, 2, 8};
    for (const TaskConfig& task : {smallest, TaskConfig{kind, 3, 4}, DefaultTask(kind)}) {
      if (!CheckTaskConfig(task).ok()) continue;
      CAPTURE(EnumName(kind), task.length, task.symbols);
      const TaskExamples examples = Make(task);
      std::set<Example> train, validation;
      for (uint64_t i = 0; i < TaskExamples::kNumbered; ++i) {
        train.insert(Draw(examples, 5, i, i % 3));
        train.insert(Fixed(examples, Split::kTrain, i));
        validation.insert(Fixed(examples, Split::kValidation, i));
      }
      CHECK(train.size() > 25);
      CHECK(validation.size() > 2);
      for (const Example& example : validation) REQUIRE(train.count(example) == 0);
    }
  }
}

TEST_CASE("tasks: about an eighth of the examples is for validation") {
  // Over all 8^3 words of a task small enough to list.
  size_t validation = 0;
  for (int32_t word = 0; word < 512; ++word) {
    const std::vector<int32_t> w = {word / 64, word / 8 % 8, word % 8};
    const std::vector<int32_t> tokens = {w[0], w[1], w[2], 8, w[0], w[1]};
    const std::vector<int32_t> targets = {-1, -1, -1, w[0], w[1], w[2]};
    validation += TaskExamples::SplitOf(TaskKind::kCopy, {tokens.data(), 6}, {targets.data(), 6}) ==
                  Split::kValidation;
  }
  // Binomial(512, 1/8): 64 +- 7.5.
  CHECK(validation > 34);
  CHECK(validation < 94);
}

TEST_CASE("tasks: of modular addition a fifth of the pairs is for validation") {
  size_t validation = 0;
  for (int32_t a = 0; a < 97; ++a) {
    for (int32_t b = 0; b < 97; ++b) {
      const std::vector<int32_t> tokens = {a, b, 97}, targets = {-1, -1, (a + b) % 97};
      validation += TaskExamples::SplitOf(TaskKind::kModularAddition, {tokens.data(), 3},
                                          {targets.data(), 3}) == Split::kValidation;
    }
  }
  // Binomial(9409, 1/5): 1882 +- 39.
  CHECK(validation > 1725);
  CHECK(validation < 2039);
}

TEST_CASE("tasks: as many nestings as brackets have") {
  // Catalan numbers while nothing is deeper than four: 2 of four brackets, 14 of eight; of ten 41,
  // one of the 42 being too deep. Two kinds double it for each pair.
  CHECK(TaskExampleCount({TaskKind::kDyck, 4, 1}) == 2.0);
  CHECK(TaskExampleCount({TaskKind::kDyck, 8, 1}) == 14.0);
  CHECK(TaskExampleCount({TaskKind::kDyck, 10, 1}) == 41.0);
  CHECK(TaskExampleCount({TaskKind::kDyck, 4, 2}) == 8.0);
}

TEST_CASE("tasks: no nesting of brackets is left out") {
  const TaskExamples examples = Make({TaskKind::kDyck, 10, 2});
  std::set<std::vector<int32_t>> seen;
  for (uint64_t i = 0; i < 30000; ++i) seen.insert(Draw(examples, 3, i, 0).tokens);
  // 41 nestings with 2^5 kinds, an eighth of them kept for validation: 1148 +- 12.
  CHECK(seen.size() > 1100);
  CHECK(seen.size() < 1200);
}

TEST_CASE("tasks: draws depend on seed, step and row alone; numbered examples on none") {
  const TaskExamples a = Make(DefaultTask(TaskKind::kSort));
  const Example one = Draw(a, 1, 2, 3);
  CHECK(Draw(a, 1, 2, 3).tokens == one.tokens);
  CHECK(Draw(a, 2, 2, 3).tokens != one.tokens);
  CHECK(Draw(a, 1, 3, 3).tokens != one.tokens);
  CHECK(Draw(a, 1, 2, 4).tokens != one.tokens);
  CHECK(Draw(a, 1, uint64_t{1} << 32 | 2, 3).tokens != one.tokens);
  CHECK(Fixed(a, Split::kValidation, 0).tokens != Fixed(a, Split::kTrain, 0).tokens);
  CHECK(Fixed(a, Split::kValidation, 0).tokens != Fixed(a, Split::kValidation, 1).tokens);
}

TEST_CASE("tasks: induction continues from every place of the block") {
  const TaskConfig task = DefaultTask(TaskKind::kInduction);
  const TaskExamples examples = Make(task);
  std::set<int64_t> starts;
  for (uint64_t i = 0; i < 200; ++i) {
    const std::vector<int32_t> tokens = Draw(examples, 3, i, 0).tokens;
    starts.insert(std::find(tokens.begin(), tokens.end(), tokens[task.length]) - tokens.begin());
  }
  CHECK(starts == std::set<int64_t>{0, 1, 2, 3});
}

TEST_CASE("tasks: options outside their range are refused by name") {
  using enum TaskKind;
  const auto refused = [](const TaskConfig& task, const char* words) {
    const Status status = CheckTaskConfig(task);
    CHECK(status.code() == StatusCode::kInvalidArgument);
    CHECK(std::string(status.message()).find(words) != std::string::npos);
  };
  refused({kCopy, 1, 8}, "length is 1");
  refused({kCopy, 65, 8}, "length is 65");
  refused({kInduction, 2, 8}, "from 3 to 64");
  refused({kSort, 6, 1}, "symbols is 1");
  refused({kSort, 6, 257}, "symbols is 257");
  refused({kInduction, 9, 8}, "9 different symbols");
  refused({kDyck, 7, 2}, "must be even");
  refused({kModularAddition, 3, 97}, "from 2 to 2");
  refused({kParity, 10, 3}, "symbols is 3");
  refused({kReverse, 3, 3}, "27 different examples");
  refused({static_cast<TaskKind>(200), 6, 8}, "unknown value");
  TaskExamples examples;
  const TaskConfig task = DefaultTask(kPointAndShift);
  for (const Status& status : {examples.Init(task, 13, 7), examples.Init(task, 14, 6)}) {
    CHECK(status.code() == StatusCode::kBadData);
    CHECK(std::string(status.message()).find("vocab of 14 and a context of 7") !=
          std::string::npos);
  }
}

}  // namespace
}  // namespace heed::test
