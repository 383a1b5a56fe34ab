// SPDX-License-Identifier: MIT
// Faults reported against readers and writers of safetensors files, by their ids in the fault log.
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstring>
#include <string>
#include <vector>

#include "base/arena.h"
#include "io/safetensors_reader.h"
#include "io/safetensors_writer.h"
#include "safetensors_bytes.h"

namespace heed {
namespace {

using Catch::Matchers::ContainsSubstring;
using test::Bytes;
using test::Decoded;
using test::FileOf;
using test::ParseStatus;
using test::Refusal;

std::vector<uint8_t> Written(const std::vector<TensorToWrite>& tensors,
                             const std::vector<MetadataToWrite>& metadata) {
  const auto plan =
      SafetensorsWriter::Plan({tensors.data(), tensors.size()}, {metadata.data(), metadata.size()});
  REQUIRE(plan.ok());
  std::vector<uint8_t> file(plan->bytes());
  plan->Write({file.data(), file.size()});
  return file;
}

TEST_CASE("R106 a header length near 2^64 neither wraps nor allocates") {
  const std::string good = FileOf(R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 4);
  REQUIRE(ParseStatus(good).ok());
  const auto with_length = [&](uint64_t length) {
    std::string file = good;
    for (size_t i = 0; i < 8; ++i) file[i] = static_cast<char>(length >> (8 * i));
    return file;
  };
  const uint64_t blocks = GetArenaTotals().blocks, in_use = GetArenaTotals().bytes_in_use;
  // A failing arena shows that the refusal comes before any allocation.
  SetArenaFailure(1, true);
  for (const uint64_t length : {UINT64_MAX, UINT64_MAX - 7, UINT64_MAX - 8, uint64_t{1} << 63,
                                uint64_t{1} << 32, (uint64_t{1} << 32) + 50}) {
    INFO("header length " << length);
    const Status status = ParseStatus(with_length(length));
    CHECK(status.code() == StatusCode::kBadData);
    CHECK_THAT(status.message(), ContainsSubstring(std::to_string(length)));
  }
  const Status past_end = ParseStatus(with_length(good.size() - 7));
  CHECK(past_end.code() == StatusCode::kBadData);
  CHECK_THAT(past_end.message(),
             ContainsSubstring("expected a header of " + std::to_string(good.size() - 7) +
                               " bytes, found " + std::to_string(good.size() - 8)));
  for (size_t size = 0; size < 8; ++size) {
    const Status status = ParseStatus(std::string(size, '\xFF'));
    CHECK(status.code() == StatusCode::kBadData);
    CHECK_THAT(status.message(), ContainsSubstring("found " + std::to_string(size)));
  }
  SetArenaFailure(0, false);
  CHECK(GetArenaTotals().blocks == blocks);
  CHECK(GetArenaTotals().bytes_in_use == in_use);
}

TEST_CASE("R107 a header over the limit is refused by limit and size, one below it is read") {
  const std::string entry = R"({"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1]})";
  const size_t mib = 1u << 20;
  CHECK(Refusal(entry + std::string(17 * mib, ' ') + "}", 1).empty());
  const std::string refusal = Refusal(entry + std::string(126 * mib, ' ') + "}", 1);
  CHECK_THAT(refusal, ContainsSubstring("at most 100000000 bytes"));
  CHECK_THAT(refusal, ContainsSubstring(std::to_string(entry.size() + 126 * mib + 1)));
}

TEST_CASE("R107 the limit is exact") {
  const std::string header = "{" + std::string(kMaxSafetensorsHeader - 2, ' ') + "}";
  REQUIRE(header.size() == kMaxSafetensorsHeader);
  CHECK(Refusal(header).empty());
  CHECK_THAT(Refusal(header + " "), ContainsSubstring("found a length of 100000001"));
}

TEST_CASE("R108 duplicate keys are refused by name") {
  const std::string at0 = R"({"dtype":"U8","shape":[1],"data_offsets":[0,1]})";
  const std::string at1 = R"({"dtype":"U8","shape":[1],"data_offsets":[1,2]})";
  const auto twice = [](const std::string& name) {
    return "the tensor name " + name + " stands twice; expected once";
  };
  CHECK_THAT(Refusal(R"({"w":)" + at0 + R"(,"w":)" + at0 + "}", 1), ContainsSubstring(twice("w")));
  CHECK_THAT(Refusal(R"({"w":)" + at0 + R"(,"w":)" + at1 + "}", 2), ContainsSubstring(twice("w")));
  // The same name in two spellings, and far apart.
  CHECK_THAT(Refusal(R"({"\u0077":)" + at0 + R"(,"a":)" + at1 + R"(,"w":)" + at0 + "}", 2),
             ContainsSubstring("stands twice"));
  CHECK_THAT(Refusal(R"({"w":{"dtype":"U8","dtype":"U8","shape":[1],"data_offsets":[0,1]}})", 1),
             ContainsSubstring("tensor w: the key dtype stands twice"));
  CHECK_THAT(Refusal(R"({"w":{"dtype":"U8","shape":[1],"shape":[2],"data_offsets":[0,1]}})", 1),
             ContainsSubstring("tensor w: the key shape stands twice"));
  CHECK_THAT(
      Refusal(R"({"w":{"data_offsets":[0,1],"dtype":"U8","shape":[1],"data_offset\u0073":[0,1]}})",
              1),
      ContainsSubstring("tensor w: the key data_offset\\u0073 stands twice"));
  CHECK_THAT(Refusal(R"({"__metadata__":{},"__metadata__":{}})"),
             ContainsSubstring("the key __metadata__ stands twice"));
  CHECK_THAT(Refusal(R"({"__metadata__":{},"__metadata\u005f_":{}})"),
             ContainsSubstring("the key __metadata__ stands twice"));
  CHECK_THAT(Refusal(R"({"__metadata__":{"k":"1","j":"2","k":"1"}})"),
             ContainsSubstring("the key k stands twice in __metadata__"));
}

TEST_CASE("R109 unaligned data is read bit for bit") {
  const std::string values("\0\0\xC0\x3F\1\0\x80\x7F\xFF\xFF\x7F\x7F", 12);
  for (size_t pad = 0; pad < 8; ++pad) {
    for (size_t odd : {0u, 1u, 3u, 5u}) {
      const std::string o = std::to_string(odd), e = std::to_string(odd + 12);
      std::string file =
          FileOf(R"({"odd":{"dtype":"U8","shape":[)" + o + R"(],"data_offsets":[0,)" + o +
                 R"(]},"w":{"dtype":"F32","shape":[3],"data_offsets":[)" + o + "," + e + "]}}" +
                 std::string(pad, ' '));
      file += std::string(odd, 'x') + values;
      INFO("header of " << file.size() - 20 - odd << " bytes, F32 after " << odd << " bytes");
      const auto parsed = ParseSafetensors(Bytes(file));
      REQUIRE(parsed.ok());
      size_t index = 0;
      REQUIRE(parsed->FindTensor("w", &index));
      float out[3] = {};
      REQUIRE(parsed->Tensor(index).ReadFloats({out, 3}).ok());
      CHECK(std::bit_cast<uint32_t>(out[0]) == 0x3FC00000);
      CHECK(std::bit_cast<uint32_t>(out[1]) == 0x7F800001);
      CHECK(std::bit_cast<uint32_t>(out[2]) == 0x7F7FFFFF);
    }
  }
}

TEST_CASE("R110 BF16 is written rounded, and NaN as NaN") {
  const float values[] = {std::bit_cast<float>(0x3F818000u), std::bit_cast<float>(0x7F800001u),
                          std::bit_cast<float>(0x80000001u)};
  const uint64_t shape[] = {3};
  const auto file = Written({{"w", {shape, 1}, {values, 3}, DType::kBf16}}, {});
  const auto parsed = ParseSafetensors({file.data(), file.size()});
  REQUIRE(parsed.ok());
  const Span<const uint8_t> data = parsed->Tensor(0).data();
  REQUIRE(data.size == 6);
  CHECK((data[0] | data[1] << 8) == 0x3F82);
  CHECK((data[2] | data[3] << 8) == 0x7FC0);
  CHECK((data[4] | data[5] << 8) == 0x8000);
}

TEST_CASE("R111 metadata hold strings only; an empty object is accepted") {
  CHECK_THAT(Refusal(R"({"__metadata__":{"k":0}})"),
             ContainsSubstring("entry __metadata__, key k: expected a string, found the number 0"));
  CHECK_THAT(Refusal(R"({"__metadata__":{"k":null}})"),
             ContainsSubstring("expected a string, found null"));
  CHECK_THAT(Refusal(R"({"__metadata__":{"k":{"a":"b"}}})"),
             ContainsSubstring("expected a string, found an object"));
  CHECK_THAT(Refusal(R"({"__metadata__":{"k":["b"]}})"), ContainsSubstring("found an array"));
  CHECK_THAT(
      Refusal(R"({"__metadata__":0})"),
      ContainsSubstring("entry __metadata__: expected an object of strings, found the number 0"));
  CHECK_THAT(Refusal(R"({"__metadata__":null})"), ContainsSubstring("found null"));
  CHECK_THAT(Refusal(R"({"__metadata__":[]})"), ContainsSubstring("found an array"));
  CHECK_THAT(Refusal(R"({"__metadata__":{"a" "b"}})"),
             ContainsSubstring("expected ':' after a key"));
  CHECK_THAT(Refusal(R"({"__metadata__":{"a":"b",}})"),
             ContainsSubstring("expected a key, found '}'"));
  CHECK(Refusal(R"({"__metadata__":{}})").empty());
  CHECK(Refusal(R"({"__metadata__":{"":""}})").empty());
}

TEST_CASE("R112 every file written says format pt") {
  const float value = 1.0f;
  const std::vector<MetadataToWrite> cases[] = {
      {}, {{"heed.format", "1"}}, {{"format", "pt"}}, {{"a", "b"}, {"format", "pt"}, {"z", ""}}};
  for (const auto& metadata : cases) {
    const auto file = Written({{"w", {}, {&value, 1}}}, metadata);
    const auto parsed = ParseSafetensors({file.data(), file.size()});
    REQUIRE(parsed.ok());
    size_t format = 0;
    REQUIRE(parsed->FindMetadata("format", &format));
    CHECK(Decoded(parsed->Metadata(format).value) == "pt");
  }
}

TEST_CASE("R115 no tensors with metadata round-trip, a tensor __metadata__ is refused at save") {
  const auto file = Written({}, {{"k", "v"}});
  const auto parsed = ParseSafetensors({file.data(), file.size()});
  REQUIRE(parsed.ok());
  CHECK(parsed->tensor_count() == 0);
  size_t entry = 0;
  REQUIRE(parsed->FindMetadata("k", &entry));
  CHECK(Decoded(parsed->Metadata(entry).value) == "v");

  const float one = 1.0f;
  const TensorToWrite reserved{"__metadata__", {}, {&one, 1}};
  const auto refused = SafetensorsWriter::Plan({&reserved, 1}, {});
  CHECK(refused.status().code() == StatusCode::kInvalidArgument);
  CHECK_THAT(refused.status().message(),
             ContainsSubstring("tensor __metadata__: the name is reserved"));
}

}  // namespace
}  // namespace heed
