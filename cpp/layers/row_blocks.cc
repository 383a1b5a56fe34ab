// SPDX-License-Identifier: MIT
#include "layers/row_blocks.h"

#include <algorithm>

#include "base/arena.h"
#include "base/parallel.h"

namespace heed {
namespace {

// Rows below which a block costs more to hand out than to compute; a multiple of every row tile.
constexpr size_t kMinRows = 48;

}  // namespace

void GemmInRowBlocks(ConstMatrix a, Transpose transpose_a, ConstSpan packed_b, size_t k,
                     Matrix<float> c, const GemmOptions& options) {
  const size_t workers = ParallelWorkers();
  if (workers == 1 || c.rows < 2 * kMinRows) {
    GemmPacked(a, transpose_a, packed_b, k, c, options);
    return;
  }
  // Four blocks a worker even out a slow core.
  const size_t wanted = (c.rows + 4 * workers - 1) / (4 * workers);
  const size_t block = (std::max(wanted, kMinRows) + kMinRows - 1) / kMinRows * kMinRows;
  ParallelFor((c.rows + block - 1) / block, [&](size_t task, size_t) {
    const size_t start = task * block;
    const size_t count = std::min(block, c.rows - start);
    const ConstMatrix rows =
        transpose_a == Transpose::kYes ? a.Cols(start, count) : a.Rows(start, count);
    GemmPacked(rows, transpose_a, packed_b, k, c.Rows(start, count), options);
  });
}

uint64_t PlannedPackedFloats(uint64_t k, uint64_t n) {
  // No panel is wider than 64 columns.
  const uint64_t most = CheckedMul(CheckedAdd(k, 64), CheckedAdd(n, 64));
  if (most > uint64_t{1} << 31) return UINT64_MAX;
  return PackedBFloats(static_cast<size_t>(k), static_cast<size_t>(n));
}

}  // namespace heed
