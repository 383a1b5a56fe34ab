// SPDX-License-Identifier: MIT
#include "train/task_examples.h"

#include <algorithm>

#include "base/hash.h"
#include "base/philox.h"

namespace heed {
namespace {

// Numbers of one attempt at an example, in order.
class Draws {
 public:
  Draws(uint64_t key, uint32_t attempt) : key_(key), attempt_(attempt) {}

  int32_t Below(uint32_t bound) {
    if (next_ % 4 == 0) {
      block_ = RandomBits(key_, RandomStream::kTaskContent, attempt_, next_ / 4);
    }
    return static_cast<int32_t>(UniformBelow(block_[next_++ % 4], bound));
  }

 private:
  uint64_t key_;
  uint32_t attempt_;
  uint32_t next_ = 0;
  PhiloxBlock block_ = {};
};

void PointAndShift(const TaskConfig& task, Draws* draws, Span<int32_t> tokens,
                   Span<int32_t> targets) {
  const size_t length = task.length;
  for (size_t i = 0; i < length; ++i) tokens[i] = draws->Below(task.symbols);
  const int32_t place = draws->Below(task.length);
  const auto symbols = static_cast<int32_t>(task.symbols);
  tokens[length] = symbols + place;
  targets[length] = (tokens[static_cast<size_t>(place)] + 1) % symbols;
}

// Copy, reverse and sort: targets hold the answer, of which all but the last is also the input.
void Transcribe(const TaskConfig& task, Draws* draws, Span<int32_t> tokens,
                Span<int32_t> targets) {
  const size_t length = task.length;
  for (size_t i = 0; i < length; ++i) tokens[i] = draws->Below(task.symbols);
  const Span<int32_t> answer = targets.Slice(length, length);
  std::copy(tokens.begin(), tokens.begin() + length, answer.begin());
  if (task.task == TaskKind::kReverse) std::reverse(answer.begin(), answer.end());
  if (task.task == TaskKind::kSort) std::sort(answer.begin(), answer.end());
  tokens[length] = static_cast<int32_t>(task.symbols);
  std::copy(answer.begin(), answer.end() - 1, tokens.begin() + length + 1);
}

void Induction(const TaskConfig& task, Draws* draws, Span<int32_t> tokens, Span<int32_t> targets) {
  const size_t length = task.length, again = length / 2;
  // The front of a shuffled list of all symbols (Fisher and Yates).
  int32_t symbols[256];
  for (uint32_t i = 0; i < task.symbols; ++i) symbols[i] = static_cast<int32_t>(i);
  for (size_t i = 0; i < length; ++i) {
    const auto from =
        i + static_cast<size_t>(draws->Below(task.symbols - static_cast<uint32_t>(i)));
    std::swap(symbols[i], symbols[from]);
    tokens[i] = symbols[i];
  }
  // The last symbol of the repetition still has a successor in the block.
  const auto start = static_cast<size_t>(draws->Below(static_cast<uint32_t>(length - again)));
  for (size_t i = 0; i < again; ++i) {
    tokens[length + i] = tokens[start + i];
    targets[length + i] = tokens[start + i + 1];
  }
}

void Addition(const TaskConfig& task, Draws* draws, Span<int32_t> tokens, Span<int32_t> targets) {
  const size_t length = task.length, equals = 2 * length + 1;
  const auto base = static_cast<int32_t>(task.symbols);
  for (size_t i = 0; i < length; ++i) tokens[i] = draws->Below(task.symbols);
  tokens[length] = base;
  for (size_t i = 0; i < length; ++i) tokens[length + 1 + i] = draws->Below(task.symbols);
  tokens[equals] = base + 1;
  int32_t carry = 0;
  for (size_t i = 0; i <= length; ++i) {
    int32_t sum = carry;
    if (i < length) sum += tokens[length - 1 - i] + tokens[2 * length - i];
    targets[equals + i] = sum % base;
    carry = sum / base;
    if (i < length) tokens[equals + 1 + i] = targets[equals + i];
  }
}

void ModularAddition(const TaskConfig& task, Draws* draws, Span<int32_t> tokens,
                     Span<int32_t> targets) {
  const auto modulus = static_cast<int32_t>(task.symbols);
  tokens[0] = draws->Below(task.symbols);
  tokens[1] = draws->Below(task.symbols);
  tokens[2] = modulus;
  targets[2] = (tokens[0] + tokens[1]) % modulus;
}

void Parity(const TaskConfig& task, Draws* draws, Span<int32_t> tokens, Span<int32_t> targets) {
  int32_t odd = 0;
  for (size_t i = 0; i < task.length; ++i) {
    tokens[i] = draws->Below(2);
    odd ^= tokens[i];
    targets[i] = odd;
  }
}

void Dyck(const TaskConfig& task, Draws* draws, Span<int32_t> tokens, Span<int32_t> targets) {
  const auto kinds = static_cast<int32_t>(task.symbols);
  int32_t open[kDyckDepth];
  uint32_t depth = 0;
  for (uint32_t i = 0; i < task.length; ++i) {
    const uint32_t left = task.length - i;
    const bool must_close = depth == left || depth == kDyckDepth;
    const bool closes = depth > 0 && (must_close || draws->Below(2) == 1);
    if (!closes) open[depth] = draws->Below(task.symbols);
    const int32_t bracket = closes ? kinds + open[depth - 1] : open[depth];
    depth = closes ? depth - 1 : depth + 1;
    if (i < tokens.size) tokens[i] = bracket;
    if (closes) targets[i - 1] = bracket;
  }
}

uint64_t KeyOf(const PhiloxBlock& bits) { return uint64_t{bits[1]} << 32 | bits[0]; }

}  // namespace

Status TaskExamples::Init(const TaskConfig& config, uint32_t vocab, uint32_t context) {
  HEED_RETURN_IF_ERROR(CheckTaskConfig(config));
  const uint32_t needed_vocab = TaskVocab(config), needed_context = TaskContext(config);
  if (vocab < needed_vocab || context < needed_context) {
    return Status::Error(StatusCode::kBadData,
                         "the task %s with length %u and symbols %u needs a vocab of %u and a "
                         "context of %u, at least; the model has %u and %u: raise them",
                         EnumName(config.task), config.length, config.symbols, needed_vocab,
                         needed_context, vocab, context);
  }
  config_ = config;
  return Status();
}

void TaskExamples::DrawExample(uint64_t seed, uint64_t step, uint64_t row, Span<int32_t> tokens,
                               Span<int32_t> targets) const {
  const uint64_t key =
      KeyOf(RandomBits(seed, RandomStream::kTaskBatch, static_cast<uint32_t>(row),
                       static_cast<uint32_t>(step), static_cast<uint32_t>(step >> 32)));
  Make(key, Split::kTrain, tokens, targets);
}

void TaskExamples::FixedExample(Split split, uint64_t number, Span<int32_t> tokens,
                                Span<int32_t> targets) const {
  HEED_DCHECK(number < kNumbered);
  const uint64_t key = KeyOf(RandomBits(0, RandomStream::kTaskFixed, static_cast<uint32_t>(number),
                                        static_cast<uint32_t>(split)));
  Make(key, split, tokens, targets);
}

void TaskExamples::Make(uint64_t key, Split split, Span<int32_t> tokens,
                        Span<int32_t> targets) const {
  HEED_DCHECK(tokens.size == context() && targets.size == context());
  // Each part holds at least one of the 64 examples or more that CheckTaskConfig asks for (a test
  // looks at the smallest tasks), so this ends; after 8 attempts on average for validation.
  for (uint32_t attempt = 0;; ++attempt) {
    Draws draws(key, attempt);
    std::fill(targets.begin(), targets.end(), -1);
    switch (config_.task) {
      case TaskKind::kPointAndShift:
        PointAndShift(config_, &draws, tokens, targets);
        break;
      case TaskKind::kInduction:
        Induction(config_, &draws, tokens, targets);
        break;
      case TaskKind::kAddition:
        Addition(config_, &draws, tokens, targets);
        break;
      case TaskKind::kModularAddition:
        ModularAddition(config_, &draws, tokens, targets);
        break;
      case TaskKind::kParity:
        Parity(config_, &draws, tokens, targets);
        break;
      case TaskKind::kDyck:
        Dyck(config_, &draws, tokens, targets);
        break;
      default:
        Transcribe(config_, &draws, tokens, targets);
    }
    if (SplitOf(config_.task, tokens, targets) == split) return;
  }
}

Split TaskExamples::SplitOf(TaskKind task, Span<const int32_t> tokens,
                            Span<const int32_t> targets) {
  uint64_t hash = HashBytes(tokens.data, tokens.size * sizeof(int32_t));
  hash = HashBytes(targets.data, targets.size * sizeof(int32_t), hash);
  // FNV's low bits depend on the low bits of the bytes alone; folding mixes the high ones in.
  hash ^= hash >> 32;
  hash *= 0x9E3779B97F4A7C15;
  const uint64_t share = task == TaskKind::kModularAddition ? 5 : 8;
  return hash <= UINT64_MAX / share ? Split::kValidation : Split::kTrain;
}

uint64_t TaskExamples::fingerprint() const {
  uint64_t hash = kHashSeed;
  ForEachTaskField(config_, [&](const char* name, const auto& value) {
    const uint64_t number = static_cast<uint64_t>(value);
    hash = HashBytes(name, 4, hash);
    hash = HashBytes(&number, sizeof(number), hash);
  });
  return hash;
}

}  // namespace heed
