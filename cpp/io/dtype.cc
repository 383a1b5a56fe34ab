// SPDX-License-Identifier: MIT
#include "io/dtype.h"

#include <bit>
#include <cstddef>

#include "io/bytes.h"

namespace heed {
namespace {

struct DTypeRow {
  const char* name;
  uint8_t bits;
};

// In the order of the enum.
constexpr DTypeRow kTypes[] = {
    {"BOOL", 8},        {"F4", 4},      {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"U8", 8},
    {"I8", 8},          {"F8_E5M2", 8}, {"F8_E4M3", 8}, {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8},
    {"F8_E5M2FNUZ", 8}, {"I16", 16},    {"U16", 16},    {"F16", 16},    {"BF16", 16},
    {"I32", 32},        {"U32", 32},    {"F32", 32},    {"C64", 64},    {"F64", 64},
    {"I64", 64},        {"U64", 64},
};
constexpr size_t kTypeCount = sizeof(kTypes) / sizeof(kTypes[0]);
static_assert(kTypeCount == static_cast<size_t>(DType::kU64) + 1);

}  // namespace

const char* DTypeName(DType type) { return kTypes[static_cast<size_t>(type)].name; }

unsigned DTypeBits(DType type) { return kTypes[static_cast<size_t>(type)].bits; }

bool ParseDType(std::string_view name, DType* type) {
  for (size_t i = 0; i < kTypeCount; ++i) {
    if (name == kTypes[i].name) {
      *type = static_cast<DType>(i);
      return true;
    }
  }
  return false;
}

bool IsFloatDType(DType type) {
  return type == DType::kF32 || type == DType::kF16 || type == DType::kBf16;
}

float HalfToFloat(uint16_t half) {
  const uint32_t sign = uint32_t{half} << 16 & 0x80000000u;
  const uint32_t exponent = half >> 10 & 0x1F;
  const uint32_t mantissa = half & 0x3FF;
  if (exponent == 0) {
    // Zero or subnormal: mantissa * 2^-24, exact in float.
    const float magnitude = static_cast<float>(mantissa) * 0x1.0p-24f;
    return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(magnitude));
  }
  // Exponent bias 15 becomes 127; all ones (infinity, NaN) stays all ones.
  const uint32_t wide = exponent == 0x1F ? 0xFF : exponent + 112;
  return std::bit_cast<float>(sign | wide << 23 | mantissa << 13);
}

uint16_t FloatToHalf(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint16_t sign = static_cast<uint16_t>(bits >> 16 & 0x8000);
  const uint32_t magnitude = bits & 0x7FFFFFFF;
  if (magnitude > 0x7F800000) {
    // The payload's upper bits are kept; the quiet bit guards against a payload of zero, which
    // would read as infinity.
    return static_cast<uint16_t>(sign | 0x7E00 | (magnitude >> 13 & 0x1FF));
  }
  // 65520 is halfway between the largest half, 65504, and the power above it; ties go up (to even).
  if (magnitude >= std::bit_cast<uint32_t>(65520.0f)) return static_cast<uint16_t>(sign | 0x7C00);
  if (magnitude < std::bit_cast<uint32_t>(0x1.0p-14f)) {
    // Subnormal: adding 0.5, whose last bit is 2^-24, lets the float adder round to the half's
    // grid.
    const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    return static_cast<uint16_t>(
        sign | (std::bit_cast<uint32_t>(shifted) - std::bit_cast<uint32_t>(0.5f)));
  }
  // Drop 13 bits to nearest even; a carry out of the mantissa rightly raises the exponent.
  const uint32_t rounded = magnitude + 0xFFF + (magnitude >> 13 & 1);
  return static_cast<uint16_t>(sign | ((rounded >> 13) - (112u << 10)));
}

float Bf16ToFloat(uint16_t bits) { return std::bit_cast<float>(uint32_t{bits} << 16); }

uint16_t FloatToBf16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  // Rounding a NaN could carry into the sign or clear the payload to infinity.
  if ((bits & 0x7FFFFFFF) > 0x7F800000) return static_cast<uint16_t>(bits >> 16 | 0x0040);
  return static_cast<uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

void DecodeFloats(DType type, Span<const uint8_t> bytes, Span<float> out) {
  HEED_DCHECK(IsFloatDType(type));
  HEED_DCHECK(bytes.size / (DTypeBits(type) / 8) == out.size);
  const uint8_t* from = bytes.data;
  if (type == DType::kF32) {
    for (size_t i = 0; i < out.size; ++i) {
      out.data[i] = std::bit_cast<float>(LoadU32(from + 4 * i));
    }
  } else if (type == DType::kF16) {
    for (size_t i = 0; i < out.size; ++i) out.data[i] = HalfToFloat(LoadU16(from + 2 * i));
  } else {
    for (size_t i = 0; i < out.size; ++i) out.data[i] = Bf16ToFloat(LoadU16(from + 2 * i));
  }
}

void EncodeFloats(DType type, Span<const float> values, Span<uint8_t> out) {
  HEED_DCHECK(IsFloatDType(type));
  HEED_DCHECK(out.size / (DTypeBits(type) / 8) == values.size);
  uint8_t* to = out.data;
  if (type == DType::kF32) {
    for (size_t i = 0; i < values.size; ++i) {
      StoreU32(std::bit_cast<uint32_t>(values.data[i]), to + 4 * i);
    }
  } else if (type == DType::kF16) {
    for (size_t i = 0; i < values.size; ++i) StoreU16(FloatToHalf(values.data[i]), to + 2 * i);
  } else {
    for (size_t i = 0; i < values.size; ++i) StoreU16(FloatToBf16(values.data[i]), to + 2 * i);
  }
}

}  // namespace heed
