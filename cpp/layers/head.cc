// SPDX-License-Identifier: MIT
#include "layers/head.h"

#include <algorithm>

#include "base/arena.h"
#include "kernels/gemm.h"
#include "kernels/reduce.h"
#include "layers/row_blocks.h"

namespace heed {
namespace {

// 4 MB of logits at a time; at least 16 rows, so that a large vocabulary still fills row tiles.
constexpr uint64_t kLogitsFloats = uint64_t{1} << 20;

uint64_t Aligned(uint64_t floats) {
  constexpr uint64_t kLine = kAlignment / sizeof(float);
  return (floats + kLine - 1) / kLine * kLine;
}

// The two parts of the scratch: one chunk of logits and one packed operand.
struct Scratch {
  Scratch(size_t rows, size_t vocab, Span<float> all) {
    chunk = static_cast<size_t>(HeadChunkRows(rows, vocab));
    const auto logit_floats = static_cast<size_t>(Aligned(uint64_t{chunk} * vocab));
    logits = Matrix<float>(all.data, chunk, vocab);
    packed = all.Slice(logit_floats, all.size - logit_floats);
  }
  size_t chunk;
  Matrix<float> logits;
  Span<float> packed;
};

}  // namespace

uint64_t HeadChunkRows(uint64_t rows, uint64_t vocab) {
  return std::min(rows, std::max<uint64_t>(16, kLogitsFloats / vocab));
}

uint64_t HeadScratchFloats(uint64_t rows, uint64_t width, uint64_t vocab) {
  const uint64_t chunk = HeadChunkRows(rows, vocab);
  const uint64_t packed =
      std::max({PlannedPackedFloats(width, vocab), PlannedPackedFloats(vocab, width),
                PlannedPackedFloats(chunk, width)});
  return CheckedAdd(Aligned(CheckedMul(chunk, vocab)), packed);
}

void HeadLogits(ConstMatrix x, ConstMatrix head, Matrix<float> logits, Span<float> scratch) {
  PackB(head, Transpose::kYes, scratch);
  GemmInRowBlocks(x, Transpose::kNo, scratch, x.cols, logits, GemmOptions());
}

LossSum HeadLossForward(ConstMatrix x, ConstMatrix head, Span<const int32_t> targets,
                        Span<float> losses, Span<float> scratch, Span<int32_t> likeliest) {
  const Scratch parts(x.rows, head.rows, scratch);
  PackB(head, Transpose::kYes, parts.packed);
  LossSum total;
  for (size_t start = 0; start < x.rows; start += parts.chunk) {
    const size_t count = std::min(parts.chunk, x.rows - start);
    const Matrix<float> logits = parts.logits.Rows(0, count);
    GemmInRowBlocks(x.Rows(start, count), Transpose::kNo, parts.packed, x.cols, logits,
                    GemmOptions());
    const LossSum part =
        CrossEntropyForward(logits, targets.Slice(start, count),
                            losses.empty() ? losses : losses.Slice(start, count));
    total.sum += part.sum;
    total.count += part.count;
    for (size_t row = 0; !likeliest.empty() && row < count; ++row) {
      likeliest[start + row] = static_cast<int32_t>(ArgMax(logits.RowSpan(row)));
    }
  }
  return total;
}

LossSum HeadLossForwardBackward(ConstMatrix x, ConstMatrix head, Span<const int32_t> targets,
                                float scale, Matrix<float> d_x, Matrix<float> d_head,
                                Span<float> scratch, float smoothing) {
  const Scratch parts(x.rows, head.rows, scratch);
  GemmOptions add;
  add.accumulate = true;
  LossSum total;
  for (size_t start = 0; start < x.rows; start += parts.chunk) {
    const size_t count = std::min(parts.chunk, x.rows - start);
    const Matrix<float> logits = parts.logits.Rows(0, count);
    PackB(head, Transpose::kYes, parts.packed);
    GemmInRowBlocks(x.Rows(start, count), Transpose::kNo, parts.packed, x.cols, logits,
                    GemmOptions());
    const LossSum part =
        CrossEntropyForwardBackward(logits, targets.Slice(start, count), scale, smoothing,
                                    Span<float>());
    total.sum += part.sum;
    total.count += part.count;
    // logits = x E^T  ->  d_E = d_logits^T x,  d_x = d_logits E
    PackB(x.Rows(start, count), Transpose::kNo, parts.packed);
    GemmInRowBlocks(logits, Transpose::kYes, parts.packed, count, d_head, add);
    PackB(head, Transpose::kNo, parts.packed);
    GemmInRowBlocks(logits, Transpose::kNo, parts.packed, head.rows, d_x.Rows(start, count),
                    GemmOptions());
  }
  return total;
}

}  // namespace heed
