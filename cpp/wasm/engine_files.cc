// SPDX-License-Identifier: MIT
// Checkpoints: files come in and go out as buffers.
#include <utility>

#include "io/safetensors_reader.h"
#include "model/checkpoint.h"
#include "train/run_checkpoint.h"
#include "wasm/engine.h"
#include "wasm/metadata_list.h"

namespace heed {

Result<Handle> Engine::WriteFile(const Result<CheckpointWriter>& plan) {
  if (!plan.ok()) return plan.status();
  Result<Handle> buffer = CreateBuffer(plan->bytes());
  if (buffer.ok()) plan->Write(*Buffer(*buffer));
  return buffer;
}

Result<MetadataList> Engine::CallerMetadata(Handle metadata) {
  Result<Span<uint8_t>> bytes = Buffer(metadata);
  if (!bytes.ok()) return bytes.status();
  return MetadataList::Parse(*bytes);
}

Result<SafetensorsFile> Engine::ParseFile(Handle file) {
  Result<Span<uint8_t>> bytes = Buffer(file);
  if (!bytes.ok()) return bytes.status();
  return ParseSafetensors(*bytes);
}

Result<Handle> Engine::SaveModel(Handle model, Handle metadata) {
  Result<Model*> found = FindModel(model);
  if (!found.ok()) return found.status();
  Result<MetadataList> list = CallerMetadata(metadata);
  if (!list.ok()) return list.status();
  return WriteFile(PlanModelCheckpoint(**found, list->entries()));
}

Result<Handle> Engine::LoadModel(Handle file) {
  Result<SafetensorsFile> parsed = ParseFile(file);
  if (!parsed.ok()) return parsed.status();
  Result<std::unique_ptr<Model>> model = LoadModelCheckpoint(*parsed);
  if (!model.ok()) return model.status();
  return Add(std::move(*model), 0, "the model");
}

Result<Handle> Engine::SaveTrainer(Handle trainer, Handle metadata) {
  Result<Trainer*> found = FindTrainer(trainer);
  if (!found.ok()) return found.status();
  Result<MetadataList> list = CallerMetadata(metadata);
  if (!list.ok()) return list.status();
  return WriteFile(PlanRunCheckpoint(**found, list->entries()));
}

Result<RunHandles> Engine::ResumeTrainer(Handle file, Handle tokens, Handle mask) {
  Result<TrainingData> data = FindData(tokens, mask);
  if (!data.ok()) return data.status();
  return ResumeTrainer(file, &*data);
}

Result<RunHandles> Engine::ResumeTrainer(Handle file, const TrainingData* data) {
  Result<SafetensorsFile> parsed = ParseFile(file);
  if (!parsed.ok()) return parsed.status();
  Result<LoadedRun> run = LoadRunCheckpoint(*parsed, data);
  if (!run.ok()) return run.status();
  return AddRun(std::move(run->model), std::move(run->trainer));
}

Result<Handle> Engine::ReadMetadata(Handle file) {
  Result<SafetensorsFile> parsed = ParseFile(file);
  if (!parsed.ok()) return parsed.status();
  Result<Handle> buffer = CreateBuffer(CallerMetadataBytes(*parsed));
  if (buffer.ok()) WriteCallerMetadata(*parsed, *Buffer(*buffer));
  return buffer;
}

}  // namespace heed
