// SPDX-License-Identifier: MIT
#include "model/checkpoint.h"

#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "base/arena.h"
#include "catch2/catch_test_macros.hpp"
#include "catch2/matchers/catch_matchers_string.hpp"
#include "support/checkpoint_file.h"
#include "support/small_model.h"

namespace heed::test {
namespace {

using Catch::Matchers::ContainsSubstring;

std::string Save(const Model& model, const std::vector<MetadataToWrite>& metadata = {}) {
  const auto plan = PlanModelCheckpoint(model, View(metadata));
  INFO(plan.status().message());
  REQUIRE(plan.ok());
  return WriteFile(*plan);
}

Result<std::unique_ptr<Model>> Load(const std::string& file) {
  const auto parsed = ParseSafetensors(FileBytes(file));
  if (!parsed.ok()) return parsed.status();
  return LoadModelCheckpoint(*parsed);
}

void CheckRefused(const std::string& file, const std::string& message) {
  const auto loaded = Load(file);
  CHECK(loaded.status().code() == StatusCode::kBadData);
  CHECK_THAT(loaded.status().message(), ContainsSubstring(message));
}

// Every option away from its default, in a valid combination.
ModelConfig OtherConfig() {
  ModelConfig config;
  config.vocab = 11;
  config.context = 9;
  config.layers = 3;
  config.heads = 4;
  config.kv_heads = 2;
  config.width = 12;
  config.head_width = 6;
  config.ffn = 10;
  config.norm = NormKind::kRms;
  config.norm_position = NormPosition::kPost;
  config.activation = FeedForwardKind::kSwiglu;
  config.position = PositionKind::kRope;
  config.rope_base = 123456.7f;
  config.rope_layout = RopeLayout::kInterleaved;
  config.bias = true;
  config.tied = false;
  config.dropout = 0.1f;
  config.softcap = 1.5f;
  config.qk_norm = true;
  config.mask = MaskKind::kNone;
  config.init = InitKind::kUnit;
  return config;
}

std::map<std::string, std::string> FieldTexts(const ModelConfig& config) {
  std::map<std::string, std::string> texts;
  ForEachField(config, [&](const char* name, const auto& value) {
    char text[kMaxFieldText];
    FormatField(value, text);
    texts[std::string("heed.model.") + name] = text;
  });
  return texts;
}

TEST_CASE("a model's checkpoint gives back its options and every bit of its weights") {
  std::vector<ModelConfig> configs = {SmallConfig(), OtherConfig()};
  configs.push_back(SmallConfig());
  configs.back().layers = 0;
  configs.push_back(SmallConfig());
  configs.back().ffn = 0;
  configs.back().norm = NormKind::kNone;
  configs.back().position = PositionKind::kSinusoidal;
  configs.push_back(SmallConfig());
  configs.back().bias = true;
  configs.back().activation = FeedForwardKind::kGeluTanh;
  for (const ModelConfig& config : configs) {
    const auto model = MakeModel(config);
    const std::string file = Save(*model);
    const auto loaded = Load(file);
    INFO(loaded.status().message());
    REQUIRE(loaded.ok());
    CHECK(FieldTexts((*loaded)->config()) == FieldTexts(config));
    CHECK((*loaded)->WeightsHash() == model->WeightsHash());
    CHECK(Save(**loaded) == file);
  }
}

TEST_CASE("a checkpoint describes itself") {
  const CheckpointFile file(Save(*MakeModel(OtherConfig()), {{"note", "mine \xE2\x82\xAC"}}));
  const std::map<std::string, std::string> expected = {
      {"format", "pt"},
      {"note", "mine \xE2\x82\xAC"},
      {"heed.format", "1"},
      {"heed.kind", "model"},
      {"heed.model.vocab", "11"},
      {"heed.model.context", "9"},
      {"heed.model.layers", "3"},
      {"heed.model.heads", "4"},
      {"heed.model.kvHeads", "2"},
      {"heed.model.width", "12"},
      {"heed.model.headWidth", "6"},
      {"heed.model.ffn", "10"},
      {"heed.model.norm", "rms"},
      {"heed.model.normPosition", "post"},
      {"heed.model.activation", "swiglu"},
      {"heed.model.position", "rope"},
      {"heed.model.ropeBase", "123456.7"},
      {"heed.model.ropeLayout", "interleaved"},
      {"heed.model.bias", "true"},
      {"heed.model.tied", "false"},
      {"heed.model.dropout", "0.1"},
      {"heed.model.scale", "0"},
      {"heed.model.softcap", "1.5"},
      {"heed.model.window", "0"},
      {"heed.model.qkNorm", "true"},
      {"heed.model.mask", "none"},
      {"heed.model.value", "learned"},
      {"heed.model.outProjection", "true"},
      {"heed.model.uniformAttention", "false"},
      {"heed.model.init", "unit"},
  };
  CHECK(file.metadata == expected);
  CHECK(file.tensors.size() == 2 + 3 * 18);
  CHECK(file.tensors.at("layers.2.attention.key.weight").shape == std::vector<uint64_t>{12, 12});
  CHECK(file.tensors.at("layers.0.ffn.gate.bias").shape == std::vector<uint64_t>{10});
  CHECK(file.tensors.at("head.weight").shape == std::vector<uint64_t>{11, 12});
}

TEST_CASE("the caller's metadata are told from Heed's own") {
  const std::string file = Save(*MakeModel(SmallConfig()), {{"tokenizer", "{}"}, {"heedful", ""}});
  const auto parsed = ParseSafetensors(FileBytes(file));
  REQUIRE(parsed.ok());
  std::string own;
  for (size_t i = 0; i < parsed->metadata_count(); ++i) {
    const JsonString key = parsed->Metadata(i).key;
    if (IsCallerMetadata(key)) own += std::string(key.raw()) + " ";
  }
  CHECK(own == "heedful tokenizer ");

  const auto model = MakeModel(SmallConfig());
  const std::vector<MetadataToWrite> reserved = {{"heed.kind", "run"}};
  const auto refused = PlanModelCheckpoint(*model, View(reserved));
  CHECK(refused.status().code() == StatusCode::kInvalidArgument);
  CHECK_THAT(refused.status().message(), ContainsSubstring("metadata key heed.kind"));
}

TEST_CASE("each missing, unknown or garbled description is refused by its key") {
  const CheckpointFile good(Save(*MakeModel(OtherConfig())));
  for (const auto& [key, value] : good.metadata) {
    if (key == "format") continue;
    CheckpointFile missing = good;
    missing.metadata.erase(key);
    CheckRefused(missing.Write(), "expected the metadata entry " + key + ", found none");
    for (const char* garbage : {"", "?", "-1", "1e400", "yes", "0x10", " 1", "nan"}) {
      CheckpointFile garbled = good;
      garbled.metadata[key] = garbage;
      INFO(key << " = " << garbage);
      CheckRefused(garbled.Write(), key.substr(key.rfind('.') + 1));
    }
    CheckpointFile longer = good;
    longer.metadata[key] = std::string(1000, '7');
    CheckRefused(longer.Write(), key);
  }
  for (const char* key :
       {"heed.model.heds", "heed.train.steps", "heed.run.step", "heed.", "heed.x"}) {
    CheckpointFile unknown = good;
    unknown.metadata[key] = "1";
    CheckRefused(unknown.Write(), std::string("unknown metadata entry ") + key);
  }
}

TEST_CASE("descriptions that contradict themselves are refused as the options would be") {
  const CheckpointFile good(Save(*MakeModel(OtherConfig())));
  const std::map<std::string, std::pair<std::string, std::string>> rows = {
      {"heed.format", {"2", "expected \"1\", found \"2\""}},
      {"heed.kind", {"models", "heed.kind: expected one of model run, found \"models\""}},
      {"heed.model.norm",
       {"Rms", "heed.model.norm: expected one of layer rms none, found \"Rms\""}},
      {"heed.model.heads", {"3", "kvHeads (2) must divide heads (3)"}},
      {"heed.model.headWidth", {"5", "headWidth is 5"}},
      {"heed.model.vocab", {"0", "vocab is 0"}},
      {"heed.model.layers", {"4294967296", "expected a whole number below 2^32"}},
      {"heed.model.width", {"12.0", "heed.model.width: expected a whole number"}},
      {"heed.model.bias", {"1", "heed.model.bias: expected true or false, found \"1\""}},
      {"heed.model.dropout", {"1", "dropout is 1"}},
      {"heed.model.ropeBase", {"inf", "heed.model.ropeBase: expected a decimal number"}},
  };
  for (const auto& [key, row] : rows) {
    CheckpointFile changed = good;
    changed.metadata[key] = row.first;
    INFO(key);
    CheckRefused(changed.Write(), row.second);
  }
}

TEST_CASE("each missing, additional or misshapen tensor is refused by its name") {
  const CheckpointFile good(Save(*MakeModel(OtherConfig())));
  for (const auto& [name, tensor] : good.tensors) {
    INFO(name);
    CheckpointFile missing = good;
    missing.tensors.erase(name);
    CheckRefused(missing.Write(), "expected a tensor " + name);
    CheckpointFile renamed = missing;
    renamed.tensors[name + "x"] = tensor;
    CheckRefused(renamed.Write(), "expected a tensor " + name);
    CheckpointFile flat = good;
    flat.tensors[name].shape = {1, tensor.values.size()};
    CheckRefused(flat.Write(), "tensor " + name + ": expected shape [");
  }
  for (const char* name : {"layers.3.norm1.weight", "positions.weight", "norm.weight", "x",
                           "optimizer.m.embed.weight"}) {
    CheckpointFile more = good;
    more.tensors[name] = {{1}, {0.0f}};
    CheckRefused(more.Write(), std::string("found a tensor ") + name);
  }
  CheckpointFile transposed = good;
  transposed.tensors["layers.1.ffn.in.weight"].shape = {10, 12};
  CheckRefused(transposed.Write(),
               "tensor layers.1.ffn.in.weight: expected shape [12, 10], found [10, 12]");
  // The same bytes under a type that has no float values.
  std::string integers = good.Write();
  const size_t at = integers.find("\"F32\"", integers.find("\"layers.1.ffn.in.weight\""));
  integers.replace(at, 5, "\"I32\"");
  CheckRefused(integers,
               "tensor layers.1.ffn.in.weight: expected element type F32, F16 or BF16, "
               "found I32");
}

TEST_CASE("R099 a tied model's head may be absent or equal, and is refused when it differs") {
  const auto model = MakeModel(SmallConfig());
  const CheckpointFile good(Save(*model));
  REQUIRE(good.tensors.count("head.weight") == 0);
  CheckpointFile equal = good;
  equal.tensors["head.weight"] = good.tensors.at("embed.weight");
  const auto loaded = Load(equal.Write());
  REQUIRE(loaded.ok());
  CHECK((*loaded)->WeightsHash() == model->WeightsHash());
  CHECK((*loaded)->table().Find(TensorRole::kHead) == nullptr);
  CheckpointFile different = equal;
  different.tensors["head.weight"].values[7] += 1.0f;
  CheckRefused(different.Write(), "the model is tied, but head.weight differs from embed.weight");
  CheckpointFile misshapen = equal;
  misshapen.tensors["head.weight"].shape = {20, 13};
  CheckRefused(misshapen.Write(), "tensor head.weight: expected shape [13, 20], found [20, 13]");
  // Asked for untied, both are kept.
  different.metadata["heed.model.tied"] = "false";
  const auto untied = Load(different.Write());
  REQUIRE(untied.ok());
  CHECK((*untied)->table().Find(TensorRole::kHead) != nullptr);
}

TEST_CASE("non-finite weights are neither loaded nor saved") {
  const float bad[] = {std::numeric_limits<float>::quiet_NaN(),
                       std::numeric_limits<float>::infinity(),
                       -std::numeric_limits<float>::infinity()};
  const CheckpointFile good(Save(*MakeModel(SmallConfig())));
  for (const float value : bad) {
    CheckpointFile file = good;
    file.tensors["layers.1.attention.output.weight"].values[5] = value;
    CheckRefused(file.Write(),
                 "tensor layers.1.attention.output.weight, element 5: expected a finite value");
    const auto model = MakeModel(SmallConfig());
    const TensorTable::Entry* norm = model->table().Find(TensorRole::kNormWeight);
    REQUIRE(norm != nullptr);
    model->mutable_parameters()[norm->offset + 3] = value;
    const auto plan = PlanModelCheckpoint(*model, {});
    CHECK(plan.status().code() == StatusCode::kNonFinite);
    CHECK_THAT(plan.status().message(), ContainsSubstring("tensor norm.weight, element 3"));
  }
}

TEST_CASE("weights stored in half precision are loaded as what they stand for") {
  const CheckpointFile good(Save(*MakeModel(SmallConfig())));
  for (const DType type : {DType::kBf16, DType::kF16}) {
    CheckpointFile halves = good;
    for (auto& entry : halves.tensors) entry.second.dtype = type;
    const auto loaded = Load(halves.Write());
    REQUIRE(loaded.ok());
    const Span<const float> weights = (*loaded)->parameters();
    const float was = good.tensors.at("embed.weight").values[4];
    CHECK(weights[4] ==
          (type == DType::kF16 ? HalfToFloat(FloatToHalf(was)) : Bf16ToFloat(FloatToBf16(was))));
  }
}

TEST_CASE("a description of a huge model without its tensors allocates nothing of that size") {
  CheckpointFile file(Save(*MakeModel(SmallConfig())));
  file.metadata["heed.model.vocab"] = "1000000";
  file.metadata["heed.model.width"] = "65536";
  file.metadata["heed.model.layers"] = "256";
  const std::string bytes = file.Write();
  const uint64_t in_use = GetArenaTotals().bytes_in_use;
  SetArenaFailure(3, true);  // the index and the check list, and no more
  CheckRefused(bytes, "tensor embed.weight: expected shape [1000000, 65536], found [13, 20]");
  SetArenaFailure(0, false);
  CHECK(GetArenaTotals().bytes_in_use == in_use);
}

TEST_CASE("files of other programs are told apart") {
  CheckpointFile file(Save(*MakeModel(SmallConfig())));
  file.metadata = {{"format", "pt"}};
  CheckRefused(file.Write(), "expected the metadata entry heed.format, found none");
  CheckRefused("not a checkpoint", "found a length of");
  CheckRefused("", "expected at least 8 bytes");
}

TEST_CASE("checkpoints while memory runs out: each failure is reported and leaves nothing behind") {
  const auto model = MakeModel(SmallConfig());
  const std::string file = Save(*model);
  const uint64_t in_use = GetArenaTotals().bytes_in_use;
  for (const bool for_ever : {false, true}) {
    size_t failures = 0;
    for (uint64_t nth = 1;; ++nth) {
      SetArenaFailure(nth, for_ever);
      const auto loaded = Load(file);
      SetArenaFailure(0, false);
      if (loaded.ok()) break;
      REQUIRE(loaded.status().code() == StatusCode::kOutOfMemory);
      ++failures;
    }
    CHECK(failures == 4);  // index, check list, tensor table, weights
    failures = 0;
    for (uint64_t nth = 1;; ++nth) {
      SetArenaFailure(nth, for_ever);
      const auto plan = PlanModelCheckpoint(*model, {});
      SetArenaFailure(0, false);
      if (plan.ok()) break;
      REQUIRE(plan.status().code() == StatusCode::kOutOfMemory);
      ++failures;
    }
    CHECK(failures == 2);  // description, order
    CHECK(GetArenaTotals().bytes_in_use == in_use);
  }
  CHECK(Save(*model) == file);
}

}  // namespace
}  // namespace heed::test
