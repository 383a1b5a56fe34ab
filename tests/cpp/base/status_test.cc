// SPDX-License-Identifier: MIT
#include "base/status.h"

#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <string>

namespace heed {
namespace {

TEST_CASE("status: ok and error") {
  const Status ok;
  CHECK(ok.ok());
  CHECK(ok.code() == StatusCode::kOk);
  CHECK(std::string(ok.message()).empty());
  const Status error = Status::Error(StatusCode::kBadData, "%s has %d rows", "embed.weight", 3);
  CHECK_FALSE(error.ok());
  CHECK(error.code() == StatusCode::kBadData);
  CHECK(std::string(error.message()) == "embed.weight has 3 rows");
}

TEST_CASE("status: the codes are the numbers that cross the boundary") {
  CHECK(static_cast<int>(StatusCode::kOk) == 0);
  CHECK(static_cast<int>(StatusCode::kInvalidArgument) == 1);
  CHECK(static_cast<int>(StatusCode::kOutOfMemory) == 2);
  CHECK(static_cast<int>(StatusCode::kNonFinite) == 3);
  CHECK(static_cast<int>(StatusCode::kDisposed) == 4);
  CHECK(static_cast<int>(StatusCode::kBadData) == 5);
  CHECK(static_cast<int>(StatusCode::kBadState) == 6);
}

// Bytes of whole characters only.
bool IsUtf8(const std::string& text) {
  size_t i = 0;
  while (i < text.size()) {
    const auto lead = static_cast<uint8_t>(text[i]);
    const size_t length =
        lead < 0x80 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 0;
    if (length == 0 || i + length > text.size()) return false;
    for (size_t k = 1; k < length; ++k) {
      if ((static_cast<uint8_t>(text[i + k]) & 0xC0) != 0x80) return false;
    }
    i += length;
  }
  return true;
}

TEST_CASE("status: a long message is cut between characters") {
  for (const char* character : {"x", "\u00e9", "\u20ac", "\U0001F600"}) {
    // Every phase of the cut against the character.
    for (size_t lead = 0; lead < 4; ++lead) {
      std::string text(lead, 'a');
      while (text.size() < 400) text += character;
      const Status status = Status::Error(StatusCode::kBadData, "%s", text.c_str());
      const std::string message = status.message();
      INFO("character " << character << ", lead " << lead);
      CHECK(message.size() <= 319);
      CHECK(message.size() >= 319 - std::strlen(character));
      CHECK(text.compare(0, message.size(), message) == 0);
      CHECK(IsUtf8(message));
    }
  }
}

TEST_CASE("status: a message of exactly the capacity is kept whole") {
  for (const size_t length : {318, 319}) {
    std::string text(length - 3, 'a');
    text += "\u20ac";
    const Status status = Status::Error(StatusCode::kBadData, "%s", text.c_str());
    CHECK(status.message() == text);
  }
}

Status FailWhenNegative(int value) {
  HEED_RETURN_IF_ERROR(value < 0 ? Status::Error(StatusCode::kInvalidArgument, "%d < 0", value)
                                 : Status());
  return Status::Error(StatusCode::kBadState, "went on");
}

TEST_CASE("status: HEED_RETURN_IF_ERROR passes the error up and goes on otherwise") {
  CHECK(std::string(FailWhenNegative(-5).message()) == "-5 < 0");
  CHECK(FailWhenNegative(5).code() == StatusCode::kBadState);
}

TEST_CASE("result: holds a value or the reason there is none") {
  Result<std::string> value = std::string("text");
  REQUIRE(value.ok());
  CHECK(*value == "text");
  CHECK(value->size() == 4);
  value.value() += "s";
  CHECK(value.value() == "texts");
  const Result<std::string> error = Status::Error(StatusCode::kOutOfMemory, "no");
  CHECK_FALSE(error.ok());
  CHECK(error.status().code() == StatusCode::kOutOfMemory);
}

}  // namespace
}  // namespace heed
