// SPDX-License-Identifier: MIT
// Files and verdicts of the reference implementation, made by
// tests/golden/safetensors/make_files.py.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "io/safetensors_reader.h"
#include "io/safetensors_writer.h"
#include "safetensors_bytes.h"
#include "support/json.h"
#include "support/safetensors_file.h"

namespace heed {
namespace {

using test::Decoded;

std::string Golden(const std::string& name) {
  return test::ReadFile(std::string(HEED_GOLDEN_DIR) + "/safetensors/" + name);
}

std::vector<float> Ramp(int count) {
  std::vector<float> values;
  for (int i = 0; i < count; ++i) values.push_back(static_cast<float>(i * 37 % 101 - 50) / 8);
  return values;
}

std::string Write(const std::vector<TensorToWrite>& tensors,
                  const std::vector<MetadataToWrite>& metadata) {
  const auto plan =
      SafetensorsWriter::Plan({tensors.data(), tensors.size()}, {metadata.data(), metadata.size()});
  REQUIRE(plan.ok());
  std::string file(plan->bytes(), '\xCC');
  plan->Write({reinterpret_cast<uint8_t*>(file.data()), file.size()});
  return file;
}

TEST_CASE("safetensors golden: every element type the reference writes") {
  const char* const types[] = {"BOOL",    "U8",      "I8",          "I16",         "U16",
                               "F16",     "BF16",    "I32",         "U32",         "F32",
                               "F64",     "I64",     "U64",         "C64",         "F8_E4M3",
                               "F8_E5M2", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ", "F4"};
  const std::string file = Golden("types.safetensors");
  const auto parsed = ParseSafetensors(test::Bytes(file));
  REQUIRE(parsed.ok());
  REQUIRE(parsed->tensor_count() == std::size(types));
  for (size_t i = 0; i < std::size(types); ++i) {
    INFO(types[i]);
    size_t index = 0;
    REQUIRE(parsed->FindTensor("t" + std::to_string(i), &index));
    const SafetensorsTensor tensor = parsed->Tensor(index);
    CHECK(std::string(DTypeName(tensor.dtype())) == types[i]);
    const uint64_t elements = std::string(types[i]) == "F4" ? 4 : 2;
    CHECK(tensor.HasShape({&elements, 1}));
    for (size_t byte = 0; byte < tensor.data().size; ++byte) CHECK(tensor.data()[byte] == byte % 2);
  }
}

TEST_CASE("R112 safetensors golden: our bytes are the reference's bytes") {
  const std::vector<float> ramp = Ramp(24);
  const uint64_t shapes[] = {2, 3, 4, 5, 3, 2, 1, 5, 0, 4};
  const std::string written =
      Write({{"layers.0.weight", {shapes, 3}, {ramp.data(), 24}},
             {"b \"quoted\" \xC3\xA9", {shapes + 3, 1}, {ramp.data(), 5}, DType::kBf16},
             {"half", {shapes + 4, 2}, {ramp.data(), 6}, DType::kF16},
             {"a", {shapes + 6, 2}, {ramp.data(), 5}, DType::kBf16},
             {"scalar", {}, {ramp.data(), 1}},
             {"empty", {shapes + 8, 2}, {}}},
            {});
  CHECK(written == Golden("floats.safetensors"));

  std::string odd;
  for (char c = 0; c < 0x20; ++c) odd += c;
  odd += "\"\\/\x7F\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80";
  CHECK(Write({}, {{odd, odd}, {"", ""}, {"formau", ""}}) == Golden("metadata.safetensors"));
}

TEST_CASE("safetensors golden: values of the reference's file") {
  const std::string file = Golden("floats.safetensors");
  const auto parsed = ParseSafetensors(test::Bytes(file));
  REQUIRE(parsed.ok());
  REQUIRE(parsed->tensor_count() == 6);
  const struct {
    const char* name;
    size_t count;
  } rows[] = {{"layers.0.weight", 24},
              {"b \"quoted\" \xC3\xA9", 5},
              {"half", 6},
              {"a", 5},
              {"scalar", 1},
              {"empty", 0}};
  for (const auto& row : rows) {
    INFO(row.name);
    size_t index = 0;
    REQUIRE(parsed->FindTensor(row.name, &index));
    std::vector<float> values(row.count);
    REQUIRE(parsed->Tensor(index).ReadFloats({values.data(), values.size()}).ok());
    CHECK(values == Ramp(static_cast<int>(row.count)));
  }
}

TEST_CASE("safetensors golden: verdicts of the reference, but for what is refused on purpose") {
  const test::Json cases = test::Json::Parse(Golden("verdicts.json"));
  size_t read = 0, refused = 0, stricter = 0;
  for (const test::Json& row : cases.Array()) {
    // The file holds each byte as the character of that number.
    const std::string& utf8 = row["header"].String();
    std::string header;
    for (size_t i = 0; i < utf8.size(); ++i) {
      const auto lead = static_cast<unsigned char>(utf8[i]);
      header += lead < 0x80 ? utf8[i] : static_cast<char>((lead & 3) << 6 | (utf8[++i] & 0x3F));
    }
    const Status status = test::ParseStatus(test::FileOf(header, row["dataBytes"].Size()));
    INFO(header << "\n" << status.message());
    REQUIRE(status.ok() == row["strict"].Bool());
    ++(status.ok() ? read : row["reference"].Bool() ? stricter : refused);
  }
  CHECK(read > 150);
  CHECK(refused > 200);
  CHECK(stricter >= 10);
}

}  // namespace
}  // namespace heed
