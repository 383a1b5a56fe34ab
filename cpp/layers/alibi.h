// SPDX-License-Identifier: MIT
#ifndef HEED_LAYERS_ALIBI_H_
#define HEED_LAYERS_ALIBI_H_

#include <cstddef>

namespace heed {

// How much a head's scores fall for each position of distance (Press et al. 2022): 2^(-8 (h + 1) / H)
// for a power of two of heads. Otherwise the largest power of two P below H makes the first P of them,
// and every other slope of 2 P heads the rest, as in the authors' code.
float AlibiSlope(size_t head, size_t heads);

}  // namespace heed

#endif  // HEED_LAYERS_ALIBI_H_
