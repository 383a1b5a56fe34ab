// SPDX-License-Identifier: MIT
#include "train/examples.h"

#include <new>

namespace heed {

Status ExampleSource::Init(const TrainingData& data, const ModelConfig& model,
                           const TrainConfig& train) {
  if (const auto* task = std::get_if<TaskConfig>(&data)) {
    return source_.emplace<TaskExamples>().Init(*task, model.vocab, model.context);
  }
  const TextData& text = *std::get_if<TextData>(&data);
  return source_.emplace<Dataset>().Init(text.tokens, text.mask, model.vocab, model.context,
                                         train.val_fraction);
}

Result<SharedExamples> SharedExamples::Create(const TrainingData& data, const ModelConfig& model,
                                              const TrainConfig& train) {
  SharedExamples examples;
  examples.source_ = new (std::nothrow) ExampleSource();
  if (examples.source_ == nullptr) {
    return Status::Error(StatusCode::kOutOfMemory,
                         "the examples: no memory left; dispose something");
  }
  examples.source_->owners_ = 1;
  HEED_RETURN_IF_ERROR(examples.source_->Init(data, model, train));
  return examples;
}

}  // namespace heed
