// SPDX-License-Identifier: MIT
#include "base/philox.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <set>

namespace heed {
namespace {

// The known answers that the authors publish with Random123 for philox4x32, 10 rounds.
TEST_CASE("philox: published known answers") {
  CHECK(Philox(0, {0, 0, 0, 0}) ==
        PhiloxBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(Philox(~uint64_t{0}, {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}) ==
        PhiloxBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  // Digits of pi; the key is 0xa4093822 then 0x299f31d0.
  CHECK(Philox(0x299f31d0a4093822, {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}) ==
        PhiloxBlock{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("philox: streams, positions and seeds give distinct blocks") {
  std::set<PhiloxBlock> blocks;
  size_t drawn = 0;
  for (const uint64_t seed : {0ull, 1ull, 1337ull, 1ull << 32}) {
    for (const RandomStream stream : {RandomStream::kInit, RandomStream::kBatch,
                                      RandomStream::kDropout, RandomStream::kSampling}) {
      for (uint32_t a = 0; a < 5; ++a) {
        for (uint32_t b = 0; b < 5; ++b) {
          for (uint32_t c = 0; c < 3; ++c, ++drawn) {
            blocks.insert(RandomBits(seed, stream, a, b, c));
          }
        }
      }
    }
  }
  CHECK(blocks.size() == drawn);
  CHECK(RandomBits(7, RandomStream::kBatch, 1, 2, 3) ==
        Philox(7, {1, 2, static_cast<uint32_t>(RandomStream::kBatch), 3}));
}

TEST_CASE("philox: UniformBelow covers its range and nothing more") {
  for (const uint32_t bound : {1u, 2u, 3u, 10u, 65u, 0xffffffffu}) {
    CHECK(UniformBelow(0, bound) == 0);
    CHECK(UniformBelow(0xffffffff, bound) == bound - 1);
  }
  // Uniform: each of 10 values in 100,000 draws within five standard deviations of 10,000.
  int counts[10] = {};
  for (uint32_t i = 0; i < 25000; ++i) {
    for (const uint32_t word : RandomBits(3, RandomStream::kBatch, i, 0)) {
      ++counts[UniformBelow(word, 10)];
    }
  }
  for (const int count : counts) CHECK(std::abs(count - 10000) < 5 * 95);
}

TEST_CASE("philox: UniformOpen never reaches an end and keeps its spacing") {
  CHECK(UniformOpen(0) == 0x1p-24f);
  CHECK(UniformOpen(0xffffffff) == 1.0f - 0x1p-24f);
  for (const uint32_t bits : {0u, 0x7fffffffu, 0x80000000u, 0xfffffc00u}) {
    CHECK(UniformOpen(bits + 512) - UniformOpen(bits) == 0x1p-23f);
  }
  CHECK(UniformOpen(0x7fffffff) + UniformOpen(0x80000000) == 1.0f);
}

}  // namespace
}  // namespace heed
