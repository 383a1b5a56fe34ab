// SPDX-License-Identifier: MIT
// Some browsers compile SIMD and compute wrong numbers: an engine proves itself before it is used.
#ifndef HEED_WASM_KNOWN_ANSWER_H_
#define HEED_WASM_KNOWN_ANSWER_H_

#include <cstddef>

#include "base/span.h"
#include "base/status.h"

namespace heed {

// A product (7 x 9) (9 x 5), then the softmax of 64 numbers. Odd sizes: tails are where it breaks.
inline constexpr size_t kKnownAnswerM = 7, kKnownAnswerK = 9, kKnownAnswerN = 5;
inline constexpr size_t kKnownAnswerSoftmax = 64;
inline constexpr size_t kKnownAnswerFloats =
    kKnownAnswerM * kKnownAnswerN + kKnownAnswerSoftmax;

// Inputs, which the caller computes as well: a[i] = ((7 i + 3) mod 11 - 5) / 4, b[i] = ((5 i + 2)
// mod 13 - 6) / 4, x[i] = (13 i mod 29 - 14) / 2. All are exact floats.
// answers (kKnownAnswerFloats) gets what the kernels make of them.
Status KnownAnswer(Span<float> answers);

}  // namespace heed

#endif  // HEED_WASM_KNOWN_ANSWER_H_
