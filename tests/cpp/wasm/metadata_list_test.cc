// SPDX-License-Identifier: MIT
#include "wasm/metadata_list.h"

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "io/safetensors_writer.h"

namespace heed {
namespace {

using Entries = std::vector<std::pair<std::string, std::string>>;

std::vector<uint8_t> Pack(const Entries& entries) {
  std::vector<uint8_t> bytes;
  const auto length = [&](size_t value) {
    for (int shift = 0; shift < 32; shift += 8) {
      bytes.push_back(static_cast<uint8_t>(value >> shift));
    }
  };
  for (const auto& [key, value] : entries) {
    length(key.size());
    length(value.size());
    bytes.insert(bytes.end(), key.begin(), key.end());
    bytes.insert(bytes.end(), value.begin(), value.end());
  }
  return bytes;
}

Result<MetadataList> Parse(const std::vector<uint8_t>& bytes) {
  return MetadataList::Parse(Span<const uint8_t>(bytes.data(), bytes.size()));
}

TEST_CASE("a metadata list is read entry by entry", "[wasm][metadata]") {
  const Entries entries = {{"tokenizer", "{\"kind\":\"byte\"}"}, {"", "empty key"}, {"empty", ""}};
  const std::vector<uint8_t> bytes = Pack(entries);
  const Result<MetadataList> list = Parse(bytes);
  REQUIRE(list.ok());
  REQUIRE(list->entries().size == entries.size());
  for (size_t i = 0; i < entries.size(); ++i) {
    REQUIRE(list->entries()[i].key == entries[i].first);
    REQUIRE(list->entries()[i].value == entries[i].second);
  }
  REQUIRE(Parse({})->entries().empty());
}

TEST_CASE("bytes that are no metadata list are refused", "[wasm][metadata]") {
  const std::vector<uint8_t> whole = Pack({{"key", "value"}, {"other", "x"}});
  const size_t first_entry = 2 * sizeof(uint32_t) + 8;
  for (size_t length = 1; length < whole.size(); ++length) {
    CAPTURE(length);
    const std::vector<uint8_t> cut(whole.begin(),
                                   whole.begin() + static_cast<std::ptrdiff_t>(length));
    REQUIRE(Parse(cut).ok() == (length == first_entry));
  }
  // Lengths whose sum leaves 32 bits.
  const std::vector<uint8_t> wrapping(8, 0xFF);
  REQUIRE(Parse(wrapping).status().code() == StatusCode::kInvalidArgument);
}

TEST_CASE("only the caller's entries of a file go out", "[wasm][metadata]") {
  const MetadataToWrite written[] = {
      {"heed.kind", "model"}, {"note", "a \"quoted\" \xE2\x82\xAC\n"}, {"b", ""}};
  const Result<SafetensorsWriter> writer = SafetensorsWriter::Plan(
      Span<const TensorToWrite>(), Span<const MetadataToWrite>(written, 3));
  REQUIRE(writer.ok());
  std::vector<uint8_t> file(writer->bytes());
  writer->Write(Span<uint8_t>(file.data(), file.size()));
  const Result<SafetensorsFile> parsed =
      ParseSafetensors(Span<const uint8_t>(file.data(), file.size()));
  REQUIRE(parsed.ok());
  std::vector<uint8_t> bytes(CallerMetadataBytes(*parsed));
  WriteCallerMetadata(*parsed, Span<uint8_t>(bytes.data(), bytes.size()));
  REQUIRE(bytes == Pack({{"b", ""}, {"note", "a \"quoted\" \xE2\x82\xAC\n"}}));
}

}  // namespace
}  // namespace heed
