// SPDX-License-Identifier: MIT
#include "model/config.h"

#include <limits>
#include <string>

#include "catch2/catch_test_macros.hpp"
#include "model/tensors.h"
#include "support/small_model.h"

namespace heed::test {
namespace {

bool Contains(const char* text, const std::string& part) {
  return std::string(text).find(part) != std::string::npos;
}

// One wrong option in an otherwise valid configuration; the message must name it.
template <typename Change>
void Refused(const char* option, Change&& change) {
  ModelConfig config = SmallConfig();
  change(config);
  const Status status = CheckConfig(config);
  CAPTURE(option, status.message());
  CHECK(status.code() == StatusCode::kInvalidArgument);
  CHECK(Contains(status.message(), option));
}

TEST_CASE("a configuration outside its ranges is refused by name") {
  REQUIRE(CheckConfig(SmallConfig()).ok());
  Refused("vocab", [](ModelConfig& c) { c.vocab = 0; });
  Refused("vocab", [](ModelConfig& c) { c.vocab = 4000000000u; });
  Refused("context", [](ModelConfig& c) { c.context = 0; });
  Refused("layers", [](ModelConfig& c) { c.layers = 257; });
  Refused("heads", [](ModelConfig& c) { c.heads = 0; });
  Refused("kvHeads", [](ModelConfig& c) { c.kv_heads = 0; });
  Refused("kvHeads", [](ModelConfig& c) { c.heads = 6, c.kv_heads = 4; });
  Refused("width", [](ModelConfig& c) { c.width = 0; });
  Refused("headWidth", [](ModelConfig& c) { c.head_width = 0; });
  Refused("headWidth", [](ModelConfig& c) { c.position = PositionKind::kRope, c.head_width = 7; });
  Refused("ffn", [](ModelConfig& c) { c.ffn = 300000; });
  Refused("ropeBase", [](ModelConfig& c) { c.rope_base = 1.0f; });
  Refused("dropout", [](ModelConfig& c) { c.dropout = 1.0f; });
  Refused("dropout", [](ModelConfig& c) { c.dropout = -0.1f; });
  Refused("dropout", [](ModelConfig& c) {
    c.dropout = std::numeric_limits<float>::quiet_NaN();
  });
  Refused("scale", [](ModelConfig& c) { c.scale = -1.0f; });
  Refused("softcap", [](ModelConfig& c) { c.softcap = std::numeric_limits<float>::infinity(); });
  Refused("window", [](ModelConfig& c) { c.window = 70000; });
  Refused("window", [](ModelConfig& c) { c.window = 4, c.mask = MaskKind::kNone; });
  for (const char* option : {"scale", "softcap", "alibi", "rope", "qkNorm"}) {
    Refused(option, [&](ModelConfig& c) {
      c.uniform_attention = true;
      const std::string name = option;
      if (name == "scale") c.scale = 1.0f;
      if (name == "softcap") c.softcap = 1.0f;
      if (name == "alibi") c.position = PositionKind::kAlibi;
      if (name == "qkNorm") c.qk_norm = true;
      if (name == "rope") c.position = PositionKind::kRope;
    });
  }
  Refused("norm", [](ModelConfig& c) { c.norm = static_cast<NormKind>(9); });
  Refused("activation", [](ModelConfig& c) { c.activation = static_cast<FeedForwardKind>(9); });
}

TEST_CASE("every enumeration parses its own names and no others") {
  NormKind norm = NormKind::kNone;
  CHECK(ParseEnum("rms", 3, &norm));
  CHECK(norm == NormKind::kRms);
  CHECK_FALSE(ParseEnum("rm", 2, &norm));
  CHECK_FALSE(ParseEnum("RMS", 3, &norm));
  CHECK(norm == NormKind::kRms);
  CHECK(std::string(EnumName(FeedForwardKind::kSwiglu)) == "swiglu");
  CHECK(EnumCount<PositionKind>() == 5);
}

TEST_CASE("FLOPs of the nanogpt-cpu step are those of the peers' count") {
  ModelConfig config;
  config.vocab = 65;
  // 4 layers of 12 C^2 and a head of C V: 6 * 794752 + 12 * 4 * 128 * 64 a token, 768 tokens.
  CHECK(TrainingFlops(config, 768, 64) == 768.0 * (6.0 * 794752 + 12.0 * 4 * 128 * 64));
}

TEST_CASE("the tensor table has every tensor once, aligned, without overlap") {
  ModelConfig config = SmallConfig();
  config.bias = true;
  config.tied = false;
  config.activation = FeedForwardKind::kSwiglu;
  TensorTable table;
  REQUIRE(table.Build(config).ok());
  uint64_t end = 0, count = 0;
  for (const TensorTable::Entry& entry : table.entries()) {
    CHECK(entry.offset % (kAlignment / sizeof(float)) == 0);
    CHECK(entry.offset >= end);
    end = entry.offset + entry.spec.size();
    count += entry.spec.size();
    CHECK(table.Find(entry.spec.role, entry.spec.layer) == &entry);
    char name[kMaxTensorName];
    TensorName(entry.spec, name);
    CHECK(table.FindByName(name, std::string(name).size()) == &entry);
  }
  CHECK(end <= table.floats());
  CHECK(count == table.parameter_count());
  CHECK(MeasureTensors(config).floats == table.floats());
  CHECK(MeasureTensors(config).parameter_count == table.parameter_count());
  CHECK(table.Find(TensorRole::kQueryWeight, 2) == nullptr);
  CHECK(table.FindByName("layers.0.ffn.in.weigh", 21) == nullptr);
}

TEST_CASE("tensors a configuration does not have are absent") {
  ModelConfig config = SmallConfig();
  config.ffn = 0;
  config.norm = NormKind::kNone;
  config.position = PositionKind::kRope;
  TensorTable table;
  REQUIRE(table.Build(config).ok());
  CHECK(table.Find(TensorRole::kPositions) == nullptr);
  CHECK(table.Find(TensorRole::kNorm1Weight, 0) == nullptr);
  CHECK(table.Find(TensorRole::kFfnInWeight, 1) == nullptr);
  CHECK(table.Find(TensorRole::kQueryBias, 1) == nullptr);
  CHECK(table.Find(TensorRole::kHead) == nullptr);
  CHECK(table.entries().size == 1 + 2 * 4);
}

TEST_CASE("a model beyond the address space is refused with its bytes, R013") {
  ModelConfig config;
  config.vocab = 1000000;
  config.width = 65536;
  config.ffn = 262144;
  config.layers = 256;
  const Result<std::unique_ptr<Model>> model = Model::Create(config);
  REQUIRE_FALSE(model.ok());
  CHECK(model.status().code() == StatusCode::kOutOfMemory);
  CHECK(Contains(model.status().message(), "bytes"));
}

}  // namespace
}  // namespace heed::test
