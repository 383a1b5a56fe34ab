// SPDX-License-Identifier: MIT
#include "train/run_checkpoint.h"

#include <cstdio>
#include <utility>

#include "base/hash.h"
#include "model/checkpoint.h"

namespace heed {
namespace {

// 2^53: the largest count that is exact in JavaScript too.
constexpr uint64_t kMaxTokensSeen = uint64_t{1} << 53;

// "optimizer.m." and so on.
class SlotPrefix {
 public:
  SlotPrefix(OptimizerKind kind, size_t slot) {
    std::snprintf(text_, sizeof(text_), "%s%s.", kOptimizerPrefix, Optimizer::SlotName(kind, slot));
  }
  const char* c_str() const { return text_; }

 private:
  char text_[32];
};

// Of all weights and moments. A run continues with the very bits it was saved with, or not at all.
uint64_t StateHash(const Trainer& trainer) {
  uint64_t hash = trainer.model().WeightsHash();
  for (size_t slot = 0; slot < trainer.optimizer().slots(); ++slot) {
    const Span<float> state = trainer.optimizer().state(slot);
    for (const TensorTable::Entry& entry : trainer.model().table().entries()) {
      hash = HashBytes(state.data + entry.offset,
                       static_cast<size_t>(entry.spec.size() * sizeof(float)), hash);
    }
  }
  return hash;
}

// visit(group name) for each frozen group, visit(tensor name, updates) for each tensor that did not
// take part in every step.
template <typename Visitor>
void ForEachFrozen(const Trainer& trainer, Visitor&& visit) {
  for (size_t i = 0; i < trainer.groups().size(); ++i) {
    if (trainer.frozen()[i] == 0) continue;
    char name[kMaxGroupName];
    GroupName(trainer.groups().groups()[i], name);
    visit(name);
  }
}
template <typename Visitor>
void ForEachOddCount(const Trainer& trainer, Visitor&& visit) {
  for (size_t i = 0; i < trainer.updates().size; ++i) {
    if (trainer.updates()[i] == trainer.step()) continue;
    char name[kMaxTensorName];
    TensorName(trainer.model().table().entries()[i].spec, name);
    visit(name, trainer.updates()[i]);
  }
}

size_t CountRunMetadata(const Trainer& trainer) {
  size_t count = 3;  // step, tokens, state
  ForEachTrainField(trainer.config(), [&](const char*, const auto&) { ++count; });
  const TaskExamples* task = trainer.examples()->task();
  if (task == nullptr) {
    ++count;  // data
  } else {
    ForEachTaskField(task->config(), [&](const char*, const auto&) { ++count; });
  }
  ForEachFrozen(trainer, [&](const char*) { ++count; });
  ForEachOddCount(trainer, [&](const char*, uint64_t) { ++count; });
  return count;
}

Result<TrainConfig> ReadTrainConfig(CheckpointReader* reader) {
  TrainConfig config;
  Status status;
  ForEachTrainField(config, [&](const char* name, auto& field) {
    if (status.ok()) status = reader->ReadField(kTrainPrefix, name, &field);
  });
  HEED_RETURN_IF_ERROR(status);
  status = CheckTrainConfig(config);
  if (!status.ok()) {
    return Status::Error(StatusCode::kBadData, "checkpoint: %s", status.message());
  }
  return config;
}

struct Progress {
  uint64_t step = 0;
  uint64_t tokens = 0;
  uint64_t state = 0;
};

Result<Progress> ReadProgress(CheckpointReader* reader, const TrainConfig& config) {
  Progress progress;
  HEED_RETURN_IF_ERROR(reader->ReadField(kRunPrefix, "step", &progress.step));
  HEED_RETURN_IF_ERROR(reader->ReadField(kRunPrefix, "tokens", &progress.tokens));
  HEED_RETURN_IF_ERROR(reader->ReadFingerprint(kRunPrefix, "state", &progress.state));
  if (progress.step > config.steps || progress.tokens > kMaxTokensSeen) {
    return Status::Error(StatusCode::kBadData,
                         "checkpoint: expected at most %llu steps (heed.train.steps) and 2^53 "
                         "tokens, found %llu steps and %llu tokens",
                         static_cast<unsigned long long>(config.steps),
                         static_cast<unsigned long long>(progress.step),
                         static_cast<unsigned long long>(progress.tokens));
  }
  return progress;
}

// What the run was trained on.
struct SavedData {
  bool has_task = false;
  TaskConfig task;
  uint64_t fingerprint = 0;  // of a text
};

Result<SavedData> ReadData(CheckpointReader* reader) {
  SavedData data;
  data.has_task = reader->Has(kTaskPrefix, "task");
  if (!data.has_task) {
    HEED_RETURN_IF_ERROR(reader->ReadFingerprint(kRunPrefix, "data", &data.fingerprint));
    return data;
  }
  Status status;
  ForEachTaskField(data.task, [&](const char* name, auto& field) {
    if (status.ok()) status = reader->ReadField(kTaskPrefix, name, &field);
  });
  HEED_RETURN_IF_ERROR(status);
  status = CheckTaskConfig(data.task);
  if (!status.ok()) {
    return Status::Error(StatusCode::kBadData, "checkpoint: %s", status.message());
  }
  return data;
}

Status CheckSameTask(const TaskConfig& saved, const TaskConfig& given) {
  if (given.task == saved.task && given.length == saved.length && given.symbols == saved.symbols) {
    return Status();
  }
  return Status::Error(StatusCode::kBadData,
                       "checkpoint: the run was trained on %s with length %u and symbols %u, not "
                       "on %s with %u and %u; leave the data out to take the file's",
                       EnumName(saved.task), saved.length, saved.symbols, EnumName(given.task),
                       given.length, given.symbols);
}

// What the caller gave, or what the file names; kBadData where the two differ.
Result<TrainingData> ChooseData(const SavedData& saved, const TrainingData* given) {
  if (given == nullptr) {
    if (saved.has_task) return TrainingData(saved.task);
    return Status::Error(StatusCode::kInvalidArgument,
                         "checkpoint: the run was trained on a text, which the file does not hold; "
                         "give the same tokens and mask");
  }
  if (std::holds_alternative<TaskConfig>(*given) != saved.has_task) {
    return Status::Error(StatusCode::kBadData,
                         "checkpoint: the run was trained on %s, not on %s; give the same data",
                         saved.has_task ? EnumName(saved.task.task) : "a text",
                         saved.has_task ? "a text" : "a task");
  }
  if (const TaskConfig* task = std::get_if<TaskConfig>(given)) {
    HEED_RETURN_IF_ERROR(CheckSameTask(saved.task, *task));
  }
  return *given;
}

// A task has been compared before its examples were made; see ChooseData.
Status CheckSameText(const SavedData& saved, const ExampleSource& examples) {
  if (examples.task() != nullptr || examples.fingerprint() == saved.fingerprint) return Status();
  return Status::Error(
      StatusCode::kBadData,
      "checkpoint: the run was trained on data with the fingerprint %016llx, not "
      "%016llx; give the same text, tokenizer and mask",
      static_cast<unsigned long long>(saved.fingerprint),
      static_cast<unsigned long long>(examples.fingerprint()));
}

// What is in the file only where it differs from the usual: frozen groups (one flag a group) and
// updates that are not the number of steps (one a tensor). Empty spans: only checks.
Status ReadOddities(CheckpointReader* reader, const Model& model, uint64_t step,
                    Span<uint8_t> frozen, Span<uint64_t> updates) {
  GroupTable groups;
  HEED_RETURN_IF_ERROR(groups.Build(model.table()));
  for (size_t i = 0; i < groups.size(); ++i) {
    char name[kMaxGroupName];
    GroupName(groups.groups()[i], name);
    bool value = false;
    if (!reader->Has(kFrozenPrefix, name)) continue;
    HEED_RETURN_IF_ERROR(reader->ReadField(kFrozenPrefix, name, &value));
    if (!frozen.empty()) frozen[i] = value;
  }
  const Span<const TensorTable::Entry> entries = model.table().entries();
  for (size_t i = 0; i < entries.size; ++i) {
    char name[kMaxTensorName];
    TensorName(entries[i].spec, name);
    uint64_t value = 0;
    if (!reader->Has(kUpdatesPrefix, name)) continue;
    HEED_RETURN_IF_ERROR(reader->ReadField(kUpdatesPrefix, name, &value));
    if (value > step) {
      return Status::Error(StatusCode::kBadData,
                           "checkpoint: metadata %s%s: expected at most the %llu steps of the run, "
                           "found %llu",
                           kUpdatesPrefix, name, static_cast<unsigned long long>(step),
                           static_cast<unsigned long long>(value));
    }
    if (!updates.empty()) updates[i] = value;
  }
  return Status();
}

// That all moments are there, before memory for the trainer is asked for.
Status CheckMoments(CheckpointReader* reader, const TrainConfig& config, const Model& model) {
  for (size_t slot = 0; slot < Optimizer::Slots(config.optimizer); ++slot) {
    const SlotPrefix prefix(config.optimizer, slot);
    for (const TensorTable::Entry& entry : model.table().entries()) {
      HEED_RETURN_IF_ERROR(reader->CheckTensor(prefix.c_str(), entry.spec));
    }
  }
  return Status();
}

Status ReadMoments(const CheckpointReader& reader, Trainer* trainer) {
  const OptimizerKind kind = trainer->config().optimizer;
  for (size_t slot = 0; slot < Optimizer::Slots(kind); ++slot) {
    const SlotPrefix prefix(kind, slot);
    const Span<float> state = trainer->mutable_optimizer()->state(slot);
    for (const TensorTable::Entry& entry : trainer->model().table().entries()) {
      HEED_RETURN_IF_ERROR(reader.ReadTensor(prefix.c_str(), entry.spec,
                                             state.Slice(entry.offset, entry.spec.size())));
    }
  }
  return Status();
}

}  // namespace

Result<CheckpointWriter> PlanRunCheckpoint(const Trainer& trainer,
                                           Span<const MetadataToWrite> metadata) {
  const TrainConfig& config = trainer.config();
  const Span<const TensorTable::Entry> entries = trainer.model().table().entries();
  const size_t slots = trainer.optimizer().slots();
  CheckpointWriter writer;
  HEED_RETURN_IF_ERROR(
      writer.Init(entries.size * (1 + slots), CountModelMetadata() + CountRunMetadata(trainer), metadata));
  HEED_RETURN_IF_ERROR(AddModel(trainer.model(), CheckpointKind::kRun, &writer));
  ForEachTrainField(config, [&](const char* name, const auto& value) {
    writer.AddMetadata(kTrainPrefix, name, value);
  });
  writer.AddMetadata(kRunPrefix, "step", trainer.step());
  writer.AddMetadata(kRunPrefix, "tokens", trainer.tokens_seen());
  if (const TaskExamples* task = trainer.examples()->task()) {
    ForEachTaskField(task->config(), [&](const char* name, const auto& value) {
      writer.AddMetadata(kTaskPrefix, name, value);
    });
  } else {
    writer.AddFingerprint(kRunPrefix, "data", trainer.examples()->fingerprint());
  }
  ForEachFrozen(trainer, [&](const char* name) { writer.AddMetadata(kFrozenPrefix, name, true); });
  ForEachOddCount(trainer, [&](const char* name, uint64_t count) {
    writer.AddMetadata(kUpdatesPrefix, name, count);
  });
  writer.AddFingerprint(kRunPrefix, "state", StateHash(trainer));
  for (size_t slot = 0; slot < slots; ++slot) {
    const SlotPrefix prefix(config.optimizer, slot);
    const Span<float> state = trainer.optimizer().state(slot);
    for (const TensorTable::Entry& entry : entries) {
      HEED_RETURN_IF_ERROR(writer.AddTensor(prefix.c_str(), entry.spec,
                                            state.Slice(entry.offset, entry.spec.size())));
    }
  }
  HEED_RETURN_IF_ERROR(writer.Plan());
  return writer;
}

Result<LoadedRun> LoadRunCheckpoint(const SafetensorsFile& file, const TrainingData* given) {
  CheckpointReader reader;
  HEED_RETURN_IF_ERROR(reader.Open(&file));
  if (reader.kind() != CheckpointKind::kRun) {
    return Status::Error(
        StatusCode::kBadData,
        "checkpoint: expected heed.kind \"run\", found \"model\"; load it as a model "
        "and train that");
  }
  const Result<TrainConfig> config = ReadTrainConfig(&reader);
  if (!config.ok()) return config.status();
  const Result<Progress> progress = ReadProgress(&reader, *config);
  if (!progress.ok()) return progress.status();
  const Result<SavedData> saved = ReadData(&reader);
  if (!saved.ok()) return saved.status();
  const Result<TrainingData> data = ChooseData(*saved, given);
  if (!data.ok()) return data.status();

  Result<std::unique_ptr<Model>> model = ReadModel(&reader);
  if (!model.ok()) return model.status();
  HEED_RETURN_IF_ERROR(CheckMoments(&reader, *config, **model));
  HEED_RETURN_IF_ERROR(ReadOddities(&reader, **model, progress->step, {}, {}));
  HEED_RETURN_IF_ERROR(reader.CheckNothingLeft());

  LoadedRun run;
  run.model = std::move(*model);
  Result<std::unique_ptr<Trainer>> trainer = Trainer::Create(run.model.get(), *config, *data);
  if (!trainer.ok()) return trainer.status();
  run.trainer = std::move(*trainer);
  HEED_RETURN_IF_ERROR(CheckSameText(*saved, *run.trainer->examples()));
  HEED_RETURN_IF_ERROR(ReadMoments(reader, run.trainer.get()));
  const uint64_t state = StateHash(*run.trainer);
  if (state != progress->state) {
    return Status::Error(
        StatusCode::kBadData,
        "checkpoint: weights and moments have the fingerprint %016llx, not the saved "
        "%016llx: the file is damaged or was edited; load it as a model to train "
        "on from its weights",
        static_cast<unsigned long long>(state), static_cast<unsigned long long>(progress->state));
  }
  run.trainer->RestoreProgress(progress->step, progress->tokens);
  HEED_RETURN_IF_ERROR(ReadOddities(&reader, *run.model, progress->step,
                                    run.trainer->mutable_frozen(),
                                    run.trainer->mutable_updates()));
  return run;
}

}  // namespace heed
