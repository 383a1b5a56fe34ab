// SPDX-License-Identifier: MIT
#include "train/run_checkpoint.h"

#include <algorithm>
#include <bit>
#include <map>
#include <string>
#include <vector>

#include "base/arena.h"
#include "catch2/catch_test_macros.hpp"
#include "catch2/matchers/catch_matchers_string.hpp"
#include "model/checkpoint.h"
#include "support/checkpoint_file.h"
#include "support/random.h"
#include "support/small_model.h"
#include "support/training_run.h"

namespace heed::test {
namespace {

using Catch::Matchers::ContainsSubstring;

TrainConfig SmallTraining() {
  TrainConfig config;
  config.steps = 20;
  config.batch = 2;
  config.warmup = 3;
  config.seed = 9007199254740991;  // the largest there is
  config.learning_rate = 1.0 / 3.0;
  config.val_fraction = 0.2;
  config.label_smoothing = 0.125;
  return config;
}

struct Data {
  std::vector<int32_t> tokens = RandomTokens(300, SmallConfig().vocab);
  std::vector<uint8_t> mask;
};

// A trainer and the model it trains; the trainer goes first.
struct Fresh {
  Fresh(const TrainConfig& config, const Data& data, const ModelConfig& options = SmallConfig())
      : model(MakeModel(options, config.seed, 1.0f)) {
    auto made = Trainer::Create(model.get(), config, View(data.tokens), View(data.mask));
    INFO(made.status().message());
    REQUIRE(made.ok());
    trainer = std::move(*made);
  }
  std::unique_ptr<Model> model;
  std::unique_ptr<Trainer> trainer;
};

std::vector<double> Losses(Trainer* trainer, int steps) {
  std::vector<double> losses;
  for (int i = 0; i < steps; ++i) {
    const auto progress = trainer->Advance(1e12);
    INFO(progress.status().message());
    REQUIRE(progress.ok());
    REQUIRE(*progress == Trainer::Progress::kStepDone);
    losses.push_back(trainer->metrics().loss);
  }
  return losses;
}

std::string Save(const Trainer& trainer, const std::vector<MetadataToWrite>& metadata = {}) {
  const auto plan = PlanRunCheckpoint(trainer, View(metadata));
  INFO(plan.status().message());
  REQUIRE(plan.ok());
  return WriteFile(*plan);
}

Result<LoadedRun> Load(const std::string& file, const Data& data) {
  const auto parsed = ParseSafetensors(FileBytes(file));
  if (!parsed.ok()) return parsed.status();
  return LoadRunCheckpoint(*parsed, View(data.tokens), View(data.mask));
}

void CheckRefused(const std::string& file, const Data& data, const std::string& message) {
  const auto loaded = Load(file, data);
  CHECK(loaded.status().code() == StatusCode::kBadData);
  CHECK_THAT(loaded.status().message(), ContainsSubstring(message));
}

TEST_CASE("R092 a run stopped, saved and resumed goes on bit for bit") {
  Data plain, masked;
  for (size_t i = 0; i < masked.tokens.size(); ++i) masked.mask.push_back(i % 3 != 0);
  ModelConfig dropping = SmallConfig();
  dropping.dropout = 0.2f;
  TrainConfig adamw = SmallTraining(), sgd = SmallTraining(), lion = SmallTraining(),
              muon = SmallTraining(), accumulated = SmallTraining();
  muon.optimizer = OptimizerKind::kMuon;
  muon.learning_rate = 0.01;
  sgd.optimizer = OptimizerKind::kSgd;
  sgd.learning_rate = 0.05;
  sgd.min_learning_rate = 0.01;
  lion.optimizer = OptimizerKind::kLion;
  lion.schedule = ScheduleKind::kWsd;
  accumulated.accumulation = 3;
  accumulated.learning_rate = 0.01;
  const struct {
    const char* name;
    TrainConfig train;
    ModelConfig model;
    const Data* data;
  } rows[] = {{"adamw", adamw, SmallConfig(), &plain},
              {"sgd with a mask", sgd, SmallConfig(), &masked},
              {"lion", lion, SmallConfig(), &plain},
              {"muon", muon, SmallConfig(), &plain},
              {"accumulation and dropout", accumulated, dropping, &plain}};
  for (const auto& row : rows) {
    Fresh straight(row.train, *row.data, row.model);
    const std::vector<double> losses = Losses(straight.trainer.get(), 20);
    for (const int stop : {0, 1, 10, 19, 20}) {
      INFO(row.name << ", stopped after " << stop);
      std::string file;
      {
        Fresh first(row.train, *row.data, row.model);
        Losses(first.trainer.get(), stop);
        file = Save(*first.trainer);
      }
      auto resumed = Load(file, *row.data);
      INFO(resumed.status().message());
      REQUIRE(resumed.ok());
      CHECK(resumed->trainer->step() == static_cast<uint64_t>(stop));
      CHECK(Losses(resumed->trainer.get(), 20 - stop) ==
            std::vector<double>(losses.begin() + stop, losses.end()));
      CHECK(resumed->model->WeightsHash() == straight.model->WeightsHash());
      CHECK(resumed->trainer->tokens_seen() == straight.trainer->tokens_seen());
      CHECK(Save(*resumed->trainer) == Save(*straight.trainer));
    }
  }
}

TEST_CASE("saving in the middle of a step saves its beginning and disturbs nothing") {
  const Data data;
  Fresh run(SmallTraining(), data), undisturbed(SmallTraining(), data);
  Losses(run.trainer.get(), 3);
  const std::string before = Save(*run.trainer);
  for (int i = 0; i < 4; ++i) REQUIRE(*run.trainer->Advance(0.0) == Trainer::Progress::kWorking);
  CHECK(Save(*run.trainer) == before);
  Losses(run.trainer.get(), 2);
  Losses(undisturbed.trainer.get(), 5);
  CHECK(run.model->WeightsHash() == undisturbed.model->WeightsHash());
}

TEST_CASE("a run's checkpoint describes itself") {
  const Data data;
  Fresh run(SmallTraining(), data);
  Losses(run.trainer.get(), 2);
  const CheckpointFile file(Save(*run.trainer, {{"tokenizer", "chars"}}));
  const std::map<std::string, std::string> expected = {
      {"heed.kind", "run"},
      {"heed.train.steps", "20"},
      {"heed.train.batch", "2"},
      {"heed.train.accumulation", "1"},
      {"heed.train.seed", "9007199254740991"},
      {"heed.train.optimizer", "adamw"},
      {"heed.train.learningRate", "0.3333333333333333"},
      {"heed.train.minLearningRate", "0.0001"},
      {"heed.train.schedule", "cosine"},
      {"heed.train.warmup", "3"},
      {"heed.train.decayFraction", "0.2"},
      {"heed.train.beta1", "0.9"},
      {"heed.train.beta2", "0.99"},
      {"heed.train.epsilon", "1e-08"},
      {"heed.train.weightDecay", "0.1"},
      {"heed.train.momentum", "0.9"},
      {"heed.train.clip", "1"},
      {"heed.train.labelSmoothing", "0.125"},
      {"heed.train.valFraction", "0.2"},
      {"heed.run.step", "2"},
      {"heed.run.tokens", "64"},
      {"tokenizer", "chars"},
  };
  for (const auto& [key, value] : expected) {
    INFO(key);
    REQUIRE(file.metadata.count(key) == 1);
    CHECK(file.metadata.at(key) == value);
  }
  CHECK(file.metadata.at("heed.run.data").size() == 16);
  CHECK(file.metadata.at("heed.run.state").size() == 16);
  // Two more entries, format and heed.format, and the model's 26.
  CHECK(file.metadata.size() == expected.size() + 2 + 2 + 26);
  CHECK(file.tensors.size() == 3 * run.model->table().entries().size);
  CHECK(file.tensors.count("optimizer.v.layers.1.ffn.out.weight") == 1);
}

TEST_CASE("a run's file is a model too, without its training") {
  const Data data;
  Fresh run(SmallTraining(), data);
  Losses(run.trainer.get(), 2);
  const std::string file = Save(*run.trainer);
  const auto parsed = ParseSafetensors(FileBytes(file));
  REQUIRE(parsed.ok());
  const auto model = LoadModelCheckpoint(*parsed);
  INFO(model.status().message());
  REQUIRE(model.ok());
  CHECK((*model)->WeightsHash() == run.model->WeightsHash());
  // The other way round it is refused.
  const auto plan = PlanModelCheckpoint(*run.model, {});
  REQUIRE(plan.ok());
  CheckRefused(WriteFile(*plan), data, "expected heed.kind \"run\", found \"model\"");
}

TEST_CASE("a run is resumed on its own data only") {
  Data data;
  Fresh run(SmallTraining(), data);
  const std::string file = Save(*run.trainer);
  Data other = data;
  other.tokens[17] = (other.tokens[17] + 1) % 13;
  CheckRefused(file, other, "the run was trained on data with the fingerprint");
  other = data;
  other.tokens.pop_back();
  CheckRefused(file, other, "the run was trained on data with the fingerprint");
  other = data;
  other.mask.assign(data.tokens.size(), 1);
  other.mask[5] = 0;
  CheckRefused(file, other, "the run was trained on data with the fingerprint");
  other = data;
  other.tokens[0] = 13;
  CheckRefused(file, other, "token 13 at position 0 is outside the vocabulary");
  CHECK(Load(file, data).ok());
}

TEST_CASE("each missing, unknown or garbled part of a run is refused by name") {
  const Data data;
  Fresh run(SmallTraining(), data);
  Losses(run.trainer.get(), 2);
  const CheckpointFile good(Save(*run.trainer));
  REQUIRE(Load(good.Write(), data).ok());
  for (const auto& [key, value] : good.metadata) {
    if (key == "format") continue;
    CheckpointFile changed = good;
    changed.metadata.erase(key);
    CheckRefused(changed.Write(), data, "expected the metadata entry " + key);
    changed.metadata[key] = "?";
    CheckRefused(changed.Write(), data, key);
  }
  for (const char* key : {"heed.train.stepz", "heed.run.x", "heed.y"}) {
    CheckpointFile changed = good;
    changed.metadata[key] = "1";
    CheckRefused(changed.Write(), data, std::string("unknown metadata entry ") + key);
  }
  for (const auto& [name, tensor] : good.tensors) {
    CheckpointFile changed = good;
    changed.tensors.erase(name);
    CheckRefused(changed.Write(), data, "expected a tensor " + name);
  }
  const std::map<std::string, std::pair<std::string, std::string>> rows = {
      {"heed.train.batch", {"0", "batch is 0"}},
      {"heed.train.learningRate", {"-1", "learningRate is -1"}},
      {"heed.train.optimizer", {"sgd", "expected a tensor optimizer.velocity.embed.weight"}},
      {"heed.run.step", {"21", "found 21 steps"}},
      {"heed.run.tokens", {"9007199254740993", "9007199254740993 tokens"}},
      {"heed.run.data", {"0123456789abcdeg", "heed.run.data: expected 16 hexadecimal digits"}},
      {"heed.run.state", {"0123456789abcde", "heed.run.state: expected 16 hexadecimal digits"}},
  };
  for (const auto& [key, row] : rows) {
    CheckpointFile changed = good;
    changed.metadata[key] = row.first;
    CheckRefused(changed.Write(), data, row.second);
  }
  CheckpointFile more = good;
  more.tensors["optimizer.velocity.embed.weight"] = good.tensors.at("embed.weight");
  CheckRefused(more.Write(), data, "found a tensor optimizer.velocity.embed.weight");
}

TEST_CASE("a run's file with one bit of its data changed is refused") {
  const Data data;
  Fresh run(SmallTraining(), data);
  Losses(run.trainer.get(), 2);
  const CheckpointFile good(Save(*run.trainer));
  for (const char* name : {"embed.weight", "layers.1.ffn.in.weight", "optimizer.m.norm.weight",
                           "optimizer.v.layers.0.attention.key.weight"}) {
    CheckpointFile changed = good;
    float& value = changed.tensors[name].values[2];
    value = std::bit_cast<float>(std::bit_cast<uint32_t>(value) ^ 1u);
    INFO(name);
    CheckRefused(changed.Write(), data, "the file is damaged or was edited");
  }
}

TEST_CASE("a run's file damaged at random is refused, or its state is intact") {
  const Data data;
  Fresh run(SmallTraining(), data);
  Losses(run.trainer.get(), 1);
  const std::string good = Save(*run.trainer);
  const size_t header = 8 + static_cast<size_t>(static_cast<unsigned char>(good[0])) +
                        256 * static_cast<size_t>(static_cast<unsigned char>(good[1]));
  REQUIRE(header < good.size());
  Random random(92);
  size_t refused = 0;
  for (int round = 0; round < 600; ++round) {
    std::string file = good;
    // In the header, where structure is, or anywhere.
    const size_t at = random.Below(round % 3 == 0 ? file.size() : header);
    file[at] = static_cast<char>(file[at] ^ 1 << random.Below(8));
    const auto loaded = Load(file, data);
    if (!loaded.ok()) {
      INFO("byte " << at << ": " << loaded.status().message());
      REQUIRE((loaded.status().code() == StatusCode::kBadData ||
               loaded.status().code() == StatusCode::kOutOfMemory));
      REQUIRE(loaded.status().message()[0] != '\0');
      ++refused;
    } else if (loaded->model->WeightsHash() != run.model->WeightsHash()) {
      FAIL("byte " << at << ": a run with other weights was accepted");
    }
  }
  CHECK(refused > 400);
}

TEST_CASE("runs while memory runs out: each failure is reported and leaves nothing behind") {
  const Data data;
  Fresh run(SmallTraining(), data);
  Losses(run.trainer.get(), 1);
  const std::string file = Save(*run.trainer);
  const uint64_t in_use = GetArenaTotals().bytes_in_use;
  for (const bool for_ever : {false, true}) {
    size_t failures = 0;
    for (uint64_t nth = 1;; ++nth) {
      SetArenaFailure(nth, for_ever);
      const auto loaded = Load(file, data);
      SetArenaFailure(0, false);
      if (loaded.ok()) break;
      REQUIRE(loaded.status().code() == StatusCode::kOutOfMemory);
      ++failures;
    }
    CHECK(failures >= 7);  // index, check list, table, weights, data, moments, gradients, passes
    for (uint64_t nth = 1; nth <= 2; ++nth) {
      SetArenaFailure(nth, for_ever);
      const auto plan = PlanRunCheckpoint(*run.trainer, {});
      SetArenaFailure(0, false);
      CHECK(plan.status().code() == StatusCode::kOutOfMemory);
    }
    CHECK(GetArenaTotals().bytes_in_use == in_use);
  }
  CHECK(Save(*run.trainer) == file);
}

Result<LoadedRun> LoadTask(const std::string& file, const TrainingData* data) {
  const auto parsed = ParseSafetensors(FileBytes(file));
  if (!parsed.ok()) return parsed.status();
  return LoadRunCheckpoint(*parsed, data);
}

TEST_CASE("a run on a task names it, and goes on bit for bit without being told") {
  const TaskConfig task = DefaultTask(TaskKind::kSort);
  TrainingRun run(ShortTraining(), task);
  run.Steps(2);
  REQUIRE(run.trainer->SetFrozen("layers.1.query\nembeddings").ok());
  run.Steps(3);
  const std::string file = Save(*run.trainer);
  const TrainingData same = task;
  for (const TrainingData* data : {static_cast<const TrainingData*>(nullptr), &same}) {
    auto loaded = LoadTask(file, data);
    INFO(loaded.status().message());
    REQUIRE(loaded.ok());
    CHECK(std::equal(run.trainer->frozen().begin(), run.trainer->frozen().end(),
                     loaded->trainer->frozen().begin()));
    CHECK(std::equal(run.trainer->updates().begin(), run.trainer->updates().end(),
                     loaded->trainer->updates().begin()));
    TrainingRun straight(ShortTraining(), task);
    straight.Steps(2);
    REQUIRE(straight.trainer->SetFrozen("layers.1.query\nembeddings").ok());
    straight.Steps(3);
    REQUIRE(straight.trainer->SetFrozen("").ok());
    REQUIRE(loaded->trainer->SetFrozen("").ok());
    CHECK(Losses(loaded->trainer.get(), 4) == Losses(straight.trainer.get(), 4));
    CHECK(loaded->model->WeightsHash() == straight.model->WeightsHash());
  }
}

TEST_CASE("a run on other data than the file's is refused with both") {
  TrainingRun run;
  run.Steps(1);
  const std::string file = Save(*run.trainer);
  const auto refused = [&](const TrainingData& data, const char* words) {
    const auto loaded = LoadTask(file, &data);
    CHECK(loaded.status().code() == StatusCode::kBadData);
    CHECK_THAT(loaded.status().message(), ContainsSubstring(words));
  };
  refused(TaskConfig{TaskKind::kPointAndShift, 5, 9}, "length 6 and symbols 8, not on");
  refused(TaskConfig{TaskKind::kCopy, 6, 8}, "not on copy");
  const Data text;
  refused(TextData{View(text.tokens), {}}, "trained on pointAndShift, not on a text");

  const Fresh fresh(SmallTraining(), text);
  const auto loaded = LoadTask(Save(*fresh.trainer), nullptr);
  CHECK(loaded.status().code() == StatusCode::kInvalidArgument);
  CHECK_THAT(loaded.status().message(), ContainsSubstring("trained on a text"));
}

}  // namespace
}  // namespace heed::test
