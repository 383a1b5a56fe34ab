// SPDX-License-Identifier: MIT
#include "model/groups.h"

#include <string>
#include <vector>

#include "catch2/catch_test_macros.hpp"
#include "support/small_model.h"

namespace heed::test {
namespace {

std::vector<std::string> Names(const GroupTable& table) {
  std::vector<std::string> names;
  for (const TensorGroup& group : table.groups()) {
    char name[kMaxGroupName];
    GroupName(group, name);
    names.push_back(name);
  }
  return names;
}

// Every option that adds tensors.
ModelConfig FullConfig() {
  ModelConfig config = SmallConfig();
  config.bias = true;
  config.tied = false;
  config.activation = FeedForwardKind::kSwiglu;
  return config;
}

TEST_CASE("groups: names in the order of a pass, and every parameter in exactly one") {
  const auto model = MakeModel(FullConfig());
  GroupTable table;
  REQUIRE(table.Build(model->table()).ok());
  CHECK(Names(table) == std::vector<std::string>{
                            "embeddings", "positions", "layers.0.query", "layers.0.key",
                            "layers.0.value", "layers.0.output", "layers.0.feedForward",
                            "layers.0.norms", "layers.1.query", "layers.1.key", "layers.1.value",
                            "layers.1.output", "layers.1.feedForward", "layers.1.norms", "norm",
                            "head"});
  uint64_t sum = 0;
  for (const TensorGroup& group : table.groups()) sum += group.parameters;
  CHECK(sum == model->parameter_count());
  // 20 x 20 weights and 20 biases.
  CHECK(table.groups()[2].parameters == 420);
  for (size_t i = 0; i < model->table().entries().size; ++i) {
    CHECK(table.groups()[table.of_tensor()[i]] == GroupOf(model->table().entries()[i].spec));
  }
}

TEST_CASE("groups: a model lists only what it has") {
  ModelConfig config = SmallConfig();
  config.layers = 1;
  config.ffn = 0;
  config.norm = NormKind::kNone;
  config.position = PositionKind::kRope;
  const auto model = MakeModel(config);
  GroupTable table;
  REQUIRE(table.Build(model->table()).ok());
  CHECK(Names(table) == std::vector<std::string>{"embeddings", "layers.0.query", "layers.0.key",
                                                 "layers.0.value", "layers.0.output"});
}

TEST_CASE("groups: names mark groups; a kind without a layer marks those of all layers") {
  const auto model = MakeModel(FullConfig());
  GroupTable table;
  REQUIRE(table.Build(model->table()).ok());
  std::vector<uint8_t> flags(table.size(), 9);
  const Span<uint8_t> span(flags.data(), flags.size());
  REQUIRE(table.Mark("", span).ok());
  CHECK(flags == std::vector<uint8_t>(table.size(), 0));
  REQUIRE(table.Mark("query\nlayers.1.norms\nnorm\nhead\n", span).ok());
  std::vector<uint8_t> expected(table.size(), 0);
  expected[2] = expected[8] = expected[13] = expected[14] = expected[15] = 1;
  CHECK(flags == expected);

  for (const char* wrong : {"layers.2.query", "Query", "query ", "\n", "key\nnothing", "layers"}) {
    CAPTURE(wrong);
    const Status status = table.Mark(wrong, span);
    CHECK(status.code() == StatusCode::kInvalidArgument);
    CHECK(std::string(status.message()).find("has no group \"") != std::string::npos);
    CHECK(flags == std::vector<uint8_t>(table.size(), 0));
  }
}

}  // namespace
}  // namespace heed::test
