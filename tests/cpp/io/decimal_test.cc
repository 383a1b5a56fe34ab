// SPDX-License-Identifier: MIT
#include "io/decimal.h"

#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <clocale>
#include <cmath>
#include <cstdint>
#include <string>

#include "support/random.h"

namespace heed {
namespace {

template <typename T>
std::string Text(T value) {
  char text[kMaxDecimal];
  FormatDecimal(value, text);
  return text;
}

TEST_CASE("decimal: the fewest digits") {
  CHECK(Text(0.1) == "0.1");
  CHECK(Text(0.1f) == "0.1");
  CHECK(Text(1e-3) == "0.001");
  CHECK(Text(1e-8) == "1e-08");
  CHECK(Text(0.99) == "0.99");
  CHECK(Text(10000.0f) == "10000");
  CHECK(Text(-3.0) == "-3");
  CHECK(Text(9999999.0) == "9999999");
  CHECK(Text(1e7) == "1e+07");
  CHECK(Text(10500.0f) == "10500");
  CHECK(Text(0.0) == "0");
  CHECK(Text(-0.0) == "-0");
  CHECK(Text(1.0 / 3.0) == "0.3333333333333333");
  CHECK(Text(16777216.0f) == "16777216");
  CHECK(Text(5e-324) == "5e-324");
  CHECK(Text(1.7976931348623157e308) == "1.7976931348623157e+308");
}

TEST_CASE("decimal: every number reads back to its bits") {
  test::Random random(5);
  for (int i = 0; i < 20000; ++i) {
    const double wide = std::bit_cast<double>(random.Next());
    const float narrow = std::bit_cast<float>(static_cast<uint32_t>(random.Next()));
    double wide_back = 0.0;
    float narrow_back = 0.0f;
    if (std::isfinite(wide) &&
        (!ParseDecimal(Text(wide), &wide_back) ||
         std::bit_cast<uint64_t>(wide_back) != std::bit_cast<uint64_t>(wide))) {
      FAIL("double " << Text(wide));
    }
    if (std::isfinite(narrow) &&
        (!ParseDecimal(Text(narrow), &narrow_back) ||
         std::bit_cast<uint32_t>(narrow_back) != std::bit_cast<uint32_t>(narrow))) {
      FAIL("float " << Text(narrow));
    }
  }
  SUCCEED();
}

TEST_CASE("decimal: only whole JSON numbers in range are read") {
  for (const std::string& text : std::initializer_list<std::string>{
           "", " 1", "1 ", "1x", "+1", ".5", "1.", "01", "0x1p3", "nan", "inf", "1,5", "\"1\"",
           "1e999", "-1e999", std::string(600, '1')}) {
    double value = 7.0;
    INFO(text);
    CHECK_FALSE(ParseDecimal(text, &value));
    CHECK(value == 7.0);
  }
  float narrow = 7.0f;
  CHECK_FALSE(ParseDecimal("1e39", &narrow));
  CHECK(narrow == 7.0f);
  double value = 0.0;
  CHECK(ParseDecimal("1e-999", &value));
  CHECK(value == 0.0);
  // Rounded once: through a double this would be a tie to the other side.
  CHECK(ParseDecimal("1.00000017881393432617187499", &narrow));
  CHECK(narrow == 1.00000011920928955078125f);
}

TEST_CASE("decimal: a comma locale changes nothing") {
  const std::string before = std::setlocale(LC_NUMERIC, nullptr);
  bool found = false;
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE", "fr_FR"}) {
    found = found || std::setlocale(LC_NUMERIC, name) != nullptr;
  }
  const std::string text = Text(0.125);
  double value = 0.0;
  const bool read = ParseDecimal("2.5", &value);
  std::setlocale(LC_NUMERIC, before.c_str());
  INFO((found ? "in a comma locale" : "no comma locale on this machine"));
  CHECK(text == "0.125");
  CHECK(read);
  CHECK(value == 2.5);
}

}  // namespace
}  // namespace heed
