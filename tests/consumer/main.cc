// SPDX-License-Identifier: MIT
// Trains a tiny model on a repeating sequence for the number of steps given and prints the first
// and the last loss.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "model/model.h"
#include "train/trainer.h"

namespace {

int Fail(const heed::Status& status) {
  std::fprintf(stderr, "%s\n", status.message());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  heed::ModelConfig model_config;
  model_config.vocab = 8;
  model_config.context = 16;
  model_config.layers = 1;
  model_config.heads = model_config.kv_heads = 2;
  model_config.width = 16;
  model_config.head_width = 8;
  model_config.ffn = 32;
  heed::TrainConfig train_config;
  train_config.steps = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 20;
  train_config.batch = 4;
  train_config.warmup = 0;
  train_config.learning_rate = 1e-2;

  int32_t tokens[512];
  for (int i = 0; i < 512; ++i) tokens[i] = i % 8;

  auto model = heed::Model::Create(model_config);
  if (!model.ok()) return Fail(model.status());
  (*model)->Initialize(train_config.seed);
  auto trainer = heed::Trainer::Create(model->get(), train_config, {tokens, 512}, {});
  if (!trainer.ok()) return Fail(trainer.status());

  double first = 0.0;
  for (;;) {
    auto progress = (*trainer)->Advance(1000.0);
    if (!progress.ok()) return Fail(progress.status());
    if (*progress == heed::Trainer::Progress::kFinished) break;
    if (first == 0.0) first = (*trainer)->metrics().loss;
  }
  std::printf("%.6f %.6f\n", first, (*trainer)->metrics().loss);
  return 0;
}
