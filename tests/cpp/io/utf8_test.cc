// SPDX-License-Identifier: MIT
#include "io/utf8.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>

namespace heed {
namespace {

size_t Length(std::string_view text) { return Utf8SequenceLength(AsBytes(text)); }

// A sequence by the arithmetic definition: encode the code point and compare.
std::string Encode(uint32_t point) {
  std::string out;
  if (point < 0x80) {
    out = {static_cast<char>(point)};
  } else if (point < 0x800) {
    out = {static_cast<char>(0xC0 + point / 64), static_cast<char>(0x80 + point % 64)};
  } else if (point < 0x10000) {
    out = {static_cast<char>(0xE0 + point / 4096), static_cast<char>(0x80 + point / 64 % 64),
           static_cast<char>(0x80 + point % 64)};
  } else {
    out = {static_cast<char>(0xF0 + point / 262144), static_cast<char>(0x80 + point / 4096 % 64),
           static_cast<char>(0x80 + point / 64 % 64), static_cast<char>(0x80 + point % 64)};
  }
  return out;
}

TEST_CASE("UTF-8: every code point is one sequence, every surrogate and beyond none") {
  for (uint32_t point = 0; point < 0x110400; ++point) {
    const std::string text = Encode(point);
    const bool valid = point < 0x110000 && (point < 0xD800 || point > 0xDFFF);
    if (Length(text) != (valid ? text.size() : 0)) FAIL("code point " << point);
    // Cut short, it is none.
    if (text.size() > 1 && Length(std::string_view(text).substr(0, text.size() - 1)) != 0) {
      FAIL("cut code point " << point);
    }
  }
  SUCCEED();
}

TEST_CASE("UTF-8: ill-formed sequences") {
  for (const char* text : {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xE0\x9F\xBF",
                           "\xF0\x80\x80\x80", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80",
                           "\xF5\x80\x80\x80", "\xFF", "\xC3\x28", "\xE2\x28\xA1", "\xE2\x82\x28",
                           "\xF0\x28\x8C\xBC", "\xF0\x90\x28\xBC", "\xF0\x90\x8C\x28", ""}) {
    CHECK(Length(text) == 0);
  }
  CHECK(ValidUtf8Prefix(AsBytes("")) == 0);
  CHECK(ValidUtf8Prefix(AsBytes("abc\xC3\xA9")) == 5);
  CHECK(ValidUtf8Prefix(AsBytes("abc\xC3")) == 3);
}

TEST_CASE("names are made printable") {
  CHECK(std::string(PrintableName("layers.0.\xC3\xA9").c_str()) == "layers.0.\xC3\xA9");
  CHECK(std::string(PrintableName(std::string_view("a\n\0\x7F\xFF", 5)).c_str()) == "a????");
  CHECK(std::string(PrintableName("").c_str()).empty());
  CHECK(std::string(PrintableName(std::string(72, 'x')).c_str()) == std::string(72, 'x'));
  CHECK(std::string(PrintableName(std::string(73, 'x')).c_str()) == std::string(72, 'x') + "...");
  // A character is not cut in two.
  CHECK(std::string(PrintableName(std::string(71, 'x') + "\xC3\xA9").c_str()) ==
        std::string(71, 'x') + "...");
}

}  // namespace
}  // namespace heed
