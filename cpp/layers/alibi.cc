// SPDX-License-Identifier: MIT
#include "layers/alibi.h"

#include <bit>
#include <cmath>

namespace heed {

float AlibiSlope(size_t head, size_t heads) {
  const size_t power = std::bit_floor(heads);
  const double step = head < power ? static_cast<double>(head + 1) / static_cast<double>(power)
                                   : (2.0 * static_cast<double>(head - power) + 1.0) /
                                         (2.0 * static_cast<double>(power));
  return static_cast<float>(std::exp2(-8.0 * step));
}

}  // namespace heed
