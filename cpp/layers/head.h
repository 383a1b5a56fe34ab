// SPDX-License-Identifier: MIT
// The output head and its loss: logits = x E^T over the vocabulary, cross-entropy against the next
// token. Works through the rows in chunks, so that logits never need N x V floats at once.
#ifndef HEED_LAYERS_HEAD_H_
#define HEED_LAYERS_HEAD_H_

#include <cstdint>

#include "base/span.h"
#include "kernels/cross_entropy.h"

namespace heed {

// Rows of logits kept at a time.
uint64_t HeadChunkRows(uint64_t rows, uint64_t vocab);
// Floats of scratch for all functions here over `rows` rows; kAlignment-aligned.
uint64_t HeadScratchFloats(uint64_t rows, uint64_t width, uint64_t vocab);

// x (N, C), head (V, C), logits (N, V).
void HeadLogits(ConstMatrix x, ConstMatrix head, Matrix<float> logits, Span<float> scratch);

// Loss of targets (N), -1 ignored; losses (N) may be empty. likeliest (N) may be empty, else gets
// each row's likeliest token, the first of equals.
LossSum HeadLossForward(ConstMatrix x, ConstMatrix head, Span<const int32_t> targets,
                        Span<float> losses, Span<float> scratch,
                        Span<int32_t> likeliest = Span<int32_t>());

// The same with gradients of scale * sum: d_x (N, C) is overwritten, d_head (V, C) accumulates.
// smoothing: of the labels, kernels/cross_entropy.h.
LossSum HeadLossForwardBackward(ConstMatrix x, ConstMatrix head, Span<const int32_t> targets,
                                float scale, Matrix<float> d_x, Matrix<float> d_head,
                                Span<float> scratch, float smoothing = 0.0f);

}  // namespace heed

#endif  // HEED_LAYERS_HEAD_H_
