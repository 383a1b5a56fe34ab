// SPDX-License-Identifier: MIT
// Element types of a safetensors file, and the conversions between float and the two half formats.
#ifndef HEED_IO_DTYPE_H_
#define HEED_IO_DTYPE_H_

#include <cstdint>
#include <string_view>

#include "base/span.h"

namespace heed {

// Every type the format names. Tensors of any type can be listed and their bytes read; values can
// be had as float from F32, F16 and BF16, which are also what can be written. In the order of the
// reference implementation, whose files put the last type first: wider elements come first then, so
// each tensor is aligned to its elements.
enum class DType : uint8_t {
  kBool,
  kF4,
  kF6E2M3,
  kF6E3M2,
  kU8,
  kI8,
  kF8E5M2,
  kF8E4M3,
  kF8E8M0,
  kF8E4M3Fnuz,
  kF8E5M2Fnuz,
  kI16,
  kU16,
  kF16,
  kBf16,
  kI32,
  kU32,
  kF32,
  kC64,
  kF64,
  kI64,
  kU64,
};

// The name in a file's header, e.g. "BF16".
const char* DTypeName(DType type);
// Bits of one element: 4 to 64.
unsigned DTypeBits(DType type);
// False when the format has no type of that name; `*type` is then unchanged.
bool ParseDType(std::string_view name, DType* type);
// Whether DecodeFloats and EncodeFloats take this type.
bool IsFloatDType(DType type);

// IEEE 754 binary16. To float is exact. From float rounds to nearest, ties to even; what is too
// large becomes an infinity, a NaN stays a (quiet) NaN, the sign is kept.
float HalfToFloat(uint16_t half);
uint16_t FloatToHalf(float value);

// bfloat16: the upper half of a float. To float is exact. From float rounds as above.
float Bf16ToFloat(uint16_t bits);
uint16_t FloatToBf16(float value);

// `bytes` is little-endian, of any alignment, and holds out.size elements of `type`, for which
// IsFloatDType holds.
void DecodeFloats(DType type, Span<const uint8_t> bytes, Span<float> out);

// The inverse, under the same contract.
void EncodeFloats(DType type, Span<const float> values, Span<uint8_t> out);

}  // namespace heed

#endif  // HEED_IO_DTYPE_H_
