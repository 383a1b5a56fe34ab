// SPDX-License-Identifier: MIT
#include "base/normal.h"

#include <cmath>

namespace heed {

void FillNormal(uint64_t seed, uint32_t tensor, float deviation, Span<float> out) {
  constexpr double kTwoPi = 6.283185307179586476925;
  for (size_t start = 0; start < out.size; start += 4) {
    const PhiloxBlock bits =
        RandomBits(seed, RandomStream::kInit, static_cast<uint32_t>(start / 4), tensor);
    for (size_t pair = 0; pair < 2; ++pair) {
      const double radius = std::sqrt(-2.0 * std::log(double{UniformOpen(bits[2 * pair])}));
      const double angle = kTwoPi * double{UniformOpen(bits[2 * pair + 1])};
      const double values[2] = {radius * std::cos(angle), radius * std::sin(angle)};
      for (size_t i = 0; i < 2; ++i) {
        const size_t index = start + 2 * pair + i;
        if (index < out.size) out[index] = static_cast<float>(values[i] * deviation);
      }
    }
  }
}

}  // namespace heed
