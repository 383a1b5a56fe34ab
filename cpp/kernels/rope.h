// SPDX-License-Identifier: MIT
// Rotary position embedding (Su et al. 2021): each pair of a head's channels is turned by an angle
// proportional to the token's position.
#ifndef HEED_KERNELS_ROPE_H_
#define HEED_KERNELS_ROPE_H_

#include <cstddef>
#include <cstdint>

#include "base/span.h"

namespace heed {

enum class RopeLayout : uint8_t {
  kHalves,       // channel i pairs with i + D/2 (GPT-NeoX, Llama in Hugging Face's layout)
  kInterleaved,  // channel 2i pairs with 2i + 1 (the paper; Meta's Llama layout)
};

enum class RopeDirection : uint8_t { kForward, kBackward };  // backward turns by the negative angle

// cosines, sines (T, D/2): angle of position t, pair i is t * base^(-2i/D), evaluated in double
// (a float angle would be wrong by 5e-4 at position 8191). Row t is for position
// first_position + t.
void FillRopeTables(float base, Matrix<float> cosines, Matrix<float> sines,
                    uint64_t first_position = 0);

// Turns x (N, heads * D) in place. Row n has position first_position + n % period, which must be
// below cosines.rows; D = 2 * cosines.cols is even and divides x.cols.
void RopeRotate(RopeLayout layout, RopeDirection direction, ConstMatrix cosines, ConstMatrix sines,
                size_t first_position, size_t period, Matrix<float> x);

}  // namespace heed

#endif  // HEED_KERNELS_ROPE_H_
