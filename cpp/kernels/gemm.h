// SPDX-License-Identifier: MIT
// Matrix products with packed panels and register tiles. One kernel serves every orientation; the
// caller packs the right operand once and may then multiply any number of row blocks with it.
#ifndef HEED_KERNELS_GEMM_H_
#define HEED_KERNELS_GEMM_H_

#include <cstddef>

#include "base/span.h"

namespace heed {

enum class Transpose : bool { kNo = false, kYes = true };

// Floats of the panels that PackB writes for a (K x N) right operand; independent of its layout.
size_t PackedBFloats(size_t k, size_t n);

// Packs the right operand. `b` is (K x N), or (N x K) with transpose == kYes; any stride, no
// alignment needed. `packed` holds at least PackedBFloats(k, n) floats and starts at a multiple of
// kAlignment bytes; overwritten.
void PackB(ConstMatrix b, Transpose transpose, Span<float> packed);

struct GemmOptions {
  bool accumulate = false;  // c += product instead of c = product
  ConstSpan bias;           // (N) added to every row when not empty; not together with accumulate
};

// c (M x N) = op(a) (M x K) times the packed right operand (K x N).
// `a` is (M x K), or (K x M) with transpose_a == kYes. c must not overlap a or packed. K == 0 gives
// zeros (plus bias). For each element of c the products are added in ascending k in an order that
// depends on K alone: computing c in row blocks gives the same bits as computing it at once.
void GemmPacked(ConstMatrix a, Transpose transpose_a, ConstSpan packed_b, size_t k, Matrix<float> c,
                const GemmOptions& options);

// c = op(a) op(b) with packing included; `scratch` as for PackB. The form benchmarks time.
void Gemm(ConstMatrix a, Transpose transpose_a, ConstMatrix b, Transpose transpose_b,
          Matrix<float> c, const GemmOptions& options, Span<float> scratch);

}  // namespace heed

#endif  // HEED_KERNELS_GEMM_H_
