// SPDX-License-Identifier: MIT
#include "base/hash.h"

#include <catch2/catch_test_macros.hpp>

namespace heed {
namespace {

TEST_CASE("hash: published values of 64-bit FNV-1a, in one piece and in parts") {
  CHECK(HashBytes("", 0) == 0xcbf29ce484222325);
  CHECK(HashBytes("a", 1) == 0xaf63dc4c8601ec8c);
  CHECK(HashBytes("foobar", 6) == 0x85944171f73967e8);
  CHECK(HashBytes("bar", 3, HashBytes("foo", 3)) == 0x85944171f73967e8);
}

}  // namespace
}  // namespace heed
