// SPDX-License-Identifier: MIT
#include "wasm/config_values.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace heed {
namespace {

using Catch::Matchers::ContainsSubstring;

std::string ModelFields() {
  std::vector<char> text(4096);
  const size_t length = DescribeModelFields(Span<char>(text.data(), text.size()));
  REQUIRE(length <= text.size());
  return std::string(text.data(), length);
}

TEST_CASE("the field list names every option with its type or its values", "[wasm][config]") {
  const std::string fields = ModelFields();
  REQUIRE(std::count(fields.begin(), fields.end(), '\n') ==
          static_cast<std::ptrdiff_t>(ModelFieldCount()));
  REQUIRE_THAT(fields, ContainsSubstring("vocab number\n"));
  REQUIRE_THAT(fields, ContainsSubstring("norm layer rms none\n"));
  REQUIRE_THAT(fields, ContainsSubstring("bias flag\n"));
  REQUIRE_THAT(fields, ContainsSubstring("dropout float\n"));
  std::vector<char> text(4096);
  const size_t length = DescribeTrainFields(Span<char>(text.data(), text.size()));
  REQUIRE_THAT(std::string(text.data(), length), ContainsSubstring("optimizer adamw sgd lion muon\n"));
}

TEST_CASE("a description that does not fit is measured, not overrun", "[wasm][config]") {
  const std::string fields = ModelFields();
  std::vector<char> text(40, '#');
  REQUIRE(DescribeModelFields(Span<char>(text.data(), 20)) == fields.size());
  REQUIRE(std::string(text.data(), 20) == fields.substr(0, 20));
  REQUIRE(text[20] == '#');
}

TEST_CASE("configurations survive the way out and back", "[wasm][config]") {
  ModelConfig config;
  config.vocab = 65;
  config.norm = NormKind::kRms;
  config.norm_position = NormPosition::kPost;
  config.activation = FeedForwardKind::kSwiglu;
  config.position = PositionKind::kRope;
  config.rope_layout = RopeLayout::kInterleaved;
  config.rope_base = 500.0f;
  config.bias = true;
  config.tied = false;
  config.dropout = 0.1f;
  std::vector<double> values(ModelFieldCount());
  const Span<double> span(values.data(), values.size());
  ValuesFromConfig(config, span);
  ModelConfig back;
  REQUIRE(ConfigFromValues(span, &back).ok());
  std::vector<double> again(values.size());
  ValuesFromConfig(back, Span<double>(again.data(), again.size()));
  REQUIRE(again == values);
  REQUIRE(back.norm == NormKind::kRms);
  REQUIRE(back.dropout == 0.1f);

  TrainConfig train;
  train.seed = 9007199254740991;
  train.optimizer = OptimizerKind::kSgd;
  train.learning_rate = 0.3;
  std::vector<double> train_values(TrainFieldCount());
  const Span<double> train_span(train_values.data(), train_values.size());
  ValuesFromConfig(train, train_span);
  TrainConfig train_back;
  REQUIRE(ConfigFromValues(train_span, &train_back).ok());
  REQUIRE(train_back.seed == train.seed);
  REQUIRE(train_back.optimizer == OptimizerKind::kSgd);
  REQUIRE(train_back.learning_rate == 0.3);
}

TEST_CASE("numbers a field cannot hold are refused, never wrapped (K04 R020)", "[wasm][config]") {
  std::vector<double> good(ModelFieldCount());
  const Span<double> span(good.data(), good.size());
  ModelConfig config;
  config.vocab = 10;
  ValuesFromConfig(config, span);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double wrong : {-1.0, 0.5, 4294967296.0, 1e300, nan, infinity, -infinity}) {
    CAPTURE(wrong);
    std::vector<double> values = good;
    values[0] = wrong;
    const Status status =
        ConfigFromValues(Span<const double>(values.data(), values.size()), &config);
    REQUIRE(status.code() == StatusCode::kInvalidArgument);
    REQUIRE_THAT(status.message(), ContainsSubstring("vocab is"));
  }
  const Status few = ConfigFromValues(Span<const double>(good.data(), 3), &config);
  REQUIRE(few.code() == StatusCode::kInvalidArgument);
}

TEST_CASE("an index beyond an enumeration is refused", "[wasm][config]") {
  std::vector<double> values(TrainFieldCount());
  const Span<double> span(values.data(), values.size());
  ValuesFromConfig(TrainConfig(), span);
  const size_t optimizer = 4;
  REQUIRE(values[optimizer] == 0.0);
  values[optimizer] = 4.0;
  TrainConfig config;
  const Status status = ConfigFromValues(span, &config);
  REQUIRE(status.code() == StatusCode::kInvalidArgument);
  REQUIRE_THAT(status.message(), ContainsSubstring("optimizer is 4"));
}

}  // namespace
}  // namespace heed
