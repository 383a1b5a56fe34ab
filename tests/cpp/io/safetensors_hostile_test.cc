// SPDX-License-Identifier: MIT
// Damaged files: cut at every byte, mutated at random, and read while memory runs out. Whatever the
// bytes, the verdict is a Status, and what is accepted is consistent.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "io/safetensors_reader.h"
#include "safetensors_bytes.h"
#include "support/random.h"

namespace heed {
namespace {

using test::Bytes;
using test::FileOf;

const char kHeader[] = R"({"__metadata__":{"format":"pt","k\u00e9":"v\\"},)"
                       R"("layers.0.w":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},)"
                       R"("h":{"dtype":"BF16","shape":[],"data_offsets":[24,26]},)"
                       R"("e":{"dtype":"I64","shape":[0,5],"data_offsets":[26,26]}}  )";

// Walks everything an accepted file offers; false when something contradicts the format. An exact
// copy of the file on the heap lets AddressSanitizer see a read past its end.
bool Consistent(std::string_view file, const SafetensorsFile& parsed) {
  uint64_t covered = 0;
  for (size_t i = 0; i < parsed.tensor_count(); ++i) {
    const SafetensorsTensor tensor = parsed.Tensor(i);
    size_t index = 0;
    if (!parsed.FindTensor(test::Decoded(tensor.name()), &index) || index != i) return false;
    if (tensor.data().size * 8 != tensor.elements() * DTypeBits(tensor.dtype())) return false;
    if (tensor.Shape().c_str()[0] != '[') return false;
    covered += tensor.data().size;
    uint32_t sum = 0;
    for (const uint8_t byte : tensor.data()) sum += byte;
    if (sum > 255 * tensor.data().size) return false;
  }
  for (size_t i = 0; i < parsed.metadata_count(); ++i) {
    const SafetensorsMetadata entry = parsed.Metadata(i);
    size_t index = 0;
    if (!parsed.FindMetadata(test::Decoded(entry.key), &index) || index != i) return false;
    if (test::Decoded(entry.value).size() > file.size()) return false;
  }
  return covered <= file.size();
}

struct Verdicts {
  size_t accepted = 0;
  size_t refused = 0;
};

void Try(std::string_view file, Verdicts* verdicts) {
  const std::vector<uint8_t> exact(file.begin(), file.end());
  const auto parsed = ParseSafetensors({exact.data(), exact.size()});
  if (parsed.ok()) {
    ++verdicts->accepted;
    if (!Consistent(file, parsed.value())) FAIL("inconsistent: " << file.substr(8));
  } else {
    ++verdicts->refused;
    if (parsed.status().code() != StatusCode::kBadData || parsed.status().message()[0] == '\0') {
      FAIL("not a worded kBadData: " << file.substr(8));
    }
  }
}

TEST_CASE("safetensors: a file cut at any byte is refused, and so is any byte more") {
  const std::string file = FileOf(kHeader, 26);
  REQUIRE(ParseSafetensors(Bytes(file)).ok());
  Verdicts verdicts;
  for (size_t size = 0; size < file.size(); ++size) Try(file.substr(0, size), &verdicts);
  Try(file + '\0', &verdicts);
  CHECK(verdicts.accepted == 0);
  CHECK(verdicts.refused == file.size() + 1);
}

TEST_CASE("safetensors: a header cut at any byte is refused") {
  const std::string header = kHeader;
  const size_t end = header.find_last_of('}');
  Verdicts verdicts;
  for (size_t size = 0; size <= end; ++size) Try(FileOf(header.substr(0, size), 26), &verdicts);
  CHECK(verdicts.accepted == 0);
}

TEST_CASE("safetensors: every single byte changed to every value") {
  const std::string file = FileOf(kHeader, 26);
  Verdicts verdicts;
  for (size_t at = 0; at < file.size() - 26; ++at) {
    std::string changed = file;
    for (int value = 0; value < 256; ++value) {
      changed[at] = static_cast<char>(value);
      Try(changed, &verdicts);
    }
  }
  // Letters inside names and values may change; little else may.
  CHECK(verdicts.accepted > 256);
  CHECK(verdicts.refused > 10 * verdicts.accepted / 2);
}

TEST_CASE("safetensors: random mutations of a file") {
  const std::string file = FileOf(kHeader, 26);
  const std::string_view tokens[] = {"{",
                                     "}",
                                     "[",
                                     "]",
                                     ":",
                                     ",",
                                     "\"",
                                     "\\",
                                     "0",
                                     "-1",
                                     "1e9",
                                     "null",
                                     "\"dtype\"",
                                     "\"shape\"",
                                     "\"data_offsets\"",
                                     "\"F32\"",
                                     "\"__metadata__\"",
                                     "18446744073709551616",
                                     "\xFF",
                                     " ",
                                     "\\u0000",
                                     "\\ud83d"};
  test::Random random(106);
  Verdicts verdicts;
  for (int round = 0; round < 30000; ++round) {
    std::string changed = file;
    for (size_t edits = 1 + random.Below(4); edits > 0; --edits) {
      const size_t at = random.Below(changed.size());
      switch (random.Below(5)) {
        case 0:
          changed[at] = static_cast<char>(random.Next());
          break;
        case 1:
          changed.erase(at, 1 + random.Below(9));
          break;
        case 2:
          changed.insert(at, tokens[random.Below(std::size(tokens))]);
          break;
        case 3:
          changed.insert(at, changed.substr(random.Below(changed.size()), random.Below(60)));
          break;
        default:
          changed[at] = static_cast<char>(changed[at] ^ 1 << random.Below(8));
          break;
      }
      if (changed.empty()) changed = "x";
    }
    // Half of them with a fitting length, so that the header's grammar is reached.
    if (round % 2 == 0 && changed.size() > 34) {
      changed = FileOf(changed.substr(8, changed.size() - 34), 26);
    }
    Try(changed, &verdicts);
  }
  CHECK(verdicts.accepted > 100);
  CHECK(verdicts.refused > 20000);
}

TEST_CASE("safetensors: random token soup") {
  const std::string_view tokens[] = {"{",
                                     "}",
                                     "[",
                                     "]",
                                     ":",
                                     ",",
                                     "\"a\"",
                                     "\"b\"",
                                     "0",
                                     "4",
                                     "\"dtype\":\"F32\"",
                                     "\"shape\":[1]",
                                     "\"data_offsets\":[0,4]",
                                     "\"__metadata__\":{",
                                     "\"a\":{"};
  test::Random random(107);
  Verdicts verdicts;
  for (int round = 0; round < 30000; ++round) {
    std::string header = "{";
    for (size_t n = random.Below(14); n > 0; --n) header += tokens[random.Below(std::size(tokens))];
    header += '}';
    Try(FileOf(header, random.Below(2) * 4), &verdicts);
  }
  CHECK(verdicts.accepted > 0);
  CHECK(verdicts.refused > 20000);
}

TEST_CASE("safetensors: the index never needs more memory than the header") {
  std::string tensors = "{", metadata = R"({"__metadata__":{)";
  for (int i = 0; i < 2000; ++i) {
    const std::string comma = i == 0 ? "" : ",";
    // The shortest entries there can be.
    const std::string name = {static_cast<char>('a' + i % 26), static_cast<char>('a' + i / 26 % 26),
                              static_cast<char>('a' + i / 676)};
    tensors += comma + '"' + name + R"(":{"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
    metadata += comma + '"' + name + R"(":"")";
  }
  for (const std::string& header : {tensors + "}", metadata + "}}"}) {
    const std::string file = FileOf(header);
    const uint64_t before = GetArenaTotals().bytes_in_use;
    const auto parsed = ParseSafetensors(Bytes(file));
    REQUIRE(parsed.ok());
    REQUIRE(parsed->tensor_count() + parsed->metadata_count() == 2000);
    CHECK(GetArenaTotals().bytes_in_use - before <= header.size());
  }
}

TEST_CASE("safetensors: out of memory is reported, leaks nothing, and the next read works") {
  const std::string file = FileOf(kHeader, 26);
  const uint64_t in_use = GetArenaTotals().bytes_in_use;
  for (const bool for_ever : {false, true}) {
    SetArenaFailure(1, for_ever);
    const Status status = ParseSafetensors(Bytes(file)).status();
    SetArenaFailure(0, false);
    CHECK(status.code() == StatusCode::kOutOfMemory);
    CHECK(ParseSafetensors(Bytes(file)).ok());
    CHECK(GetArenaTotals().bytes_in_use == in_use);
  }
}

}  // namespace
}  // namespace heed
