// SPDX-License-Identifier: MIT
// Views with shapes. Rows and columns travel with the pointer, so a call cannot exchange them.
#ifndef HEED_BASE_SPAN_H_
#define HEED_BASE_SPAN_H_

#include <cstddef>
#include <type_traits>

#include "base/check.h"

namespace heed {

// A contiguous run of `size` elements; does not own them. `data` may be null when size is 0, or to
// say "this optional tensor is absent" where a contract allows it.
template <typename T>
struct Span {
  T* data = nullptr;
  size_t size = 0;

  Span() = default;
  Span(T* data_in, size_t size_in) : data(data_in), size(size_in) {}
  // Span<float> converts to Span<const float>.
  template <typename U, typename = std::enable_if_t<std::is_same_v<const U, T>>>
  Span(Span<U> other) : data(other.data), size(other.size) {}  // NOLINT

  bool empty() const { return size == 0; }
  T& operator[](size_t i) const {
    HEED_DCHECK(i < size);
    return data[i];
  }
  T* begin() const { return data; }
  T* end() const { return data + size; }
  Span Slice(size_t start, size_t count) const {
    HEED_DCHECK(start <= size && count <= size - start);
    return Span(data + start, count);
  }
};

// A row-major matrix whose rows start `stride` elements apart (stride >= cols); does not own it.
template <typename T>
struct Matrix {
  T* data = nullptr;
  size_t rows = 0;
  size_t cols = 0;
  size_t stride = 0;

  Matrix() = default;
  Matrix(T* data_in, size_t rows_in, size_t cols_in)
      : Matrix(data_in, rows_in, cols_in, cols_in) {}
  Matrix(T* data_in, size_t rows_in, size_t cols_in, size_t stride_in)
      : data(data_in), rows(rows_in), cols(cols_in), stride(stride_in) {
    HEED_DCHECK(stride >= cols);
  }
  // Matrix<float> converts to Matrix<const float>.
  template <typename U, typename = std::enable_if_t<std::is_same_v<const U, T>>>
  Matrix(Matrix<U> other)  // NOLINT
      : data(other.data), rows(other.rows), cols(other.cols), stride(other.stride) {}

  T* Row(size_t row) const {
    HEED_DCHECK(row < rows || (row == rows && rows == 0));
    return data + row * stride;
  }
  Span<T> RowSpan(size_t row) const { return Span<T>(Row(row), cols); }
  T& operator()(size_t row, size_t col) const {
    HEED_DCHECK(row < rows && col < cols);
    return data[row * stride + col];
  }
  Matrix Rows(size_t start, size_t count) const {
    HEED_DCHECK(start <= rows && count <= rows - start);
    return Matrix(data + start * stride, count, cols, stride);
  }
  Matrix Cols(size_t start, size_t count) const {
    HEED_DCHECK(start <= cols && count <= cols - start);
    return Matrix(data + start, rows, count, stride);
  }
  bool contiguous() const { return stride == cols; }
  // All elements as one run; only for a contiguous matrix.
  Span<T> Flat() const {
    HEED_DCHECK(contiguous());
    return Span<T>(data, rows * cols);
  }
};

using ConstSpan = Span<const float>;
using ConstMatrix = Matrix<const float>;

}  // namespace heed

#endif  // HEED_BASE_SPAN_H_
