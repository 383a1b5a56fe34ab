// SPDX-License-Identifier: MIT
#include "io/dtype.h"

#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "support/random.h"

namespace heed {
namespace {

float FromBits(uint32_t bits) { return std::bit_cast<float>(bits); }
uint32_t Bits(float value) { return std::bit_cast<uint32_t>(value); }

bool IsHalfNan(uint16_t half) { return (half & 0x7C00) == 0x7C00 && (half & 0x3FF) != 0; }
bool IsBf16Nan(uint16_t bits) { return (bits & 0x7F80) == 0x7F80 && (bits & 0x7F) != 0; }

// The value of a half by its definition, in double, without the bit tricks under test.
double HalfValue(uint16_t half) {
  const int exponent = half >> 10 & 0x1F;
  const int mantissa = half & 0x3FF;
  const double magnitude =
      exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
  return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

TEST_CASE("every half converts to the float of its value and back to itself") {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const uint16_t half = static_cast<uint16_t>(bits);
    const float value = HalfToFloat(half);
    INFO("half bits " << bits);
    if (IsHalfNan(half)) {
      REQUIRE(std::isnan(value));
      REQUIRE(FloatToHalf(value) == (half | 0x0200));
    } else if ((half & 0x7FFF) == 0x7C00) {
      REQUIRE(Bits(value) == ((half & 0x8000) != 0 ? 0xFF800000 : 0x7F800000));
      REQUIRE(FloatToHalf(value) == half);
    } else {
      REQUIRE(Bits(value) == Bits(static_cast<float>(HalfValue(half))));
      REQUIRE(FloatToHalf(value) == half);
    }
  }
}

TEST_CASE("float to half rounds to nearest, ties to even, between any two neighbours") {
  for (uint16_t low = 0; low < 0x7BFF; ++low) {
    const uint16_t high = static_cast<uint16_t>(low + 1);
    // Exact in float: one mantissa bit more than a half has.
    const float middle = static_cast<float>((HalfValue(low) + HalfValue(high)) / 2);
    INFO("between half bits " << low << " and " << high);
    REQUIRE(FloatToHalf(middle) == (low % 2 == 0 ? low : high));
    REQUIRE(FloatToHalf(std::nextafter(middle, 0.0f)) == low);
    REQUIRE(FloatToHalf(std::nextafter(middle, 1e6f)) == high);
    REQUIRE(FloatToHalf(-middle) == ((low % 2 == 0 ? low : high) | 0x8000));
  }
}

TEST_CASE("float to half at the ends of the range") {
  CHECK(FloatToHalf(65504.0f) == 0x7BFF);
  CHECK(FloatToHalf(std::nextafter(65520.0f, 0.0f)) == 0x7BFF);
  CHECK(FloatToHalf(65520.0f) == 0x7C00);
  CHECK(FloatToHalf(-65520.0f) == 0xFC00);
  CHECK(FloatToHalf(3e38f) == 0x7C00);
  CHECK(FloatToHalf(0x1.0p-25f) == 0x0000);
  CHECK(FloatToHalf(std::nextafter(0x1.0p-25f, 1.0f)) == 0x0001);
  CHECK(FloatToHalf(FromBits(0x80000001)) == 0x8000);
  CHECK(FloatToHalf(FromBits(0x7F800001)) == 0x7E00);
  CHECK(FloatToHalf(FromBits(0xFFC00000)) == 0xFE00);
}

TEST_CASE("R110 float to bf16 rounds and keeps NaN") {
  struct Row {
    uint32_t from;
    uint16_t to;
  };
  const Row rows[] = {
      {0x3F818000, 0x3F82},  // tie, odd below: up
      {0x3F808000, 0x3F80},  // tie, even below: down
      {0x3F808001, 0x3F81},  // above the tie
      {0x3F817FFF, 0x3F81},  // below the tie
      {0x80000001, 0x8000},  // the smallest subnormal keeps its sign
      {0x00008000, 0x0000}, {0x00018000, 0x0002}, {0x00000000, 0x0000}, {0x80000000, 0x8000},
      {0x3F800000, 0x3F80}, {0x7F7FFFFF, 0x7F80},  // the largest float overflows
      {0x7F7F7FFF, 0x7F7F}, {0xFF7FFFFF, 0xFF80}, {0x7F800000, 0x7F80}, {0xFF800000, 0xFF80},
  };
  for (const Row& row : rows) {
    INFO("float bits " << row.from);
    CHECK(FloatToBf16(FromBits(row.from)) == row.to);
  }
  for (const uint32_t nan : {0x7F800001u, 0xFF800001u, 0x7FFFFFFFu, 0xFFFFFFFFu, 0x7F80FFFFu}) {
    INFO("NaN bits " << nan);
    CHECK(IsBf16Nan(FloatToBf16(FromBits(nan))));
    CHECK((FloatToBf16(FromBits(nan)) & 0x8000) == (nan >> 16 & 0x8000));
  }
}

TEST_CASE("every bf16 is the upper half of its float and comes back") {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const uint16_t value = static_cast<uint16_t>(bits);
    REQUIRE(Bits(Bf16ToFloat(value)) == bits << 16);
    REQUIRE(FloatToBf16(Bf16ToFloat(value)) == (IsBf16Nan(value) ? value | 0x40 : value));
  }
}

TEST_CASE("float to bf16 agrees with rounding in double on random floats") {
  test::Random random(1);
  for (int i = 0; i < 200000; ++i) {
    const uint32_t bits = static_cast<uint32_t>(random.Next());
    const float value = FromBits(bits);
    if (!std::isfinite(value)) continue;
    const float low = FromBits(bits & 0xFFFF0000), high = FromBits((bits & 0xFFFF0000) + 0x10000);
    const double to_low = std::abs(double{value} - double{low});
    // Beyond the largest bf16 the next step would be 2^128.
    const double next = std::isinf(high) ? std::copysign(0x1.0p128, double{value}) : double{high};
    const double to_high = std::abs(next - double{value});
    const bool up = to_high < to_low || (to_high == to_low && (bits >> 16 & 1) == 1);
    INFO("float bits " << bits);
    REQUIRE(FloatToBf16(value) == Bits(up ? high : low) >> 16);
  }
}

TEST_CASE("names and widths of the element types") {
  struct Row {
    const char* name;
    unsigned bits;
    bool is_float;
  };
  const Row rows[] = {{"BOOL", 8, false},       {"U8", 8, false},      {"I8", 8, false},
                      {"I16", 16, false},       {"U16", 16, false},    {"I32", 32, false},
                      {"U32", 32, false},       {"I64", 64, false},    {"U64", 64, false},
                      {"F16", 16, true},        {"BF16", 16, true},    {"F32", 32, true},
                      {"F64", 64, false},       {"C64", 64, false},    {"F4", 4, false},
                      {"F6_E2M3", 6, false},    {"F6_E3M2", 6, false}, {"F8_E5M2", 8, false},
                      {"F8_E4M3", 8, false},    {"F8_E8M0", 8, false}, {"F8_E4M3FNUZ", 8, false},
                      {"F8_E5M2FNUZ", 8, false}};
  for (const Row& row : rows) {
    DType type{};
    INFO(row.name);
    REQUIRE(ParseDType(row.name, &type));
    CHECK(std::string(DTypeName(type)) == row.name);
    CHECK(DTypeBits(type) == row.bits);
    CHECK(IsFloatDType(type) == row.is_float);
  }
  for (const char* unknown : {"", "f32", "F32 ", "F128", "FLOAT"}) {
    DType type = DType::kI64;
    CHECK_FALSE(ParseDType(unknown, &type));
    CHECK(type == DType::kI64);
  }
}

TEST_CASE("values are encoded and decoded at any alignment") {
  const std::vector<float> values = {0.0f, -0.0f, 1.0f, -2.5f, 0x1.0p-14f, 65504.0f, 0.125f};
  for (const DType type : {DType::kF32, DType::kF16, DType::kBf16}) {
    for (size_t shift = 0; shift < 8; ++shift) {
      const size_t bytes = values.size() * DTypeBits(type) / 8;
      std::vector<uint8_t> file(bytes + 16, 0xAB);
      EncodeFloats(type, {values.data(), values.size()}, {file.data() + shift, bytes});
      std::vector<float> back(values.size());
      DecodeFloats(type, {file.data() + shift, bytes}, {back.data(), back.size()});
      INFO(DTypeName(type) << " at address + " << shift);
      for (size_t i = 0; i < values.size(); ++i) {
        // 65504 is no bf16; the neighbour is 65536.
        const float expected = type == DType::kBf16 && i == 5 ? 65536.0f : values[i];
        CHECK(Bits(back[i]) == Bits(expected));
      }
      for (size_t i = 0; i < file.size(); ++i) {
        if (i < shift || i >= shift + bytes) CHECK(file[i] == 0xAB);
      }
    }
  }
}

}  // namespace
}  // namespace heed
