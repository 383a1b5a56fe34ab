// SPDX-License-Identifier: MIT
#include "wasm/known_answer.h"

#include <algorithm>

#include "base/arena.h"
#include "kernels/gemm.h"
#include "kernels/softmax.h"

namespace heed {
namespace {

void Fill(int factor, int offset, int modulus, float divisor, Span<float> values) {
  for (size_t i = 0; i < values.size; ++i) {
    const int residue = (factor * static_cast<int>(i) + offset) % modulus;
    values[i] = static_cast<float>(residue - modulus / 2) / divisor;
  }
}

}  // namespace

Status KnownAnswer(Span<float> answers) {
  float a[kKnownAnswerM * kKnownAnswerK];
  float b[kKnownAnswerK * kKnownAnswerN];
  float x[kKnownAnswerSoftmax];
  Fill(7, 3, 11, 4.0f, Span<float>(a, kKnownAnswerM * kKnownAnswerK));
  Fill(5, 2, 13, 4.0f, Span<float>(b, kKnownAnswerK * kKnownAnswerN));
  Fill(13, 0, 29, 2.0f, Span<float>(x, kKnownAnswerSoftmax));

  Arena scratch;
  const size_t packed = PackedBFloats(kKnownAnswerK, kKnownAnswerN);
  HEED_RETURN_IF_ERROR(scratch.Allocate(packed * sizeof(float), "the start-up test"));
  Gemm(ConstMatrix(a, kKnownAnswerM, kKnownAnswerK), Transpose::kNo,
       ConstMatrix(b, kKnownAnswerK, kKnownAnswerN), Transpose::kNo,
       Matrix<float>(answers.data, kKnownAnswerM, kKnownAnswerN), GemmOptions(),
       scratch.Slice<float>(0, packed));
  Softmax(ConstSpan(x, kKnownAnswerSoftmax),
          answers.Slice(kKnownAnswerM * kKnownAnswerN, kKnownAnswerSoftmax));
  return Status();
}

}  // namespace heed
