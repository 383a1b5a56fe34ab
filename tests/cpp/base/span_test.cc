// SPDX-License-Identifier: MIT
#include "base/span.h"

#include <catch2/catch_test_macros.hpp>
#include <type_traits>

namespace heed {
namespace {

TEST_CASE("span: views, slices and constness") {
  int values[] = {0, 1, 2, 3, 4};
  const Span<int> span(values, 5);
  CHECK(span[3] == 3);
  CHECK_FALSE(span.empty());
  const Span<int> middle = span.Slice(1, 3);
  CHECK(middle.size == 3);
  CHECK(middle[0] == 1);
  middle[2] = 30;
  CHECK(values[3] == 30);
  CHECK(span.Slice(5, 0).empty());
  int sum = 0;
  for (const int value : span) sum += value;
  CHECK(sum == 0 + 1 + 2 + 30 + 4);
  const Span<const int> constant = span;
  CHECK(constant.data == values);
  CHECK(Span<int>().empty());
}

TEST_CASE("span: writable converts to constant, never back") {
  static_assert(std::is_convertible_v<Span<float>, ConstSpan>);
  static_assert(!std::is_convertible_v<ConstSpan, Span<float>>);
  static_assert(std::is_convertible_v<Matrix<float>, ConstMatrix>);
  static_assert(!std::is_convertible_v<ConstMatrix, Matrix<float>>);
  SUCCEED();
}

TEST_CASE("matrix: rows, columns and strides") {
  float values[24];
  for (int i = 0; i < 24; ++i) values[i] = static_cast<float>(i);
  const Matrix<float> whole(values, 4, 6);
  CHECK(whole.contiguous());
  CHECK(whole(2, 3) == 15.0f);
  CHECK(whole.Flat().size == 24);
  const Matrix<float> rows = whole.Rows(1, 2);
  CHECK(rows.rows == 2);
  CHECK(rows(0, 0) == 6.0f);
  CHECK(rows(1, 5) == 17.0f);
  const Matrix<float> columns = whole.Cols(2, 3);
  CHECK_FALSE(columns.contiguous());
  CHECK(columns.stride == 6);
  CHECK(columns(3, 2) == 22.0f);
  const Matrix<float> block = whole.Rows(1, 2).Cols(4, 2);
  CHECK(block(1, 1) == 17.0f);
  CHECK(block.RowSpan(1).size == 2);
  CHECK(block.RowSpan(1)[0] == 16.0f);
  block(0, 0) = -1.0f;
  CHECK(values[10] == -1.0f);
  const ConstMatrix constant = block;
  CHECK(constant(0, 0) == -1.0f);
  CHECK(whole.Rows(4, 0).rows == 0);
}

}  // namespace
}  // namespace heed
