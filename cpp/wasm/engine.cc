// SPDX-License-Identifier: MIT
#include "wasm/engine.h"

#include <cstring>
#include <utility>

#include "wasm/text.h"

namespace heed {

Result<Handle> Engine::Add(Object object, Handle parent, const char* what) {
  const Handle handle = objects_.Add(std::move(object), parent);
  if (handle == 0) {
    return Status::Error(StatusCode::kOutOfMemory,
                         "%s: no memory for its handle; dispose what is no longer needed", what);
  }
  return handle;
}

Result<Handle> Engine::CreateBuffer(uint64_t bytes) {
  BufferObject buffer;
  HEED_RETURN_IF_ERROR(buffer.arena.Allocate(bytes, "a buffer"));
  return Add(std::move(buffer), 0, "a buffer");
}

Result<Span<uint8_t>> Engine::Buffer(Handle buffer) {
  Result<BufferObject*> found = Find<BufferObject>(buffer, "buffer");
  if (!found.ok()) return found.status();
  const Arena& arena = (*found)->arena;
  return arena.Slice<uint8_t>(0, arena.bytes());
}

Result<Handle> Engine::CreateModel(const ModelConfig& config, uint64_t seed) {
  Result<std::unique_ptr<Model>> model = Model::Create(config);
  if (!model.ok()) return model.status();
  (*model)->Initialize(seed);
  return Add(std::move(*model), 0, "the model");
}

Result<Model*> Engine::FindModel(Handle model) {
  Result<std::unique_ptr<Model>*> found = Find<std::unique_ptr<Model>>(model, "model");
  if (!found.ok()) return found.status();
  return (*found)->get();
}

Result<Handle> Engine::ListTensors(Handle model) {
  Result<Model*> found = FindModel(model);
  if (!found.ok()) return found.status();
  const auto write = [&](Span<char> text) {
    TextWriter writer(text);
    for (const TensorTable::Entry& entry : (*found)->table().entries()) {
      char name[kMaxTensorName];
      TensorName(entry.spec, name);
      writer.Append(name);
      for (const uint64_t number : {uint64_t{entry.spec.rank}, entry.spec.rows, entry.spec.cols,
                                    uint64_t{entry.spec.decays()}}) {
        writer.Append(" ");
        writer.AppendNumber(number);
      }
      writer.Append("\n");
    }
    return writer.length();
  };
  const size_t length = write(Span<char>());
  Result<Handle> buffer = CreateBuffer(length);
  if (!buffer.ok()) return buffer;
  write(Span<char>(reinterpret_cast<char*>(Buffer(*buffer)->data), length));
  return buffer;
}

Result<Span<const float>> Engine::ReadTensor(Handle model, std::string_view name) {
  Result<Model*> found = FindModel(model);
  if (!found.ok()) return found.status();
  const TensorTable::Entry* entry = (*found)->table().FindByName(name.data(), name.size());
  if (entry == nullptr) {
    const int shown = static_cast<int>(name.size() < 80 ? name.size() : 80);
    return Status::Error(StatusCode::kInvalidArgument,
                         "the model has no tensor \"%.*s\"; tensors() lists the names", shown,
                         name.data());
  }
  return (*found)->parameters().Slice(entry->offset, entry->spec.size());
}

Status Engine::WriteTensor(Handle model, std::string_view name, Handle values) {
  Result<Span<const float>> target = ReadTensor(model, name);
  if (!target.ok()) return target.status();
  Result<Span<float>> source = Elements<float>(values, "the values");
  if (!source.ok()) return source.status();
  if (source->size != target->size) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "tensor \"%.*s\" has %zu values, but %zu were given; tensors() lists the "
                         "shapes",
                         static_cast<int>(name.size()), name.data(), target->size, source->size);
  }
  Model* const owner = *FindModel(model);
  const size_t offset = static_cast<size_t>(target->data - owner->parameters().data);
  std::memcpy(owner->mutable_parameters().data + offset, source->data,
              source->size * sizeof(float));
  // A forward pass over the old values and a backward pass over the new would belong to neither.
  objects_.ForEachChild(model, [](Object& child) {
    if (auto* trainer = std::get_if<std::unique_ptr<Trainer>>(&child)) (*trainer)->WeightsWritten();
  });
  return Status();
}

Result<TrainingData> Engine::FindData(Handle tokens, Handle mask) {
  Result<Span<int32_t>> ids = Elements<int32_t>(tokens, "the tokens");
  if (!ids.ok()) return ids.status();
  TextData data;
  data.tokens = *ids;
  if (mask == 0) return TrainingData(data);
  Result<Span<uint8_t>> bytes = Buffer(mask);
  if (!bytes.ok()) return bytes.status();
  data.mask = *bytes;
  if (data.mask.size != data.tokens.size) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "the loss mask has %zu entries for %zu tokens; make them equal",
                         data.mask.size, data.tokens.size);
  }
  return TrainingData(data);
}

Result<Handle> Engine::CreateTrainer(Handle model, const TrainConfig& config, Handle tokens,
                                     Handle mask) {
  HEED_RETURN_IF_ERROR(FindModel(model).status());
  Result<TrainingData> data = FindData(tokens, mask);
  if (!data.ok()) return data.status();
  return CreateTrainer(model, config, *data);
}

Result<Handle> Engine::CreateTrainer(Handle model, const TrainConfig& config,
                                     const TrainingData& data) {
  Result<Model*> owner = FindModel(model);
  if (!owner.ok()) return owner.status();
  Result<std::unique_ptr<Trainer>> trainer = Trainer::Create(*owner, config, data);
  if (!trainer.ok()) return trainer.status();
  return Add(std::move(*trainer), model, "the trainer");
}

Status Engine::ChangeTrainer(Handle trainer, const TrainConfig& config) {
  Result<std::unique_ptr<Trainer>*> found =
      Find<std::unique_ptr<Trainer>>(trainer, "trainer");
  if (!found.ok()) return found.status();
  Result<std::unique_ptr<Trainer>> next = Trainer::Continue(***found, config);
  if (!next.ok()) return next.status();
  **found = std::move(*next);
  return Status();
}

Result<RunHandles> Engine::AddRun(std::unique_ptr<Model> model, std::unique_ptr<Trainer> trainer,
                                  Handle parent) {
  Result<Handle> model_handle = Add(std::move(model), parent, "the model");
  if (!model_handle.ok()) return model_handle.status();
  Result<Handle> trainer_handle = Add(std::move(trainer), *model_handle, "the trainer");
  if (!trainer_handle.ok()) {
    Dispose(*model_handle);
    return trainer_handle.status();
  }
  return RunHandles{*model_handle, *trainer_handle};
}

Result<RunHandles> Engine::CreateRun(const ModelConfig& model_config, const TrainConfig& config,
                                     Handle tokens, Handle mask) {
  Result<TrainingData> data = FindData(tokens, mask);
  if (!data.ok()) return data.status();
  return CreateRun(model_config, config, *data);
}

Result<RunHandles> Engine::CreateRun(const ModelConfig& model_config, const TrainConfig& config,
                                     const TrainingData& data) {
  Result<std::unique_ptr<Model>> model = Model::Create(model_config);
  if (!model.ok()) return model.status();
  Result<std::unique_ptr<Trainer>> trainer = Trainer::Create(model->get(), config, data);
  if (!trainer.ok()) return trainer.status();
  (*model)->Initialize(config.seed);
  return AddRun(std::move(*model), std::move(*trainer));
}

Result<Trainer*> Engine::FindTrainer(Handle trainer) {
  Result<std::unique_ptr<Trainer>*> found = Find<std::unique_ptr<Trainer>>(trainer, "trainer");
  if (!found.ok()) return found.status();
  return (*found)->get();
}

Result<EngineForecast> Engine::Forecast(const ModelConfig& model, const TrainConfig& config) {
  Result<TrainerBytes> bytes = Trainer::Forecast(model, config);
  if (!bytes.ok()) return bytes.status();
  EngineForecast forecast;
  forecast.bytes = *bytes;
  forecast.parameters = MeasureTensors(model).parameter_count;
  forecast.tokens_per_step =
      static_cast<double>(config.batch) * config.accumulation * model.context;
  forecast.flops_per_step = TrainingFlops(model, forecast.tokens_per_step, model.context);
  return forecast;
}

}  // namespace heed
