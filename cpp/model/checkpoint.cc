// SPDX-License-Identifier: MIT
#include "model/checkpoint.h"

#include "io/json_string.h"

namespace heed {

size_t CountModelMetadata() {
  size_t count = 2;  // heed.format and heed.kind
  const ModelConfig config;
  ForEachField(config, [&](const char*, const auto&) { ++count; });
  return count;
}

Status AddModel(const Model& model, CheckpointKind kind, CheckpointWriter* writer) {
  writer->AddText(kHeedPrefix, "format", kCheckpointFormat);
  writer->AddMetadata(kHeedPrefix, "kind", kind);
  ForEachField(model.config(), [&](const char* name, const auto& value) {
    writer->AddMetadata(kModelPrefix, name, value);
  });
  for (const TensorTable::Entry& entry : model.table().entries()) {
    HEED_RETURN_IF_ERROR(writer->AddTensor(
        "", entry.spec, model.parameters().Slice(entry.offset, entry.spec.size())));
  }
  return Status();
}

Result<CheckpointWriter> PlanModelCheckpoint(const Model& model,
                                             Span<const MetadataToWrite> metadata) {
  CheckpointWriter writer;
  HEED_RETURN_IF_ERROR(writer.Init(model.table().entries().size, CountModelMetadata(), metadata));
  HEED_RETURN_IF_ERROR(AddModel(model, CheckpointKind::kModel, &writer));
  HEED_RETURN_IF_ERROR(writer.Plan());
  return writer;
}

Result<std::unique_ptr<Model>> ReadModel(CheckpointReader* reader) {
  ModelConfig config;
  Status status;
  ForEachField(config, [&](const char* name, auto& field) {
    if (status.ok()) status = reader->ReadField(kModelPrefix, name, &field);
  });
  HEED_RETURN_IF_ERROR(status);
  status = CheckConfig(config);
  if (!status.ok()) {
    return Status::Error(StatusCode::kBadData, "checkpoint: %s", status.message());
  }
  TensorSpec embed;
  ForEachTensor(config, [&](const TensorSpec& spec) {
    if (spec.role == TensorRole::kEmbed) embed = spec;
    if (status.ok()) status = reader->CheckTensor("", spec);
  });
  HEED_RETURN_IF_ERROR(status);
  if (config.tied) HEED_RETURN_IF_ERROR(reader->TakeTiedHead(embed));

  Result<std::unique_ptr<Model>> model = Model::Create(config);
  if (!model.ok()) return model.status();
  for (const TensorTable::Entry& entry : (*model)->table().entries()) {
    HEED_RETURN_IF_ERROR(reader->ReadTensor(
        "", entry.spec, (*model)->mutable_parameters().Slice(entry.offset, entry.spec.size())));
  }
  return model;
}

Result<std::unique_ptr<Model>> LoadModelCheckpoint(const SafetensorsFile& file) {
  CheckpointReader reader;
  HEED_RETURN_IF_ERROR(reader.Open(&file));
  Result<std::unique_ptr<Model>> model = ReadModel(&reader);
  if (!model.ok()) return model.status();
  if (reader.kind() == CheckpointKind::kRun) reader.SkipRun();
  HEED_RETURN_IF_ERROR(reader.CheckNothingLeft());
  return model;
}

bool IsCallerMetadata(const JsonString& key) {
  return !key.StartsWith(kHeedPrefix) && !(key == JsonString("format"));
}

}  // namespace heed
