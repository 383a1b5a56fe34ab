// SPDX-License-Identifier: MIT
#include "kernels/elementwise.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/elementwise.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After foreach_target:
#include "hwy/highway.h"
#include "kernels/elementwise-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace {

using FloatTag = hn::ScalableTag<float>;

void Add(ConstSpan a, ConstSpan b, Span<float> out) {
  AddVectors(FloatTag(), out.size, a.data, b.data, out.data);
}

void Scale(ConstSpan x, float factor, Span<float> y) {
  ScaleVectors(FloatTag(), y.size, x.data, factor, y.data);
}

void AddRepeatedRows(ConstMatrix table, Matrix<float> x) {
  for (size_t row = 0; row < x.rows; ++row) {
    AddVectors(FloatTag(), x.cols, x.Row(row), table.Row(row % table.rows), x.Row(row));
  }
}

void AccumulateRepeatedRows(ConstMatrix d_x, Matrix<float> d_table) {
  for (size_t row = 0; row < d_table.rows; ++row) {
    AccumulateRows(FloatTag(), d_x, row, d_table.rows, d_table.Row(row));
  }
}

void AccumulateColumnSums(ConstMatrix x, Span<float> sums) {
  AccumulateRows(FloatTag(), x, 0, 1, sums.data);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heed {

HWY_EXPORT(Add);
HWY_EXPORT(Scale);
HWY_EXPORT(AddRepeatedRows);
HWY_EXPORT(AccumulateRepeatedRows);
HWY_EXPORT(AccumulateColumnSums);

void AddTo(ConstSpan x, Span<float> y) { Add(x, y, y); }

void Add(ConstSpan a, ConstSpan b, Span<float> out) {
  HEED_DCHECK(a.size == out.size && b.size == out.size);
  HWY_DYNAMIC_DISPATCH(Add)(a, b, out);
}

void Scale(ConstSpan x, float factor, Span<float> y) {
  HEED_DCHECK(x.size == y.size);
  HWY_DYNAMIC_DISPATCH(Scale)(x, factor, y);
}

void AddRepeatedRows(ConstMatrix table, Matrix<float> x) {
  HEED_DCHECK(table.cols == x.cols);
  HEED_DCHECK(x.rows == 0 || (table.rows > 0 && x.rows % table.rows == 0));
  HWY_DYNAMIC_DISPATCH(AddRepeatedRows)(table, x);
}

void AccumulateRepeatedRows(ConstMatrix d_x, Matrix<float> d_table) {
  HEED_DCHECK(d_table.cols == d_x.cols);
  HEED_DCHECK(d_x.rows == 0 || (d_table.rows > 0 && d_x.rows % d_table.rows == 0));
  HWY_DYNAMIC_DISPATCH(AccumulateRepeatedRows)(d_x, d_table);
}

void AccumulateColumnSums(ConstMatrix x, Span<float> sums) {
  HEED_DCHECK(x.cols == sums.size);
  HWY_DYNAMIC_DISPATCH(AccumulateColumnSums)(x, sums);
}

}  // namespace heed
#endif  // HWY_ONCE
