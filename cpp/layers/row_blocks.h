// SPDX-License-Identifier: MIT
// Matrix products cut into row blocks for ParallelFor. The kernel promises equal bits for any cut, so
// the number of blocks may follow the number of workers.
#ifndef HEED_LAYERS_ROW_BLOCKS_H_
#define HEED_LAYERS_ROW_BLOCKS_H_

#include <cstdint>

#include "base/span.h"
#include "kernels/gemm.h"

namespace heed {

// c = op(a) times packed_b, as GemmPacked, in row blocks over the workers.
void GemmInRowBlocks(ConstMatrix a, Transpose transpose_a, ConstSpan packed_b, size_t k,
                     Matrix<float> c, const GemmOptions& options);

// PackedBFloats for a plan: UINT64_MAX beyond 2^31 floats, where a 32-bit heap could not hold them
// and the arithmetic would wrap.
uint64_t PlannedPackedFloats(uint64_t k, uint64_t n);

}  // namespace heed

#endif  // HEED_LAYERS_ROW_BLOCKS_H_
