// SPDX-License-Identifier: MIT
#ifndef HEED_BASE_NORMAL_H_
#define HEED_BASE_NORMAL_H_

#include <cstdint>

#include "base/philox.h"
#include "base/span.h"

namespace heed {

// Fills `out` with independent normal(0, deviation) values of stream kInit, tensor number `tensor`.
// Element 4k..4k+3 come from counter (k, tensor). Box and Muller (1958), in double, so that a value
// depends on the C library only by its last float bit.
void FillNormal(uint64_t seed, uint32_t tensor, float deviation, Span<float> out);

}  // namespace heed

#endif  // HEED_BASE_NORMAL_H_
