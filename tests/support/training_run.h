// SPDX-License-Identifier: MIT
// A model and its trainer, for tests of what a run does.
#ifndef HEED_TESTS_SUPPORT_TRAINING_RUN_H_
#define HEED_TESTS_SUPPORT_TRAINING_RUN_H_

#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "support/small_model.h"
#include "train/trainer.h"

namespace heed::test {

// A step whose batch changes every time, with every kind of update in it.
inline TrainConfig ShortTraining() {
  TrainConfig config;
  config.steps = 40;
  config.batch = 4;
  config.warmup = 2;
  config.seed = 21;
  return config;
}

// A model of the small kind for a task's examples.
inline ModelConfig TaskModel(const TaskConfig& task) {
  ModelConfig config = SmallConfig();
  config.vocab = TaskVocab(task);
  config.context = TaskContext(task);
  return config;
}

struct TrainingRun {
  TrainingRun(const TrainConfig& config, const ModelConfig& model_config, const TrainingData& data)
      : model(MakeModel(model_config, config.seed, 1.0f)) {
    Result<std::unique_ptr<Trainer>> made = Trainer::Create(model.get(), config, data);
    if (!made.ok()) throw std::runtime_error(made.status().message());
    trainer = std::move(*made);
  }
  explicit TrainingRun(const TrainConfig& config = ShortTraining(),
                       const TaskConfig& task = DefaultTask(TaskKind::kPointAndShift))
      : TrainingRun(config, TaskModel(task), task) {}

  void Steps(int count) {
    while (count > 0) {
      const Result<Trainer::Progress> progress = trainer->Advance(1e12);
      if (!progress.ok()) throw std::runtime_error(progress.status().message());
      count -= *progress == Trainer::Progress::kStepDone;
      if (*progress == Trainer::Progress::kFinished) throw std::runtime_error("no step left");
    }
  }
  // Weights and moments.
  uint64_t Hash() const {
    uint64_t hash = model->WeightsHash();
    for (size_t slot = 0; slot < trainer->optimizer().slots(); ++slot) {
      const Span<float> state = trainer->optimizer().state(slot);
      hash = HashBytes(state.data, state.size * sizeof(float), hash);
    }
    return hash;
  }
  // Flags of the groups of these names.
  std::vector<uint8_t> Flags(const char* names) const {
    std::vector<uint8_t> flags(trainer->groups().size());
    const Status status = trainer->groups().Mark(names, {flags.data(), flags.size()});
    if (!status.ok()) throw std::runtime_error(status.message());
    return flags;
  }
  // Weights and all moments of the tensors of a group, or of all others.
  std::vector<float> Floats(const char* names, bool inside = true) const {
    const std::vector<uint8_t> flags = Flags(names);
    std::vector<float> floats;
    for (size_t i = 0; i < model->table().entries().size; ++i) {
      if ((flags[trainer->groups().of_tensor()[i]] != 0) != inside) continue;
      const TensorTable::Entry& entry = model->table().entries()[i];
      for (size_t part = 0; part <= trainer->optimizer().slots(); ++part) {
        const Span<const float> all =
            part == 0 ? model->parameters() : Span<const float>(trainer->optimizer().state(part - 1));
        const Span<const float> own = all.Slice(entry.offset, entry.spec.size());
        floats.insert(floats.end(), own.begin(), own.end());
      }
    }
    return floats;
  }

  std::unique_ptr<Model> model;
  std::unique_ptr<Trainer> trainer;
};

}  // namespace heed::test

#endif  // HEED_TESTS_SUPPORT_TRAINING_RUN_H_
