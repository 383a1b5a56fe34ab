// SPDX-License-Identifier: MIT
#include "kernels/gemm.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "base/arena.h"
#include "support/guarded.h"
#include "support/near.h"
#include "support/random.h"

namespace heed::test {
namespace {

constexpr double kUnit = 0x1p-24;  // rounding unit of float
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// A product with row-major values of op(a) and op(b) as they lie in memory.
struct Problem {
  size_t m, n, k;
  bool transpose_a = false, transpose_b = false;
  size_t padding = 0, offset = 0;

  size_t a_rows() const { return transpose_a ? k : m; }
  size_t a_cols() const { return transpose_a ? m : k; }
  size_t b_rows() const { return transpose_b ? n : k; }
  size_t b_cols() const { return transpose_b ? k : n; }
};

struct Operands {
  std::vector<float> a, b, c, bias;
  Operands(const Problem& p, Random& random)
      : a(random.NormalVector(p.m * p.k)),
        b(random.NormalVector(p.k * p.n)),
        c(random.NormalVector(p.m * p.n)),
        bias(random.NormalVector(p.n)) {}
};

// Packed panels in memory that starts out as NaN.
class PackedB {
 public:
  explicit PackedB(size_t floats) {
    const uint64_t bytes = std::max<uint64_t>(floats * sizeof(float), kAlignment);
    REQUIRE(arena_.Allocate(bytes, "packed operand of a test").ok());
    span_ = arena_.Slice<float>(0, floats);
    std::fill(span_.begin(), span_.end(), kNan);
  }
  Span<float> span() { return span_; }

 private:
  Arena arena_;
  Span<float> span_;
};

// Result of Gemm, after checking that nothing around the operands was touched.
std::vector<float> Multiply(const Problem& p, const Operands& in, bool accumulate, bool with_bias) {
  Guarded a(p.a_rows(), p.a_cols(), p.a_cols() + p.padding, p.offset, in.a);
  Guarded b(p.b_rows(), p.b_cols(), p.b_cols() + p.padding, p.offset + 1, in.b);
  const std::vector<float> unset(p.m * p.n, kNan);
  Guarded c(p.m, p.n, p.n + p.padding, p.offset, accumulate ? in.c : unset);
  Guarded bias(in.bias, p.offset);
  PackedB packed(PackedBFloats(p.k, p.n));
  GemmOptions options;
  options.accumulate = accumulate;
  if (with_bias) options.bias = bias.span();
  Gemm(a.matrix(), Transpose{p.transpose_a}, b.matrix(), Transpose{p.transpose_b}, c.matrix(),
       options, packed.span());
  CHECK((a.Intact() && b.Intact() && c.Intact() && bias.Intact()));
  return c.Values();
}

// Compares with double. docs/numerics.md, GEMM: an element is off by at most (K + 4) u times the
// sum of the magnitudes that were added; the largest such sum of the matrix bounds all.
void CheckProduct(const Problem& p, const Operands& in, bool accumulate, bool with_bias) {
  INFO("m " << p.m << ", n " << p.n << ", k " << p.k << ", transposed " << p.transpose_a
            << p.transpose_b << ", padding " << p.padding << ", offset " << p.offset
            << ", accumulate " << accumulate << ", bias " << with_bias);
  std::vector<double> expected(p.m * p.n);
  double magnitude = 0.0;
  for (size_t i = 0; i < p.m; ++i) {
    for (size_t j = 0; j < p.n; ++j) {
      double sum =
          (accumulate ? double{in.c[i * p.n + j]} : 0.0) + (with_bias ? double{in.bias[j]} : 0.0);
      double size = std::abs(sum);
      for (size_t l = 0; l < p.k; ++l) {
        const double term = double{in.a[p.transpose_a ? l * p.m + i : i * p.k + l]} *
                            double{in.b[p.transpose_b ? j * p.k + l : l * p.n + j]};
        sum += term;
        size += std::abs(term);
      }
      expected[i * p.n + j] = sum;
      magnitude = std::max(magnitude, size);
    }
  }
  const double tolerance = static_cast<double>(p.k + 4) * kUnit * magnitude;
  HEED_CHECK_NEAR(
      Near("c", expected, Multiply(p, in, accumulate, with_bias), {tolerance, 0.0}, {p.m, p.n}));
}

TEST_CASE("gemm: every size around the tiles, every orientation, matches double") {
  std::vector<Problem> problems;
  for (size_t m = 0; m <= 25; ++m) problems.push_back({m, 7, 5});  // two tallest tiles and one
  for (size_t n = 0; n <= 65; ++n) problems.push_back({5, n, 6});  // two widest panels and one
  for (size_t k = 0; k <= 33; ++k) problems.push_back({7, 9, k});
  for (const size_t k : {383, 384, 385, 768, 1000}) problems.push_back({13, 33, k});
  problems.push_back({130, 70, 390});
  ForEachTarget([&](const char* target) {
    INFO("target " << target);
    Random random(1);
    size_t turn = 0;
    for (Problem p : problems) {
      for (int orientation = 0; orientation < 4; ++orientation) {
        p.transpose_a = (orientation & 1) != 0;
        p.transpose_b = (orientation & 2) != 0;
        const Operands in(p, random);
        for (const size_t offset : {0, 1, 3}) {
          p.offset = offset;
          p.padding = turn % 3;
          const size_t mode = turn++ % 3;
          CheckProduct(p, in, mode == 1, mode == 2);
        }
      }
    }
  });
}

TEST_CASE("gemm: pointers off by 4, 8 and 12 bytes give the same bits (R055)") {
  ForEachTarget([&](const char* target) {
    INFO("target " << target);
    Random random(2);
    for (const bool transposed : {false, true}) {
      Problem p{19, 37, 50, transposed, transposed};
      const Operands in(p, random);
      const std::vector<float> aligned = Multiply(p, in, false, true);
      for (size_t offset = 1; offset <= 3; ++offset) {
        p.offset = offset;
        CHECK(SameBits(Multiply(p, in, false, true), aligned));
      }
    }
  });
}

TEST_CASE("gemm: row blocks give the bits of the whole product") {
  ForEachTarget([&](const char* target) {
    INFO("target " << target);
    Random random(3);
    for (const bool transposed : {false, true}) {
      for (const size_t k : {5, 384, 385, 900}) {
        const Problem p{41, 45, k, transposed, false};
        Operands in(p, random);
        const std::vector<float> whole = Multiply(p, in, true, false);
        PackedB packed(PackedBFloats(p.k, p.n));
        PackB(ConstMatrix(in.b.data(), p.k, p.n), Transpose::kNo, packed.span());
        const ConstMatrix a(in.a.data(), p.a_rows(), p.a_cols());
        for (const size_t block : {1, 2, 5, 8, 16, 40}) {
          INFO("transposed " << transposed << ", k " << k << ", block " << block);
          std::vector<float> c = in.c;
          const Matrix<float> result(c.data(), p.m, p.n);
          for (size_t row = 0; row < p.m; row += block) {
            const size_t rows = std::min(block, p.m - row);
            GemmOptions options;
            options.accumulate = true;
            GemmPacked(transposed ? a.Cols(row, rows) : a.Rows(row, rows), Transpose{transposed},
                       packed.span(), p.k, result.Rows(row, rows), options);
          }
          CHECK(SameBits(c, whole));
        }
      }
    }
  });
}

TEST_CASE("gemm: a NaN reaches its own row or column and no other element") {
  ForEachTarget([&](const char* target) {
    INFO("target " << target);
    Random random(4);
    const Problem p{14, 35, 20};
    const Operands clean(p, random);
    const std::vector<float> expected = Multiply(p, clean, false, false);
    Operands in = clean;
    in.a[8 * p.k + 3] = kNan;
    in.b[7 * p.n + 34] = kNan;
    const std::vector<float> actual = Multiply(p, in, false, false);
    for (size_t i = 0; i < p.m; ++i) {
      for (size_t j = 0; j < p.n; ++j) {
        INFO("row " << i << ", column " << j);
        const float value = actual[i * p.n + j];
        if (i == 8 || j == 34) {
          CHECK(std::isnan(value));
        } else {
          CHECK(value == expected[i * p.n + j]);
        }
      }
    }
  });
}

TEST_CASE("gemm: an infinite product is infinite, opposite infinities are NaN") {
  ForEachTarget([&](const char* target) {
    INFO("target " << target);
    const std::vector<float> a = {3e38f, 1.0f, 3e38f, 0.0f}, b = {3e38f, 3e38f};
    std::vector<float> c(2);
    PackedB packed(PackedBFloats(2, 1));
    Gemm({a.data(), 2, 2}, Transpose::kNo, {b.data(), 2, 1}, Transpose::kNo, {c.data(), 2, 1}, {},
         packed.span());
    CHECK(c[0] == std::numeric_limits<float>::infinity());
    CHECK(c[1] == std::numeric_limits<float>::infinity());
    const std::vector<float> opposite = {3e38f, -3e38f};
    Gemm({a.data(), 1, 2}, Transpose::kNo, {opposite.data(), 2, 1}, Transpose::kNo,
         {c.data(), 1, 1}, {}, packed.span());
    CHECK(c[0] == std::numeric_limits<float>::infinity());  // inf - 3e38
    const std::vector<float> left = {3e38f, 3e38f};
    Gemm({left.data(), 1, 2}, Transpose::kNo, {opposite.data(), 2, 1}, Transpose::kNo,
         {c.data(), 1, 1}, {}, packed.span());
    CHECK(!std::isfinite(c[0]));  // inf - inf, or inf when the product and the sum are fused
  });
}

TEST_CASE("gemm: packed size covers every target and does not depend on the one in use") {
  CHECK(PackedBFloats(0, 5) == 0);
  CHECK(PackedBFloats(3, 0) == 0);
  size_t floats = 0;
  ForEachTarget([&](const char* target) {
    INFO("target " << target);
    const size_t now = PackedBFloats(7, 65);
    CHECK(now >= 7 * 65);
    CHECK((floats == 0 || floats == now));
    floats = now;
  });
}

}  // namespace
}  // namespace heed::test
