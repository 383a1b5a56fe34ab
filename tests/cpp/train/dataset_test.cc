// SPDX-License-Identifier: MIT
#include "train/dataset.h"

#include <set>
#include <string>
#include <vector>

#include "catch2/catch_test_macros.hpp"
#include "support/small_model.h"

namespace heed::test {
namespace {

std::vector<int32_t> Ramp(size_t count) {
  std::vector<int32_t> tokens(count);
  for (size_t i = 0; i < count; ++i) tokens[i] = static_cast<int32_t>(i);
  return tokens;
}

Status Init(Dataset* dataset, const std::vector<int32_t>& tokens, uint32_t context,
            double val_fraction, const std::vector<uint8_t>& mask = {}) {
  return dataset->Init(View(tokens), View(mask), 1000, context, val_fraction);
}

TEST_CASE("a text shorter than one window is refused with both lengths, R135") {
  for (const size_t count : {size_t{0}, size_t{1}, size_t{8}}) {
    Dataset dataset;
    const Status status = Init(&dataset, Ramp(count), 8, 0.0);
    CHECK(status.code() == StatusCode::kBadData);
    CHECK(std::string(status.message()).find("context of 8") != std::string::npos);
    CHECK(std::string(status.message()).find(std::to_string(count)) != std::string::npos);
  }
  Dataset dataset;
  REQUIRE(Init(&dataset, Ramp(9), 8, 0.0).ok());
  CHECK(dataset.starts(Split::kTrain) == 1);
  std::vector<int32_t> x(8), y(8);
  for (uint64_t row = 0; row < 50; ++row) {
    dataset.DrawExample(1, row, row, {x.data(), 8}, {y.data(), 8});
    CHECK(x[0] == 0);
    CHECK(y[7] == 8);
  }
}

TEST_CASE("draws stay in the training part and reach all of it") {
  Dataset dataset;
  REQUIRE(Init(&dataset, Ramp(50), 4, 0.2).ok());  // 40 for training: starts 0 to 35
  std::set<int32_t> starts;
  std::vector<int32_t> x(4), y(4);
  for (uint64_t i = 0; i < 2000; ++i) {
    dataset.DrawExample(9, i / 10, i % 10, {x.data(), 4}, {y.data(), 4});
    starts.insert(x[0]);
    CHECK(y[3] == x[0] + 4);
    CHECK(y[3] < 40);
  }
  CHECK(*starts.begin() == 0);
  CHECK(*starts.rbegin() == 35);
  CHECK(starts.size() == 36);
}

TEST_CASE("fixed windows are consecutive, do not overlap and stay in their part") {
  Dataset dataset;
  REQUIRE(Init(&dataset, Ramp(50), 4, 0.2).ok());
  CHECK(dataset.examples(Split::kTrain) == 9);       // 39 targets
  CHECK(dataset.examples(Split::kValidation) == 2);  // 9 targets
  std::vector<int32_t> x(4), y(4);
  dataset.FixedExample(Split::kValidation, 1, {x.data(), 4}, {y.data(), 4});
  CHECK(x == std::vector<int32_t>{44, 45, 46, 47});
  CHECK(y == std::vector<int32_t>{45, 46, 47, 48});
}

TEST_CASE("masked tokens are no targets but stay inputs") {
  std::vector<uint8_t> mask(9, 1);
  mask[3] = 0;
  Dataset dataset;
  REQUIRE(Init(&dataset, Ramp(9), 8, 0.0, mask).ok());
  std::vector<int32_t> x(8), y(8);
  dataset.FixedExample(Split::kTrain, 0, {x.data(), 8}, {y.data(), 8});
  CHECK(y == std::vector<int32_t>{1, 2, -1, 4, 5, 6, 7, 8});
  CHECK(x[3] == 3);
  mask.pop_back();
  Dataset refused;
  CHECK(Init(&refused, Ramp(9), 8, 0.0, mask).code() == StatusCode::kInvalidArgument);
}

TEST_CASE("a token outside the vocabulary is refused with its position") {
  std::vector<int32_t> tokens = Ramp(20);
  for (const int32_t bad : {-1, 1000}) {
    tokens[13] = bad;
    Dataset dataset;
    const Status status = Init(&dataset, tokens, 4, 0.0);
    CHECK(status.code() == StatusCode::kBadData);
    CHECK(std::string(status.message()).find("position 13") != std::string::npos);
  }
}

TEST_CASE("the fingerprint tells texts and masks apart") {
  const std::vector<int32_t> tokens = Ramp(20);
  std::vector<int32_t> changed = tokens;
  changed[19] = 3;
  Dataset a, b, c, d;
  REQUIRE(Init(&a, tokens, 4, 0.0).ok());
  REQUIRE(Init(&b, tokens, 4, 0.5).ok());
  REQUIRE(Init(&c, changed, 4, 0.0).ok());
  REQUIRE(Init(&d, tokens, 4, 0.0, std::vector<uint8_t>(20, 1)).ok());
  CHECK(a.fingerprint() == b.fingerprint());
  CHECK(a.fingerprint() != c.fingerprint());
  CHECK(a.fingerprint() != d.fingerprint());
}

}  // namespace
}  // namespace heed::test
