// SPDX-License-Identifier: MIT
#include "explain/attention_function.h"

#include <algorithm>
#include <cmath>

#include "base/matrix_copies.h"
#include "explain/softmax_rows.h"
#include "kernels/elementwise.h"
#include "kernels/gemm.h"
#include "kernels/reduce.h"
#include "layers/row_blocks.h"

namespace heed {
namespace {

size_t ValueWidth(const AttentionArguments& a) {
  return a.w_v.data != nullptr ? a.w_v.cols : a.x.cols;
}

Status WrongShape(const char* name, ConstMatrix m, size_t rows, const char* rows_of) {
  return Status::Error(StatusCode::kInvalidArgument,
                       "the matrix %s is %zu x %zu; it needs %zu rows, one for each column of %s", name,
                       m.rows, m.cols, rows, rows_of);
}

Status CheckFinite(const char* name, ConstMatrix m) {
  if (m.data == nullptr || AllFinite(m.Flat())) return Status();
  return Status::Error(StatusCode::kInvalidArgument,
                       "the matrix %s has an element that is not finite as a 32-bit float; give "
                       "finite ones",
                       name);
}

// Packed right operands of all products.
Status AllocateScratch(const AttentionArguments& a, Arena* arena, Span<float>* scratch) {
  const uint64_t time = a.x.rows, width = a.x.cols, head = a.w_q.cols, value = ValueWidth(a);
  uint64_t floats = 0;
  for (const uint64_t k : {time, width, head, value}) {
    for (const uint64_t n : {time, width, head, value}) {
      floats = std::max(floats, PlannedPackedFloats(k, n));
    }
  }
  HEED_RETURN_IF_ERROR(arena->Allocate(CheckedMul(CheckedAdd(floats, time), sizeof(float)),
                                       "the work memory of attention"));
  *scratch = arena->Slice<float>(0, arena->bytes() / sizeof(float));
  return Status();
}

Status CheckAllFinite(std::initializer_list<Matrix<float>> matrices) {
  for (const Matrix<float>& m : matrices) {
    if (m.data == nullptr || AllFinite(m.Flat())) continue;
    return Status::Error(StatusCode::kNonFinite,
                         "attention: a product leaves the range of 32-bit floats; scale the "
                         "matrices down");
  }
  return Status();
}

}  // namespace

Status CheckAttentionArguments(const AttentionArguments& a) {
  if (a.x.rows == 0 || a.x.cols == 0 || a.w_q.cols == 0) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "the matrix x is %zu x %zu and wQ %zu x %zu; none of these may be 0", a.x.rows,
                         a.x.cols, a.w_q.rows, a.w_q.cols);
  }
  if (a.w_q.rows != a.x.cols) return WrongShape("wQ", a.w_q, a.x.cols, "x");
  if (a.w_k.rows != a.x.cols) return WrongShape("wK", a.w_k, a.x.cols, "x");
  if (a.w_k.cols != a.w_q.cols) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "the matrix wQ has %zu columns and wK %zu; queries and keys need the same width",
                         a.w_q.cols, a.w_k.cols);
  }
  if (a.w_v.data != nullptr && (a.w_v.rows != a.x.cols || a.w_v.cols == 0)) {
    return WrongShape("wV", a.w_v, a.x.cols, "x");
  }
  if (a.visible.size != a.x.rows * a.x.rows) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "the mask has %zu cells; %zu rows of x need %zu x %zu", a.visible.size,
                         a.x.rows, a.x.rows, a.x.rows);
  }
  for (size_t i = 0; i < a.x.rows; ++i) {
    const Span<const uint8_t> row = a.visible.Slice(i * a.x.rows, a.x.rows);
    if (std::find_if(row.begin(), row.end(), [](uint8_t v) { return v != 0; }) == row.end()) {
      return Status::Error(StatusCode::kInvalidArgument,
                           "row %zu of the mask sees nothing; let every row see a column", i);
    }
  }
  HEED_RETURN_IF_ERROR(CheckFinite("x", a.x));
  HEED_RETURN_IF_ERROR(CheckFinite("wQ", a.w_q));
  HEED_RETURN_IF_ERROR(CheckFinite("wK", a.w_k));
  HEED_RETURN_IF_ERROR(CheckFinite("wV", a.w_v));
  if (std::isfinite(a.scale)) return Status();
  return Status::Error(StatusCode::kInvalidArgument,
                       "the scale is not finite as a 32-bit float; give a finite one");
}

AttentionResults PlanAttentionResults(const AttentionArguments& a, Planner* planner) {
  const uint64_t time = a.x.rows, value = ValueWidth(a);
  AttentionResults r;
  r.q = planner->Floats(time, a.w_q.cols);
  r.k = planner->Floats(time, a.w_q.cols);
  r.v = planner->Floats(time, value);
  r.scores = planner->Floats(time, time);
  r.weights = planner->Floats(time, time);
  r.out = planner->Floats(time, value);
  return r;
}

AttentionResultGradients PlanAttentionGradients(const AttentionArguments& a, Planner* planner) {
  const uint64_t time = a.x.rows;
  AttentionResultGradients g;
  g.q = planner->Floats(time, a.w_q.cols);
  g.k = planner->Floats(time, a.w_q.cols);
  g.v = planner->Floats(time, ValueWidth(a));
  g.scores = planner->Floats(time, time);
  g.weights = planner->Floats(time, time);
  g.x = planner->Floats(time, a.x.cols);
  g.w_q = planner->Floats(a.w_q.rows, a.w_q.cols);
  g.w_k = planner->Floats(a.w_k.rows, a.w_k.cols);
  if (a.w_v.data != nullptr) g.w_v = planner->Floats(a.w_v.rows, a.w_v.cols);
  return g;
}

Status AttentionFunction(const AttentionArguments& a, const AttentionResults& r) {
  Arena arena;
  Span<float> scratch;
  HEED_RETURN_IF_ERROR(AllocateScratch(a, &arena, &scratch));
  const size_t time = a.x.rows;
  const auto product = [&](ConstMatrix left, ConstMatrix right, Transpose transpose_right,
                           Matrix<float> result) {
    Gemm(left, Transpose::kNo, right, transpose_right, result, GemmOptions(), scratch);
  };
  product(a.x, a.w_q, Transpose::kNo, r.q);
  product(a.x, a.w_k, Transpose::kNo, r.k);
  if (a.w_v.data != nullptr) {
    product(a.x, a.w_v, Transpose::kNo, r.v);
  } else {
    Copy(a.x, r.v);
  }
  product(r.q, r.k, Transpose::kYes, r.scores);
  Scale(r.scores.Flat(), a.scale, r.scores.Flat());
  for (size_t i = 0; i < time; ++i) {
    MaskedSoftmax(r.scores.RowSpan(i), a.visible.Slice(i * time, time), scratch.Slice(0, time),
                  r.weights.RowSpan(i));
  }
  product(r.weights, r.v, Transpose::kNo, r.out);
  return CheckAllFinite({r.q, r.k, r.v, r.scores, r.weights, r.out});
}

Status AttentionFunctionBackward(const AttentionArguments& a, const AttentionResults& r,
                                 ConstMatrix d_out, const AttentionResultGradients& g) {
  HEED_RETURN_IF_ERROR(CheckFinite("dOut", d_out));
  Arena arena;
  Span<float> scratch;
  HEED_RETURN_IF_ERROR(AllocateScratch(a, &arena, &scratch));
  const auto product = [&](ConstMatrix left, Transpose transpose_left, ConstMatrix right,
                           Transpose transpose_right, Matrix<float> result, bool add = false) {
    GemmOptions options;
    options.accumulate = add;
    Gemm(left, transpose_left, right, transpose_right, result, options, scratch);
  };
  using enum Transpose;
  // out = weights v
  product(r.weights, kYes, d_out, kNo, g.v);
  product(d_out, kNo, r.v, kYes, g.weights);
  for (size_t cell = 0; cell < a.visible.size; ++cell) {
    if (a.visible[cell] == 0) g.weights.data[cell] = 0.0f;
  }
  Copy(g.weights, g.scores);
  SoftmaxRowsBackward(r.weights, g.scores);
  // scores = scale q k^T
  product(g.scores, kNo, r.k, kNo, g.q);
  product(g.scores, kYes, r.q, kNo, g.k);
  Scale(g.q.Flat(), a.scale, g.q.Flat());
  Scale(g.k.Flat(), a.scale, g.k.Flat());
  // q = x W_Q, k = x W_K, v = x W_V
  product(a.x, kYes, g.q, kNo, g.w_q);
  product(a.x, kYes, g.k, kNo, g.w_k);
  product(g.q, kNo, a.w_q, kYes, g.x);
  product(g.k, kNo, a.w_k, kYes, g.x, true);
  if (a.w_v.data != nullptr) {
    product(a.x, kYes, g.v, kNo, g.w_v);
    product(g.v, kNo, a.w_v, kYes, g.x, true);
  } else {
    AddTo(g.v.Flat(), g.x.Flat());
  }
  return CheckAllFinite({g.q, g.k, g.v, g.scores, g.weights, g.x, g.w_q, g.w_k, g.w_v});
}

}  // namespace heed
