// SPDX-License-Identifier: MIT
#include "io/safetensors_writer.h"

#include <algorithm>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <string>
#include <vector>

#include "base/arena.h"
#include "io/safetensors_reader.h"
#include "safetensors_bytes.h"
#include "support/random.h"

namespace heed {
namespace {

using Catch::Matchers::ContainsSubstring;
using test::Decoded;

using Tensors = std::vector<TensorToWrite>;
using Metadata = std::vector<MetadataToWrite>;

Result<SafetensorsWriter> Plan(const Tensors& tensors, const Metadata& metadata) {
  return SafetensorsWriter::Plan({tensors.data(), tensors.size()},
                                 {metadata.data(), metadata.size()});
}

std::string Write(const Tensors& tensors, const Metadata& metadata = {}) {
  const auto plan = Plan(tensors, metadata);
  INFO(plan.status().message());
  REQUIRE(plan.ok());
  std::string file(plan->bytes(), '\xCC');
  plan->Write({reinterpret_cast<uint8_t*>(file.data()), file.size()});
  return file;
}

constexpr float kValues[6] = {1, 2, 3, 4, 5, 6};
constexpr uint64_t kShape[2] = {2, 3};

TEST_CASE("safetensors writer: the bytes of a small file") {
  const std::string file =
      Write({{"w", {kShape, 2}, {kValues, 6}}}, {{"z", "2"}, {"a", "\n\"\\\x01"}});
  const std::string header = R"({"__metadata__":{"a":"\n\"\\\u0001","format":"pt","z":"2"},)"
                             R"("w":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}})";
  const size_t padded = (header.size() + 7) / 8 * 8;
  REQUIRE(file.size() == 8 + padded + 24);
  CHECK(file.substr(0, 8) == std::string{static_cast<char>(padded), 0, 0, 0, 0, 0, 0, 0});
  CHECK(file.substr(8, header.size()) == header);
  CHECK(file.substr(8 + header.size(), padded - header.size()) ==
        std::string(padded - header.size(), ' '));
  CHECK(file.substr(8 + padded, 8) == std::string("\0\0\x80\x3F\0\0\0\x40", 8));
}

TEST_CASE("safetensors writer: data start at a multiple of 8 whatever the header") {
  std::string name;
  for (int i = 0; i < 17; ++i) {
    name += 'n';
    const std::string file = Write({{name, {kShape, 2}, {kValues, 6}}});
    CHECK((file.size() - 24) % 8 == 0);
  }
}

TEST_CASE("safetensors writer: one content, one file") {
  Tensors tensors = {{"b.f16", {kShape, 2}, {kValues, 6}, DType::kF16},
                     {"a.bf16", {kShape, 1}, {kValues, 2}, DType::kBf16},
                     {"c.f32", {kShape, 1}, {kValues, 2}},
                     {"a.f32", {}, {kValues, 1}}};
  Metadata metadata = {{"k2", "x"}, {"k1", "y"}, {"k3", ""}};
  const std::string first = Write(tensors, metadata);
  // All 24 x 6 orders.
  const auto by_name = [](const auto& a, const auto& b) { return a.name < b.name; };
  const auto by_key = [](const auto& a, const auto& b) { return a.key < b.key; };
  std::sort(tensors.begin(), tensors.end(), by_name);
  std::sort(metadata.begin(), metadata.end(), by_key);
  size_t orders = 0;
  do {
    do {
      if (Write(tensors, metadata) != first) FAIL("another order gave other bytes");
      ++orders;
    } while (std::next_permutation(metadata.begin(), metadata.end(), by_key));
  } while (std::next_permutation(tensors.begin(), tensors.end(), by_name));
  CHECK(orders == 144);

  const auto parsed = ParseSafetensors(test::Bytes(first));
  REQUIRE(parsed.ok());
  std::vector<std::string> names;
  for (size_t i = 0; i < parsed->tensor_count(); ++i) {
    names.push_back(Decoded(parsed->Tensor(i).name()));
  }
  CHECK(names == std::vector<std::string>{"a.f32", "c.f32", "a.bf16", "b.f16"});
}

TEST_CASE("safetensors writer: what cannot be written is refused by name") {
  struct Row {
    Tensors tensors;
    Metadata metadata;
    const char* message;
  };
  const TensorToWrite good{"w", {kShape, 2}, {kValues, 6}};
  const uint64_t huge[] = {uint64_t{1} << 32, uint64_t{1} << 32};
  const Row rows[] = {
      {{good, good}, {}, "tensor w is given twice"},
      {{good, {"w", {}, {kValues, 1}, DType::kF16}}, {}, "tensor w is given twice"},
      {{{"a\xFFz", {}, {kValues, 1}}},
       {},
       "tensor a?z: expected UTF-8 text, found an ill-formed byte at 1"},
      {{{"w", {kShape, 2}, {kValues, 5}}}, {}, "tensor w: shape [2, 3] does not fit its 5 values"},
      {{{"w", {}, {}}}, {}, "tensor w: shape [] does not fit its 0 values"},
      {{{"w", {huge, 2}, {kValues, 0}}},
       {},
       "tensor w: shape [4294967296, 4294967296] does not fit"},
      {{{"w", {}, {kValues, 1}, DType::kI32}},
       {},
       "tensor w: expected element type F32, F16 or BF16, found I32"},
      {{}, {{"k", "a"}, {"k", "a"}}, "metadata key k is given twice"},
      {{}, {{"format", "pt"}, {"format", "pt"}}, "metadata key format is given twice"},
      {{}, {{"k\x80", "a"}}, "metadata key k?: expected UTF-8 text"},
      {{}, {{"k", "a\xC3"}}, "metadata value a?: expected UTF-8 text"},
      {{},
       {{"format", "np"}},
       "metadata key format: expected \"pt\" (other tools rely on it), found \"np\""},
  };
  for (const Row& row : rows) {
    INFO(row.message);
    const auto plan = Plan(row.tensors, row.metadata);
    CHECK(plan.status().code() == StatusCode::kInvalidArgument);
    CHECK_THAT(plan.status().message(), ContainsSubstring(row.message));
  }
}

TEST_CASE("safetensors writer: a header that could not be read back is refused") {
  const std::string value(kMaxSafetensorsHeader, 'v');
  const auto plan = Plan({}, {{"k", value}});
  CHECK(plan.status().code() == StatusCode::kInvalidArgument);
  CHECK_THAT(plan.status().message(),
             ContainsSubstring("at most 100000000 bytes (the limit), found 10000004"));
}

TEST_CASE("safetensors writer: out of memory is reported and leaves nothing behind") {
  const uint64_t in_use = GetArenaTotals().bytes_in_use;
  SetArenaFailure(1, false);
  const auto plan = Plan({{"w", {kShape, 2}, {kValues, 6}}}, {});
  SetArenaFailure(0, false);
  CHECK(plan.status().code() == StatusCode::kOutOfMemory);
  CHECK(GetArenaTotals().bytes_in_use == in_use);
}

TEST_CASE("safetensors: random files round-trip bit for bit") {
  test::Random random(20);
  const DType types[] = {DType::kF32, DType::kF16, DType::kBf16};
  const auto text = [&](size_t i) {
    std::string name = std::to_string(i);
    const char* pieces[] = {"a", ".", "\"", "\\", "\n", "\xC3\xA9", "\xF0\x9F\x98\x80", "\x01"};
    for (size_t n = random.Below(8); n > 0; --n) name += pieces[random.Below(8)];
    return name;
  };
  for (int round = 0; round < 300; ++round) {
    INFO("round " << round);
    const size_t count = random.Below(9);
    std::vector<std::string> names(count), keys(random.Below(6)), notes(keys.size());
    std::vector<std::vector<uint64_t>> shapes(count);
    std::vector<std::vector<float>> values(count);
    Tensors tensors(count);
    for (size_t i = 0; i < count; ++i) {
      names[i] = text(i);
      size_t elements = 1;
      for (size_t rank = random.Below(5); rank > 0; --rank) {
        shapes[i].push_back(random.Below(5));
        elements *= shapes[i].back();
      }
      const DType type = types[random.Below(3)];
      for (size_t k = 0; k < elements; ++k) {
        // Values of the type itself, so that nothing is rounded away.
        const uint32_t bits = static_cast<uint32_t>(random.Next());
        values[i].push_back(type == DType::kF32   ? std::bit_cast<float>(bits)
                            : type == DType::kF16 ? HalfToFloat(static_cast<uint16_t>(bits))
                                                  : Bf16ToFloat(static_cast<uint16_t>(bits)));
      }
      tensors[i] = {
          names[i], {shapes[i].data(), shapes[i].size()}, {values[i].data(), elements}, type};
    }
    Metadata metadata(keys.size());
    for (size_t i = 0; i < keys.size(); ++i) {
      keys[i] = text(i);
      notes[i] = text(i);
      metadata[i] = {keys[i], notes[i]};
    }
    const std::string file = Write(tensors, metadata);
    const auto parsed = ParseSafetensors(test::Bytes(file));
    REQUIRE(parsed.ok());
    REQUIRE(parsed->tensor_count() == count);
    REQUIRE(parsed->metadata_count() == keys.size() + 1);
    for (size_t i = 0; i < keys.size(); ++i) {
      size_t entry = 0;
      REQUIRE(parsed->FindMetadata(keys[i], &entry));
      REQUIRE(Decoded(parsed->Metadata(entry).value) == notes[i]);
    }
    for (size_t i = 0; i < count; ++i) {
      size_t index = 0;
      REQUIRE(parsed->FindTensor(names[i], &index));
      const SafetensorsTensor tensor = parsed->Tensor(index);
      REQUIRE(tensor.dtype() == tensors[i].dtype);
      REQUIRE(tensor.HasShape(tensors[i].shape));
      std::vector<float> back(values[i].size());
      REQUIRE(tensor.ReadFloats({back.data(), back.size()}).ok());
      for (size_t k = 0; k < back.size(); ++k) {
        const uint32_t was = std::bit_cast<uint32_t>(values[i][k]);
        const uint32_t is = std::bit_cast<uint32_t>(back[k]);
        // A signalling NaN may come back quiet from a half type; F32 is a copy.
        const bool quieted = tensor.dtype() != DType::kF32 && values[i][k] != values[i][k];
        if (was != is && !(quieted && (was | 0x00400000) == is)) FAIL(names[i] << " element " << k);
      }
    }
  }
}

}  // namespace
}  // namespace heed
