// SPDX-License-Identifier: MIT
#include "io/safetensors_reader.h"

#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <string>
#include <vector>

#include "safetensors_bytes.h"

namespace heed {
namespace {

using Catch::Matchers::ContainsSubstring;
using test::Bytes;
using test::Decoded;
using test::FileOf;
using test::Refusal;

TEST_CASE("safetensors: a file is listed in the order of its data and found by name") {
  const std::string file =
      FileOf(R"({"b":{"dtype":"F32","shape":[2,1],"data_offsets":[4,12]},)"
             R"("__metadata__":{"z":"last","a":"f\u00e9"},)"
             R"( "a" : { "shape" : [ ] , "data_offsets" : [ 0 , 4 ] , "dtype" : "U32" } } )",
             12);
  const auto parsed = ParseSafetensors(Bytes(file));
  REQUIRE(parsed.ok());
  REQUIRE(parsed->tensor_count() == 2);
  const SafetensorsTensor a = parsed->Tensor(0), b = parsed->Tensor(1);
  CHECK(Decoded(a.name()) == "a");
  CHECK(a.dtype() == DType::kU32);
  CHECK(a.rank() == 0);
  CHECK(a.elements() == 1);
  CHECK(a.data().size == 4);
  CHECK(a.data()[3] == 3);
  CHECK(a.HasShape({}));
  CHECK(std::string(a.Shape().c_str()) == "[]");
  CHECK(Decoded(b.name()) == "b");
  CHECK(b.elements() == 2);
  CHECK(b.data()[0] == 4);
  const uint64_t shape[] = {2, 1}, other[] = {1, 2};
  CHECK(b.HasShape({shape, 2}));
  CHECK_FALSE(b.HasShape({other, 2}));
  CHECK_FALSE(b.HasShape({shape, 1}));
  CHECK(std::string(b.Shape().c_str()) == "[2, 1]");

  size_t index = 9;
  REQUIRE(parsed->FindTensor("b", &index));
  CHECK(index == 1);
  CHECK_FALSE(parsed->FindTensor("c", &index));
  CHECK_FALSE(parsed->FindTensor("", &index));

  REQUIRE(parsed->metadata_count() == 2);
  CHECK(Decoded(parsed->Metadata(0).key) == "a");
  CHECK(Decoded(parsed->Metadata(0).value) == "f\xC3\xA9");
  CHECK(Decoded(parsed->Metadata(1).key) == "z");
  REQUIRE(parsed->FindMetadata("z", &index));
  CHECK(index == 1);
  CHECK_FALSE(parsed->FindMetadata("b", &index));
  CHECK_FALSE(parsed->FindMetadata("zz", &index));
}

TEST_CASE("safetensors: empty tensors stand anywhere, names may be escaped or empty") {
  CHECK(Refusal("{}").empty());
  CHECK(Refusal(R"({"e":{"dtype":"F32","shape":[0,7],"data_offsets":[4,4]},)"
                R"("f":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                R"("d":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}})",
                4)
            .empty());
  const std::string file =
      FileOf(R"({"\u0061\"\n":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
             R"("":{"dtype":"F4","shape":[2],"data_offsets":[1,2]}})",
             2);
  const auto parsed = ParseSafetensors(Bytes(file));
  REQUIRE(parsed.ok());
  size_t index = 9;
  REQUIRE(parsed->FindTensor("a\"\n", &index));
  CHECK(index == 0);
  REQUIRE(parsed->FindTensor("", &index));
  CHECK(index == 1);
  CHECK(parsed->Tensor(1).elements() == 2);
}

TEST_CASE("safetensors: values are read as float") {
  // F32 1.0, F16 1.5, BF16 -2.0 and an I32.
  std::string file = FileOf(R"({"f":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                            R"("h":{"dtype":"F16","shape":[1],"data_offsets":[4,6]},)"
                            R"("b":{"dtype":"BF16","shape":[1],"data_offsets":[6,8]},)"
                            R"("i":{"dtype":"I32","shape":[1],"data_offsets":[8,12]}})");
  file += std::string("\0\0\x80\x3F\0\x3E\0\xC0\1\0\0\0", 12);
  const auto parsed = ParseSafetensors(Bytes(file));
  REQUIRE(parsed.ok());
  float value = 0.0f;
  REQUIRE(parsed->Tensor(0).ReadFloats({&value, 1}).ok());
  CHECK(value == 1.0f);
  REQUIRE(parsed->Tensor(1).ReadFloats({&value, 1}).ok());
  CHECK(value == 1.5f);
  REQUIRE(parsed->Tensor(2).ReadFloats({&value, 1}).ok());
  CHECK(value == -2.0f);
  const Status integer = parsed->Tensor(3).ReadFloats({&value, 1});
  CHECK(integer.code() == StatusCode::kBadData);
  CHECK_THAT(integer.message(), ContainsSubstring("tensor i: expected element type F32, F16 or BF16"
                                                  ", found I32"));
  float two[2] = {};
  CHECK_THAT(parsed->Tensor(0).ReadFloats({two, 2}).message(),
             ContainsSubstring("tensor f: expected 2 elements, found 1"));
}

TEST_CASE("safetensors: long shapes are cut in messages") {
  const std::vector<uint64_t> big(30, UINT64_MAX);
  CHECK(std::string(ShapeText({big.data(), big.size()}).c_str()) ==
        "[18446744073709551615, 18446744073709551615, 18446744073709551615...]");
  // Every place where the cut can fall.
  for (size_t count = 0; count < 60; ++count) {
    std::vector<uint64_t> extents(count, 7);
    if (count > 10) extents[10] = 1000000007;
    std::string whole = "[";
    for (size_t i = 0; i < count; ++i) whole += (i > 0 ? ", " : "") + std::to_string(extents[i]);
    const std::string text = ShapeText({extents.data(), count}).c_str();
    INFO(text);
    REQUIRE(text.size() < 72);
    if (text.size() > 4 && text.substr(text.size() - 4) == "...]") {
      REQUIRE(whole.substr(0, text.size() - 4) == text.substr(0, text.size() - 4));
      REQUIRE(whole.size() > 40);
    } else {
      REQUIRE(text == whole + "]");
    }
  }
}

struct Refused {
  const char* header;
  size_t data_bytes;
  const char* message;  // a part of it
};

TEST_CASE("safetensors: malformed headers are refused by entry, key, expected and found") {
  const Refused rows[] = {
      // The outer object.
      {"", 0, "expected '{' at its first byte, found the end of the header"},
      {" {}", 0, "expected '{' at its first byte"},
      {"[]", 0, "found an array (byte 0)"},
      {"\xEF\xBB\xBF{}", 0, "found a character that starts no JSON value"},
      {"{", 0, "expected a key or '}', found the end of the header (byte 1)"},
      {"{1:2}", 0, "expected a key or '}', found the number 1"},
      {R"({"a")", 0, "expected ':' after a key, found the end"},
      {R"({"a",)", 0, "expected ':' after a key, found ','"},
      {"{}{}", 0, "expected nothing but spaces after its '}', found an object (byte 2)"},
      {"{}]", 0, "found ']'"},
      {R"({"__metadata__":{},})", 0, "expected a key, found '}'"},
      {R"({"__metadata__":{} "a":{}})", 0, "expected ',' or '}', found the string \"a\""},
      {"{\"\xFF\":{}}", 0, "found ill-formed UTF-8 in a string (byte 1)"},
      {R"({"\ud800":{}})", 0, "found an unpaired surrogate in a string"},
      // A tensor's entry.
      {R"({"w":null})", 0,
       "entry w: expected an object with dtype, shape and data_offsets, found null"},
      {R"({"w":[]})", 0, "found an array"},
      {R"({"w":{}})", 0,
       "tensor w: expected the keys dtype, shape and data_offsets, found no dtype"},
      {R"({"w":{"dtype":"F32"}})", 0, "found no shape"},
      {R"({"w":{"dtype":"F32","shape":[]}})", 0, "found no data_offsets"},
      {R"({"w":{"dtype":"F32","shape":[],"offsets":[0,4]}})", 4,
       "tensor w: expected the keys dtype, shape and data_offsets, found offsets"},
      {R"({"w":{"dtype":"F32",}})", 0, "entry w: expected a key, found '}'"},
      {R"({"w":{"dtype" "F32"}})", 0, "expected ':' after a key, found the string \"F32\""},
      // dtype.
      {R"({"w":{"dtype":"f32","shape":[],"data_offsets":[0,4]}})", 4,
       "entry w, key dtype: expected an element type such as \"F32\", \"F16\" or \"BF16\", found "
       "the "
       "string \"f32\""},
      {R"({"w":{"dtype":5,"shape":[],"data_offsets":[0,4]}})", 4,
       "key dtype: expected an element type"},
      {R"({"w":{"dtype":true,"shape":[],"data_offsets":[0,4]}})", 4, "found true"},
      {R"({"w":{"dtype":false,"shape":[],"data_offsets":[0,4]}})", 4, "found false"},
      // shape.
      {R"({"w":{"shape":4}})", 4, "key shape: expected an array of integers, found the number 4"},
      {R"({"w":{"shape":[1.0]}})", 4,
       "expected a plain integer from 0 to 2^64 - 1, found the number 1.0"},
      {R"({"w":{"shape":[1e0]}})", 4, "found the number 1e0"},
      {R"({"w":{"shape":[-1]}})", 4, "found the number -1"},
      {R"({"w":{"shape":[-0]}})", 4, "found the number -0"},
      {R"({"w":{"shape":[01]}})", 4, "found a number with a leading zero"},
      {R"({"w":{"shape":["1"]}})", 4, "found the string \"1\""},
      {R"({"w":{"shape":[1,]}})", 4, "found ']'"},
      {R"({"w":{"shape":[1 1]}})", 4, "expected ',' or ']', found the number 1"},
      {R"({"w":{"shape":[[1]]}})", 4, "found an array"},
      {R"({"w":{"shape":[18446744073709551616]}})", 4, "found the number 18446744073709551616"},
      {R"({"w":{"shape":[)", 4, "found the end of the header"},
      {R"({"w":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}})", 0,
       "tensor w: expected fewer than 2^64 bits of data, found a shape with more"},
      {R"({"w":{"dtype":"F32","shape":[4294967296,4294967296,0],"data_offsets":[0,0]}})", 0,
       "found a shape with more"},
      {R"({"w":{"dtype":"F32","shape":[1152921504606846976],"data_offsets":[0,0]}})", 0,
       "found a shape with more"},
      // data_offsets.
      {R"({"w":{"data_offsets":"04"}})", 4, "key data_offsets: expected an array of two integers"},
      {R"({"w":{"data_offsets":[]}})", 4, "expected exactly two integers, found ']'"},
      {R"({"w":{"data_offsets":[0]}})", 4, "expected exactly two integers, found ']'"},
      {R"({"w":{"data_offsets":[0,4,4]}})", 4, "expected exactly two integers, found the number 4"},
      {R"({"w":{"data_offsets":[0.0,4]}})", 4, "found the number 0.0"},
      {R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", 4,
       "expected data_offsets in ascending order, found [4, 0]"},
      {R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", 4,
       "its data ends at byte 8, but the file has 4 bytes of data"},
      {R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", 4,
       "expected 8 bytes by shape and dtype, found 4 by data_offsets"},
      {R"({"w":{"dtype":"F16","shape":[1],"data_offsets":[0,4]}})", 4, "expected 2 bytes"},
      {R"({"w":{"dtype":"F32","shape":[],"data_offsets":[0,18446744073709551615]}})", 4,
       "its data ends at byte 18446744073709551615"},
      {R"({"w":{"dtype":"F6_E2M3","shape":[3],"data_offsets":[0,2]}})", 2,
       "tensor w: expected whole bytes of data, found 3 elements of 6 bits"},
      // The data as a whole.
      {"{}", 1, "expected 0 bytes of data by its tensors, found 1"},
      {R"({"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", 2,
       "expected 1 bytes of data by its tensors, found 2"},
      {R"({"w":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})", 2,
       "tensor w: expected its data to start at byte 0, where the tensor before it ends, found "
       "byte 1 "
       "(a gap)"},
      {R"({"v":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},)"
       R"("w":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}})",
       3,
       "tensor w: expected its data to start at byte 2, where the tensor before it ends, found "
       "byte "
       "1 (an overlap)"},
      {R"({"v":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},)"
       R"("w":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}})",
       2, "tensor w: expected its data to start at byte 2"},
      {R"({"v":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
       R"("w":{"dtype":"U8","shape":[1],"data_offsets":[2,3]}})",
       3, "(a gap)"},
      {R"({"v":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},)"
       R"("w":{"dtype":"U8","shape":[0],"data_offsets":[2,2]}})",
       4, "tensor w: expected its data to start at byte 4"},
  };
  for (const Refused& row : rows) {
    INFO(row.header);
    const Status status = test::ParseStatus(FileOf(row.header, row.data_bytes));
    CHECK(status.code() == StatusCode::kBadData);
    CHECK_THAT(status.message(), ContainsSubstring(row.message));
  }
}

TEST_CASE("safetensors: depth 10,000 is refused at once, without recursion") {
  for (const char* prefix : {"", R"({"a":)", R"({"__metadata__":)", R"({"__metadata__":{"a":)",
                             R"({"a":{"shape":[)", R"({"a":{"dtype":)"}) {
    for (const char* open : {"[", "{\"a\":"}) {
      std::string header = prefix;
      for (int i = 0; i < 10000; ++i) header += open;
      INFO(prefix << open);
      CHECK_FALSE(Refusal(header).empty());
    }
  }
}

TEST_CASE("safetensors: messages name long and odd names in part") {
  const std::string name(500, 'n');
  const std::string refusal = Refusal("{\"" + name + "\":{\"" + name + "\":1}}");
  CHECK_THAT(refusal, ContainsSubstring(std::string(72, 'n') + "..."));
  CHECK_THAT(Refusal("{\"w\":{\"dtype\":\"" + name + "\"}}"),
             ContainsSubstring("nnn... (byte 14)"));
}

}  // namespace
}  // namespace heed
