// SPDX-License-Identifier: MIT
#include "base/arena.h"

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <string>
#include <utility>

namespace heed {
namespace {

constexpr uint64_t kMax = UINT64_MAX;

// Failures are switched off however a test ends.
struct InjectFailure {
  InjectFailure(uint64_t nth, bool for_ever) { SetArenaFailure(nth, for_ever); }
  ~InjectFailure() { SetArenaFailure(0, false); }
};

TEST_CASE("arena: checked arithmetic saturates") {
  CHECK(CheckedMul(3, 5) == 15);
  CHECK(CheckedMul(0, kMax - 1) == 0);
  CHECK(CheckedMul(uint64_t{1} << 32, (uint64_t{1} << 32) - 1) == ((uint64_t{1} << 32) - 1) << 32);
  CHECK(CheckedMul(uint64_t{1} << 32, uint64_t{1} << 32) == kMax);
  CHECK(CheckedMul(kMax, 0) == kMax);
  CHECK(CheckedMul(0, kMax) == kMax);
  CHECK(CheckedAdd(3, 5) == 8);
  CHECK(CheckedAdd(kMax - 1, 1) == kMax);
  CHECK(CheckedAdd(kMax - 1, 2) == kMax);
  CHECK(CheckedAdd(kMax, 0) == kMax);
  CHECK(CheckedAdd(0, kMax) == kMax);
}

TEST_CASE("arena: a plan aligns each slice") {
  ArenaPlan plan;
  CHECK(plan.bytes() == 0);
  CHECK(plan.Add<float>(1) == 0);
  CHECK(plan.Add<float>(16) == 64);
  CHECK(plan.Add<float>(17) == 128);
  CHECK(plan.Add<double>(0) == 256);
  CHECK(plan.Add<uint8_t>(1) == 256);
  CHECK(plan.bytes() == 320);
  CHECK_FALSE(plan.overflowed());
}

TEST_CASE("arena: a plan's overflow is sticky") {
  for (const uint64_t count : {kMax, kMax / 4, kMax / 4 - 8, (kMax - 63) / 4 + 1}) {
    ArenaPlan plan;
    (void)plan.Add<float>(100);
    (void)plan.Add<float>(count);
    CHECK(plan.overflowed());
    (void)plan.Add<float>(1);
    CHECK(plan.overflowed());
    CHECK(plan.bytes() == kMax);
  }
  ArenaPlan many;
  for (int i = 0; i < 8; ++i) (void)many.Add<uint8_t>(uint64_t{1} << 61);
  CHECK(many.overflowed());
}

TEST_CASE("arena: a block is aligned, zero and counted") {
  const ArenaTotals before = GetArenaTotals();
  {
    ArenaPlan plan;
    const uint64_t first = plan.Add<float>(3), second = plan.Add<double>(5);
    Arena arena;
    REQUIRE(arena.Allocate(plan.bytes(), "test").ok());
    const Span<float> floats = arena.Slice<float>(first, 3);
    const Span<double> doubles = arena.Slice<double>(second, 5);
    CHECK(reinterpret_cast<uintptr_t>(floats.data) % kAlignment == 0);
    CHECK(reinterpret_cast<uintptr_t>(doubles.data) % kAlignment == 0);
    for (const float value : floats) CHECK(value == 0.0f);
    for (double& value : doubles) CHECK(std::exchange(value, 7.0) == 0.0);
    CHECK(GetArenaTotals().bytes_in_use == before.bytes_in_use + 128);
    CHECK(GetArenaTotals().blocks == before.blocks + 1);
    CHECK(GetArenaTotals().peak_bytes >= before.bytes_in_use + 128);

    // A new block starts at zero again.
    REQUIRE(arena.Allocate(plan.bytes(), "test").ok());
    CHECK(arena.Slice<double>(second, 5)[4] == 0.0);
    CHECK(GetArenaTotals().blocks == before.blocks + 1);
  }
  CHECK(GetArenaTotals().bytes_in_use == before.bytes_in_use);
  CHECK(GetArenaTotals().blocks == before.blocks);
}

TEST_CASE("arena: moving hands the block over") {
  const ArenaTotals before = GetArenaTotals();
  Arena first;
  REQUIRE(first.Allocate(256, "test").ok());
  float* data = first.Slice<float>(0, 1).data;
  Arena second(std::move(first));
  CHECK(first.bytes() == 0);  // NOLINT: the moved-from state is part of the contract
  CHECK(second.Slice<float>(0, 1).data == data);
  Arena third;
  REQUIRE(third.Allocate(64, "test").ok());
  third = std::move(second);
  CHECK(third.bytes() == 256);
  CHECK(GetArenaTotals().blocks == before.blocks + 1);
  Arena& same = third;
  third = std::move(same);
  CHECK(third.bytes() == 256);
  third.Release();
  third.Release();
  CHECK(third.bytes() == 0);
  CHECK(GetArenaTotals().bytes_in_use == before.bytes_in_use);
}

TEST_CASE("arena: an empty block is allowed") {
  Arena arena;
  REQUIRE(arena.Allocate(0, "test").ok());
  CHECK(arena.Slice<float>(0, 0).empty());
}

TEST_CASE("arena: a request that cannot be met says so and keeps the old block") {
  Arena arena;
  REQUIRE(arena.Allocate(64, "test").ok());
  arena.Slice<float>(0, 16)[3] = 5.0f;
  const ArenaTotals before = GetArenaTotals();
  const auto check_kept = [&] {
    CHECK(arena.bytes() == 64);
    CHECK(arena.Slice<float>(0, 16)[3] == 5.0f);
    CHECK(GetArenaTotals().bytes_in_use == before.bytes_in_use);
    CHECK(GetArenaTotals().blocks == before.blocks);
    CHECK(GetArenaTotals().peak_bytes == before.peak_bytes);
  };

  const Status overflow = arena.Allocate(kMax, "activations");
  CHECK(overflow.code() == StatusCode::kOutOfMemory);
  CHECK(std::string(overflow.message()).find("activations: the size exceeds 64-bit arithmetic") ==
        0);
  check_kept();

  // Above what a pointer can span, hence refused before the allocator is asked.
  const Status huge = arena.Allocate(kMax - 1, "gradients");
  CHECK(huge.code() == StatusCode::kOutOfMemory);
  CHECK(std::string(huge.message()).find("gradients: 18446744073709551614 bytes") == 0);
  check_kept();

  const InjectFailure once(1, false);
  CHECK(arena.Allocate(128, "moments").code() == StatusCode::kOutOfMemory);
  check_kept();
  CHECK(arena.Allocate(128, "moments").ok());
}

TEST_CASE("arena: injected failures come at the chosen allocation") {
  Arena arena;
  {
    const InjectFailure third(3, false);
    CHECK(arena.Allocate(64, "test").ok());
    CHECK(arena.Allocate(64, "test").ok());
    CHECK_FALSE(arena.Allocate(64, "test").ok());
    CHECK(arena.Allocate(64, "test").ok());
  }
  {
    const InjectFailure always(2, true);
    CHECK(arena.Allocate(64, "test").ok());
    CHECK_FALSE(arena.Allocate(64, "test").ok());
    CHECK_FALSE(arena.Allocate(64, "test").ok());
  }
  CHECK(arena.Allocate(64, "test").ok());
}

}  // namespace
}  // namespace heed
