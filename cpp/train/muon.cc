// SPDX-License-Identifier: MIT
#include "train/muon.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/arena.h"
#include "kernels/elementwise.h"
#include "kernels/gemm.h"
#include "kernels/reduce.h"

namespace heed {
namespace {

constexpr int kIterations = 5;
constexpr float kA = 3.4445f, kB = -4.7750f, kC = 2.0315f;

// Runs of a scratch span, each at an aligned place; or their sizes, added up.
struct Parts {
  Parts(float* start, uint64_t rows, uint64_t columns) {
    const uint64_t small = std::min(rows, columns), size = CheckedMul(rows, columns);
    const uint64_t square = CheckedMul(small, small);
    const auto take = [&](uint64_t count) {
      float* run = start == nullptr ? nullptr : start + floats;
      constexpr uint64_t kLine = kAlignment / sizeof(float);
      const uint64_t padded = CheckedAdd(count, kLine - 1);
      floats = padded == UINT64_MAX ? padded : CheckedAdd(floats, padded / kLine * kLine);
      return run;
    };
    update = take(size);
    next = take(size);
    gram = take(square);
    polynomial = take(square);
    const uint64_t packed =
        std::max({PackedBFloats(static_cast<size_t>(rows), static_cast<size_t>(columns)),
                  PackedBFloats(static_cast<size_t>(columns), static_cast<size_t>(rows)),
                  PackedBFloats(static_cast<size_t>(small), static_cast<size_t>(small))});
    packed_operand = Span<float>(take(packed), static_cast<size_t>(packed));
  }

  uint64_t floats = 0;
  float* update;      // (rows, columns)
  float* next;        // (rows, columns)
  float* gram;        // (small, small), x x^T or x^T x
  float* polynomial;  // (small, small), b gram + c gram^2
  Span<float> packed_operand;
};

void Iterate(Matrix<float> x, const Parts& parts) {
  const bool wide = x.rows <= x.cols;
  const size_t small = std::min(x.rows, x.cols);
  const Matrix<float> gram(parts.gram, small, small), polynomial(parts.polynomial, small, small);
  const Matrix<float> next(parts.next, x.rows, x.cols);
  const GemmOptions overwrite;
  const auto no = Transpose::kNo, yes = Transpose::kYes;
  Gemm(x, wide ? no : yes, x, wide ? yes : no, gram, overwrite, parts.packed_operand);
  Gemm(gram, no, gram, no, polynomial, overwrite, parts.packed_operand);
  const Span<float> p = polynomial.Flat();
  const ConstSpan g = gram.Flat();
  for (size_t i = 0; i < p.size; ++i) p[i] = kC * p[i] + kB * g[i];
  if (wide) {
    Gemm(polynomial, no, x, no, next, overwrite, parts.packed_operand);
  } else {
    Gemm(x, no, polynomial, no, next, overwrite, parts.packed_operand);
  }
  for (size_t r = 0; r < x.rows; ++r) {
    for (size_t c = 0; c < x.cols; ++c) x(r, c) = kA * x(r, c) + next(r, c);
  }
}

void Orthogonalise(Matrix<float> x, const Parts& parts) {
  const float norm = static_cast<float>(std::sqrt(SumOfSquares(x.Flat())));
  Scale(x.Flat(), 1.0f / (norm + 1e-7f), x.Flat());
  for (int i = 0; i < kIterations; ++i) Iterate(x, parts);
}

}  // namespace

uint64_t MuonScratchFloats(uint64_t rows, uint64_t columns) {
  return Parts(nullptr, rows, columns).floats;
}

void Orthogonalise(Matrix<float> x, Span<float> scratch) {
  Orthogonalise(x, Parts(scratch.data, x.rows, x.cols));
}

void MuonUpdate(const MuonStep& step, ConstMatrix gradient, Matrix<float> parameter,
                Matrix<float> m, Span<float> scratch) {
  const Parts parts(scratch.data, gradient.rows, gradient.cols);
  const Matrix<float> update(parts.update, gradient.rows, gradient.cols);
  const float kept = step.momentum, fresh = (1.0f - step.momentum) * step.gradient_scale;
  for (size_t r = 0; r < m.rows; ++r) {
    for (size_t c = 0; c < m.cols; ++c) {
      const float added = fresh * gradient(r, c);
      float moment = kept * m(r, c) + added;
      if (std::abs(moment) < std::numeric_limits<float>::min()) moment = 0.0f;
      m(r, c) = moment;
      update(r, c) = kept * moment + added;
    }
  }
  Orthogonalise(update, parts);
  const double size = 0.2 * std::sqrt(static_cast<double>(std::max(m.rows, m.cols)));
  const float rate = static_cast<float>(double{step.learning_rate} * size);
  const float left = 1.0f - step.learning_rate * step.weight_decay;
  for (size_t r = 0; r < m.rows; ++r) {
    for (size_t c = 0; c < m.cols; ++c) {
      parameter(r, c) = left * parameter(r, c) - rate * update(r, c);
    }
  }
}

}  // namespace heed
