// SPDX-License-Identifier: MIT
#include "kernels/elementwise.h"

#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "support/guarded.h"
#include "support/random.h"

namespace heed::test {
namespace {

TEST_CASE("elementwise: sums and multiples are the scalar ones bit for bit") {
  Random random(1);
  ForEachLength([&](size_t n, size_t offset) {
    const auto a = random.NormalVector(n), b = random.NormalVector(n);
    std::vector<float> sum(n), scaled(n);
    for (size_t i = 0; i < n; ++i) sum[i] = a[i] + b[i];
    for (size_t i = 0; i < n; ++i) scaled[i] = a[i] * 0.3f;

    Guarded x(a, offset), y(b, offset + 1), out(n, offset + 2);
    Add(x.span(), y.span(), out.span());
    CHECK(SameBits(out.Values(), sum));
    Scale(x.span(), 0.3f, out.span());
    CHECK(SameBits(out.Values(), scaled));
    CHECK(SameBits(x.Values(), a));
    CHECK(SameBits(y.Values(), b));
    AddTo(x.span(), y.span());
    CHECK(SameBits(y.Values(), sum));
    CHECK((x.Intact() && y.Intact() && out.Intact()));

    Guarded first(a, offset), second(b, offset);
    Add(first.span(), second.span(), first.span());
    CHECK(SameBits(first.Values(), sum));
    first.Set(a);
    Add(first.span(), second.span(), second.span());
    CHECK(SameBits(second.Values(), sum));
    Scale(first.span(), 0.3f, first.span());
    CHECK(SameBits(first.Values(), scaled));
    CHECK((first.Intact() && second.Intact()));
  });
}

TEST_CASE("elementwise: repeated rows are added and their gradients summed in row order") {
  Random random(2);
  ForEachLength([&](size_t cols, size_t offset) {
    for (const size_t repeats : {0, 1, 3, 6}) {
      const size_t period = 3, rows = period * repeats, stride = cols + 5;
      const auto table = random.NormalVector(period * cols), x = random.NormalVector(rows * cols);
      std::vector<float> joined = x, gradient = table;
      for (size_t i = 0; i < joined.size(); ++i) {
        joined[i] += table[i / cols % period * cols + i % cols];
        gradient[i / cols % period * cols + i % cols] += x[i];
      }
      Guarded in(rows, cols, stride, offset, x);
      Guarded rows_table(period, cols, stride, offset + 2, table);
      AccumulateRepeatedRows(in.matrix(), rows_table.matrix());
      CHECK(SameBits(rows_table.Values(), gradient));
      rows_table.Set(table);
      AddRepeatedRows(rows_table.matrix(), in.matrix());
      CHECK(SameBits(in.Values(), joined));
      CHECK((in.Intact() && rows_table.Intact()));
    }
  });
}

TEST_CASE("elementwise: column sums accumulate in row order") {
  Random random(3);
  ForEachLength([&](size_t cols, size_t offset) {
    for (const size_t rows : {0, 1, 3, 4, 5, 8, 11}) {
      const auto x = random.NormalVector(rows * cols), start = random.NormalVector(cols);
      std::vector<float> expected = start;
      for (size_t i = 0; i < x.size(); ++i) expected[i % cols] += x[i];
      Guarded in(rows, cols, cols + 3, offset, x), sums(start, offset + 1);
      AccumulateColumnSums(in.matrix(), sums.span());
      CHECK(SameBits(sums.Values(), expected));
      CHECK((in.Intact() && sums.Intact()));
    }
  });
}

}  // namespace
}  // namespace heed::test
