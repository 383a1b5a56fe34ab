// SPDX-License-Identifier: MIT
// A run looked at closely: its examples, its groups of tensors, its past.
#include <string_view>
#include <utility>

#include "wasm/engine.h"
#include "wasm/text.h"

namespace heed {
namespace {

// Flags of the groups that `names` lists; no flags stand for all groups.
class GroupFlags {
 public:
  Status Init(const GroupTable& groups, std::string_view names) {
    HEED_RETURN_IF_ERROR(arena_.Allocate(groups.size(), "the marks of groups"));
    flags_ = arena_.Slice<uint8_t>(0, groups.size());
    return groups.Mark(names, flags_);
  }
  Span<const uint8_t> flags() const { return flags_; }

 private:
  Arena arena_;
  Span<uint8_t> flags_;
};

std::string_view TextOf(Span<uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data), bytes.size};
}

}  // namespace

Result<Handle> Engine::ReadExample(Handle trainer, Split split, uint64_t number) {
  Result<Trainer*> found = FindTrainer(trainer);
  if (!found.ok()) return found.status();
  const ExampleSource& examples = *(*found)->examples();
  if (number >= examples.examples(split)) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "there is no %s example number %llu; there are %llu, counted from 0",
                         SplitName(split), static_cast<unsigned long long>(number),
                         static_cast<unsigned long long>(examples.examples(split)));
  }
  const size_t time = (*found)->time();
  Result<Handle> buffer = CreateBuffer(2 * time * sizeof(int32_t));
  if (!buffer.ok()) return buffer;
  const Span<int32_t> row(reinterpret_cast<int32_t*>(Buffer(*buffer)->data), 2 * time);
  examples.FixedExample(split, number, row.Slice(0, time), row.Slice(time, time));
  return buffer;
}

Result<Handle> Engine::ReadBatch(Handle trainer, uint64_t step) {
  Result<Trainer*> found = FindTrainer(trainer);
  if (!found.ok()) return found.status();
  if (step < 1) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "step is 0; steps are counted from 1, the first that changes a weight");
  }
  const uint64_t rows = (*found)->step_rows();
  const size_t time = (*found)->time();
  Result<Handle> buffer = CreateBuffer(CheckedMul(rows, 2 * time * sizeof(int32_t)));
  if (!buffer.ok()) return buffer;
  const Span<int32_t> all(reinterpret_cast<int32_t*>(Buffer(*buffer)->data),
                          static_cast<size_t>(rows) * 2 * time);
  for (uint64_t row = 0; row < rows; ++row) {
    const Span<int32_t> pair = all.Slice(static_cast<size_t>(row) * 2 * time, 2 * time);
    (*found)->StepExample(step, row, pair.Slice(0, time), pair.Slice(time, time));
  }
  return buffer;
}

Result<Handle> Engine::ListGroups(Handle trainer) {
  Result<Trainer*> found = FindTrainer(trainer);
  if (!found.ok()) return found.status();
  const auto write = [&](Span<char> text) {
    TextWriter writer(text);
    const Span<const TensorGroup> groups = (*found)->groups().groups();
    for (size_t i = 0; i < groups.size; ++i) {
      char name[kMaxGroupName];
      GroupName(groups[i], name);
      writer.Append(name);
      writer.Append(" ");
      writer.AppendNumber(groups[i].parameters);
      writer.Append((*found)->frozen()[i] != 0 ? " 1\n" : " 0\n");
    }
    return writer.length();
  };
  const size_t length = write(Span<char>());
  Result<Handle> buffer = CreateBuffer(length);
  if (!buffer.ok()) return buffer;
  write(Span<char>(reinterpret_cast<char*>(Buffer(*buffer)->data), length));
  return buffer;
}

Status Engine::SetFrozen(Handle trainer, Handle names) {
  Result<Trainer*> found = FindTrainer(trainer);
  if (!found.ok()) return found.status();
  Result<Span<uint8_t>> text = Buffer(names);
  if (!text.ok()) return text.status();
  return (*found)->SetFrozen(TextOf(*text));
}

Status Engine::UpdateGroups(Handle trainer, Handle names) {
  Result<Trainer*> found = FindTrainer(trainer);
  if (!found.ok()) return found.status();
  if (names == 0) return (*found)->Update(Span<const uint8_t>());
  Result<Span<uint8_t>> text = Buffer(names);
  if (!text.ok()) return text.status();
  GroupFlags marked;
  HEED_RETURN_IF_ERROR(marked.Init((*found)->groups(), TextOf(*text)));
  return (*found)->Update(marked.flags());
}

Result<Evaluation> Engine::TryUpdate(Handle trainer, Handle names) {
  Result<Trainer*> found = FindTrainer(trainer);
  if (!found.ok()) return found.status();
  if (names == 0) return (*found)->TryUpdate(Span<const uint8_t>());
  Result<Span<uint8_t>> text = Buffer(names);
  if (!text.ok()) return text.status();
  GroupFlags marked;
  HEED_RETURN_IF_ERROR(marked.Init((*found)->groups(), TextOf(*text)));
  return (*found)->TryUpdate(marked.flags());
}

Result<Handle> Engine::ReadReports(Handle trainer) {
  Result<Trainer*> found = FindTrainer(trainer);
  if (!found.ok()) return found.status();
  const Span<const GroupReport> reports = (*found)->reports();
  Result<Handle> buffer = CreateBuffer(reports.size * 3 * sizeof(double));
  if (!buffer.ok()) return buffer;
  double* out = reinterpret_cast<double*>(Buffer(*buffer)->data);
  for (const GroupReport& report : reports) {
    *out++ = report.gradient_norm;
    *out++ = report.change;
    *out++ = report.predicted;
  }
  return buffer;
}

Result<Handle> Engine::ReadNorms(Handle trainer) {
  static_assert(sizeof(GroupNorms) == 2 * sizeof(double));
  Result<Trainer*> found = FindTrainer(trainer);
  if (!found.ok()) return found.status();
  const size_t groups = (*found)->groups().size();
  Result<Handle> buffer = CreateBuffer(groups * sizeof(GroupNorms));
  if (!buffer.ok()) return buffer;
  auto* norms = reinterpret_cast<GroupNorms*>(Buffer(*buffer)->data);
  const Status status = (*found)->Norms(Span<GroupNorms>(norms, groups));
  if (!status.ok()) {
    Dispose(*buffer);
    return status;
  }
  return buffer;
}

Result<Handle> Engine::CreateTimeline(Handle trainer, uint64_t every, uint64_t max_bytes) {
  Result<Trainer*> found = FindTrainer(trainer);
  if (!found.ok()) return found.status();
  Result<std::unique_ptr<Timeline>> timeline = Timeline::Create(*found, every, max_bytes);
  if (!timeline.ok()) return timeline.status();
  return Add(std::move(*timeline), trainer, "the timeline");
}

Result<Timeline*> Engine::FindTimeline(Handle timeline) {
  Result<std::unique_ptr<Timeline>*> found = Find<std::unique_ptr<Timeline>>(timeline, "timeline");
  if (!found.ok()) return found.status();
  return (*found)->get();
}

Result<Handle> Engine::ListSnapshots(Handle timeline) {
  Result<Timeline*> found = FindTimeline(timeline);
  if (!found.ok()) return found.status();
  const SnapshotRing& ring = (*found)->ring();
  Result<Handle> buffer = CreateBuffer(ring.count() * sizeof(double));
  if (!buffer.ok()) return buffer;
  double* const out = reinterpret_cast<double*>(Buffer(*buffer)->data);
  for (size_t i = 0; i < ring.count(); ++i) out[i] = static_cast<double>(ring.step(i));
  return buffer;
}

Result<RunHandles> Engine::CreateReplay(Handle timeline) {
  Result<Timeline*> found = FindTimeline(timeline);
  if (!found.ok()) return found.status();
  Result<LoadedRun> run = (*found)->MakeReplay();
  if (!run.ok()) return run.status();
  return AddRun(std::move(run->model), std::move(run->trainer), timeline);
}

Result<RunHandles> Engine::Branch(Handle timeline, Handle replay, const TrainConfig& config) {
  Result<Timeline*> found = FindTimeline(timeline);
  if (!found.ok()) return found.status();
  Result<Trainer*> from = FindTrainer(replay);
  if (!from.ok()) return from.status();
  Result<LoadedRun> run = (*found)->Branch(**from, config);
  if (!run.ok()) return run.status();
  return AddRun(std::move(run->model), std::move(run->trainer));
}

}  // namespace heed
