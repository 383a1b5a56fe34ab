// SPDX-License-Identifier: MIT
#ifndef HEED_MODEL_CHECKPOINT_VALUES_H_
#define HEED_MODEL_CHECKPOINT_VALUES_H_

#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/span.h"

namespace heed {

// Index of the first NaN or infinity; values.size when all are finite. By bits, so that no compiler
// flag can take the test away.
inline size_t FirstNonFinite(Span<const float> values) {
  for (size_t i = 0; i < values.size; ++i) {
    if ((std::bit_cast<uint32_t>(values[i]) & 0x7F800000u) == 0x7F800000u) return i;
  }
  return values.size;
}

}  // namespace heed

#endif  // HEED_MODEL_CHECKPOINT_VALUES_H_
