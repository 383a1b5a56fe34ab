// SPDX-License-Identifier: MIT
#include "layers/linear.h"

#include <algorithm>

#include "kernels/elementwise.h"
#include "kernels/gemm.h"
#include "layers/row_blocks.h"

namespace heed {
namespace {

// Rows of d_y packed at a time for d_W: bounds the scratch for long batches. 1024 rows of 512 floats
// are 2 MB, and adding the partial product costs one pass over d_W for 1024 multiply-adds an element.
constexpr size_t kRowsPerPack = 1024;

}  // namespace

uint64_t LinearScratchFloats(uint64_t rows, uint64_t in, uint64_t out) {
  return std::max({PlannedPackedFloats(in, out), PlannedPackedFloats(out, in),
                   PlannedPackedFloats(std::min<uint64_t>(rows, kRowsPerPack), out)});
}

void LinearForward(ConstMatrix x, const LinearParams<const float>& params, Matrix<float> y,
                   Span<float> scratch) {
  PackB(params.weight, Transpose::kNo, scratch);
  GemmOptions options;
  options.bias = params.bias;
  GemmInRowBlocks(x, Transpose::kNo, scratch, x.cols, y, options);
}

void LinearBackward(ConstMatrix d_y, ConstMatrix x, const LinearParams<const float>& params,
                    Matrix<float> d_x, Join join, const LinearParams<float>& d_params,
                    Span<float> scratch) {
  // y = x W + b  ->  d_b = column sums of d_y,  d_W = x^T d_y,  d_x = d_y W^T.
  if (!d_params.bias.empty()) AccumulateColumnSums(d_y, d_params.bias);
  GemmOptions add;
  add.accumulate = true;
  for (size_t start = 0; start < d_y.rows; start += kRowsPerPack) {
    const size_t count = std::min(kRowsPerPack, d_y.rows - start);
    PackB(d_y.Rows(start, count), Transpose::kNo, scratch);
    GemmInRowBlocks(x.Rows(start, count), Transpose::kYes, scratch, count, d_params.weight, add);
  }
  PackB(params.weight, Transpose::kYes, scratch);
  GemmOptions options;
  options.accumulate = join == Join::kAdd;
  GemmInRowBlocks(d_y, Transpose::kNo, scratch, d_y.cols, d_x, options);
}

}  // namespace heed
