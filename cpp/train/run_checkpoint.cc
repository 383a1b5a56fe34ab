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

size_t CountRunMetadata() {
  size_t count = 4;  // step, tokens, data, state
  const TrainConfig config;
  ForEachTrainField(config, [&](const char*, const auto&) { ++count; });
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
  uint64_t data = 0;
  uint64_t state = 0;
};

Result<Progress> ReadProgress(CheckpointReader* reader, const TrainConfig& config) {
  Progress progress;
  HEED_RETURN_IF_ERROR(reader->ReadField(kRunPrefix, "step", &progress.step));
  HEED_RETURN_IF_ERROR(reader->ReadField(kRunPrefix, "tokens", &progress.tokens));
  HEED_RETURN_IF_ERROR(reader->ReadFingerprint(kRunPrefix, "data", &progress.data));
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
      writer.Init(entries.size * (1 + slots), CountModelMetadata() + CountRunMetadata(), metadata));
  HEED_RETURN_IF_ERROR(AddModel(trainer.model(), CheckpointKind::kRun, &writer));
  ForEachTrainField(config, [&](const char* name, const auto& value) {
    writer.AddMetadata(kTrainPrefix, name, value);
  });
  writer.AddMetadata(kRunPrefix, "step", trainer.step());
  writer.AddMetadata(kRunPrefix, "tokens", trainer.tokens_seen());
  writer.AddFingerprint(kRunPrefix, "data", trainer.dataset().fingerprint());
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

Result<LoadedRun> LoadRunCheckpoint(const SafetensorsFile& file, Span<const int32_t> tokens,
                                    Span<const uint8_t> mask) {
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

  Result<std::unique_ptr<Model>> model = ReadModel(&reader);
  if (!model.ok()) return model.status();
  HEED_RETURN_IF_ERROR(CheckMoments(&reader, *config, **model));
  HEED_RETURN_IF_ERROR(reader.CheckNothingLeft());

  LoadedRun run;
  run.model = std::move(*model);
  Result<std::unique_ptr<Trainer>> trainer =
      Trainer::Create(run.model.get(), *config, tokens, mask);
  if (!trainer.ok()) return trainer.status();
  run.trainer = std::move(*trainer);
  if (run.trainer->dataset().fingerprint() != progress->data) {
    return Status::Error(
        StatusCode::kBadData,
        "checkpoint: the run was trained on data with the fingerprint %016llx, not "
        "%016llx; give the same text, tokenizer and mask",
        static_cast<unsigned long long>(progress->data),
        static_cast<unsigned long long>(run.trainer->dataset().fingerprint()));
  }
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
  return run;
}

}  // namespace heed
