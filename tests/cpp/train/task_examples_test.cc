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
                             TaskKind::kInduction, TaskKind::kSort};

TEST_CASE("tasks: every example follows the task's rule") {
  for (const TaskKind kind : kAll) {
    CAPTURE(EnumName(kind));
    for (TaskConfig task : {DefaultTask(kind), TaskConfig{kind, 3, 9}, TaskConfig{kind, 20, 30}}) {
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
      CHECK(train.size() > 30);
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
    validation += TaskExamples::SplitOf({tokens.data(), 6}, {targets.data(), 6}) ==
                  Split::kValidation;
  }
  // Binomial(512, 1/8): 64 +- 7.5.
  CHECK(validation > 34);
  CHECK(validation < 94);
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
  refused({kReverse, 3, 3}, "27 different examples");
  refused({static_cast<TaskKind>(9), 6, 8}, "unknown value");
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
