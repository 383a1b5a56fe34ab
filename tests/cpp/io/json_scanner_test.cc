// SPDX-License-Identifier: MIT
#include "io/json_scanner.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/json_string.h"
#include "safetensors_bytes.h"

namespace heed {
namespace {

using test::Decoded;
using T = JsonToken;

std::vector<JsonToken> Tokens(std::string_view text) {
  std::vector<JsonToken> tokens;
  JsonScanner scanner(text);
  do {
    tokens.push_back(scanner.Next());
  } while (tokens.back() != T::kEnd && tokens.back() != T::kMalformed);
  return tokens;
}

std::string Problem(std::string_view text) {
  JsonScanner scanner(text);
  JsonToken token = scanner.Next();
  while (token != T::kEnd && token != T::kMalformed) token = scanner.Next();
  return token == T::kMalformed ? scanner.problem() : "";
}

std::string DecodedToken(std::string_view text) {
  JsonScanner scanner(text);
  REQUIRE(scanner.Next() == T::kString);
  REQUIRE(scanner.end() == text.size());
  return Decoded(scanner.string());
}

TEST_CASE("JSON tokens in order, with their places") {
  CHECK(Tokens("") == std::vector{T::kEnd});
  CHECK(Tokens(" \t\r\n") == std::vector{T::kEnd});
  CHECK(Tokens("{}[]:,") == std::vector{T::kObjectBegin, T::kObjectEnd, T::kArrayBegin,
                                        T::kArrayEnd, T::kColon, T::kComma, T::kEnd});
  CHECK(Tokens("true false null") == std::vector{T::kTrue, T::kFalse, T::kNull, T::kEnd});
  JsonScanner scanner("xx  \"ab\" 17", 2);
  CHECK(scanner.Next() == T::kString);
  CHECK(scanner.begin() == 4);
  CHECK(scanner.end() == 8);
  CHECK(scanner.token_text() == "\"ab\"");
  CHECK(scanner.Next() == T::kNumber);
  CHECK(scanner.token_text() == "17");
}

TEST_CASE("JSON numbers") {
  for (const char* number : {"0", "-0", "7", "10", "-12", "0.5", "1.25e3", "1E+2", "2e-7", "0e0"}) {
    INFO(number);
    CHECK(Tokens(number) == std::vector{T::kNumber, T::kEnd});
  }
  CHECK(Problem("01") == "a number with a leading zero");
  CHECK(Problem("-00") == "a number with a leading zero");
  CHECK(Problem("-") == "a minus sign without digits");
  CHECK(Problem("-x") == "a minus sign without digits");
  CHECK(Problem("1.") == "a number without digits after its point");
  CHECK(Problem("1.e2") == "a number without digits after its point");
  CHECK(Problem("1e") == "a number without digits in its exponent");
  CHECK(Problem("1e+") == "a number without digits in its exponent");
  for (const char* text :
       {"+1", ".5", "NaN", "Infinity", "0x10", "'a'", "/* */", "\xEF\xBB\xBF{"}) {
    INFO(text);
    CHECK_FALSE(Problem(text).empty());
  }
  CHECK(Problem("tru") == "a word that is no JSON value");
  CHECK(Problem("nul1") == "a word that is no JSON value");
  CHECK(Problem("falsy") == "a word that is no JSON value");
}

TEST_CASE("JSON unsigned integers") {
  uint64_t value = 5;
  CHECK(ParseUnsigned("0", &value));
  CHECK(value == 0);
  CHECK(ParseUnsigned("18446744073709551615", &value));
  CHECK(value == UINT64_MAX);
  for (const char* text : {"", "-0", "-1", "1.0", "1e2", "18446744073709551616",
                           "18446744073709551620", "99999999999999999999999"}) {
    value = 5;
    INFO(text);
    CHECK_FALSE(ParseUnsigned(text, &value));
    CHECK(value == 5);
  }
}

TEST_CASE("JSON strings decode") {
  CHECK(DecodedToken(R"("")").empty());
  CHECK(DecodedToken(R"("plain")") == "plain");
  CHECK(DecodedToken(R"("\"\\\/\b\f\n\r\t")") == "\"\\/\b\f\n\r\t");
  CHECK(DecodedToken(R"("a\u0000b")") == std::string("a\0b", 3));
  CHECK(DecodedToken(R"("\u0041\u00e9\u20AC\ud83d\uDE00")") ==
        "A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
  CHECK(DecodedToken("\"\xC3\xA9\xF0\x9F\x98\x80\"") == "\xC3\xA9\xF0\x9F\x98\x80");
  CHECK(DecodedToken(R"("\uDBFF\uDFFF")") == "\xF4\x8F\xBF\xBF");
}

TEST_CASE("JSON strings that are none") {
  CHECK(Problem("\"abc") == "a string without end");
  CHECK(Problem("\"abc\\") == "a string without end");
  CHECK(Problem("\"\\u12") == "a string without end");
  CHECK(Problem("\"\n\"") == "a control character in a string");
  CHECK(Problem(std::string_view("\"\0\"", 3)) == "a control character in a string");
  CHECK(Problem(R"("\x")") == "an unknown escape in a string");
  CHECK(Problem(R"("\u12g4")") == "a \\u escape without four hexadecimal digits");
  CHECK(Problem(R"("\u/:@`")") == "a \\u escape without four hexadecimal digits");
  for (const char* text : {R"("\ud800")", R"("\udc00")", R"("\ud800\ud800")", R"("\ud800x56789")",
                           R"("\ud800\n23456")", R"("\ud800\uzzzz")", R"("\ude00\ud83d")"}) {
    INFO(text);
    CHECK(Problem(text) == "an unpaired surrogate in a string");
  }
  for (const char* text :
       {"\"\x80\"", "\"\xC3\"", "\"\xC0\xAF\"", "\"\xED\xA0\x80\"", "\"\xFF\""}) {
    CHECK(Problem(text) == "ill-formed UTF-8 in a string");
  }
}

TEST_CASE("JSON strings compare by decoded bytes") {
  const auto raw = [](std::string_view text) {
    return JsonString::Raw(text, text.find('\\') != std::string_view::npos);
  };
  CHECK(raw(R"(\u0061b)") == JsonString("ab"));
  CHECK(raw("ab") == raw(R"(a\u0062)"));
  CHECK(raw(R"(a\u0062)").Compare("abc") < 0);
  CHECK(raw("abc").Compare(raw(R"(a\u0062)")) > 0);
  CHECK(raw(R"(\u0062)").Compare("a") > 0);
  CHECK(raw(R"(\u00e9)").Compare("f") > 0);
  CHECK(JsonString("a").Compare("b") < 0);
  // A plain backslash is a character, the same bytes from a file are an escape.
  CHECK_FALSE(JsonString(R"(\n)") == raw(R"(\n)"));
  CHECK(JsonString(R"(\n)") == raw(R"(\\n)"));
  CHECK(JsonString(R"(\n)").size() == 2);
  CHECK(raw(R"(\n)").raw() == R"(\n)");
  CHECK(raw(R"(\u0061bc)").StartsWith("ab"));
  CHECK(raw("ab").StartsWith("ab"));
  CHECK(raw("ab").StartsWith(""));
  CHECK_FALSE(raw("a").StartsWith("ab"));
  CHECK_FALSE(raw("ax").StartsWith("ab"));
}

}  // namespace
}  // namespace heed
