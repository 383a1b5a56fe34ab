// SPDX-License-Identifier: MIT
#include "train/muon.h"

#include <cmath>
#include <vector>

#include "catch2/catch_test_macros.hpp"
#include "reference/muon.h"
#include "support/foreach_target.h"
#include "support/layer_check.h"
#include "support/near.h"
#include "support/random.h"

namespace heed::test {
namespace {

// docs/numerics.md: five iterations lift the smallest directions, and their rounding, up to 485 times.
constexpr double kMuonError = 1e-3;

struct Shape {
  size_t rows, columns;
};
constexpr Shape kShapes[] = {{1, 1}, {1, 9}, {7, 1}, {5, 5}, {16, 40}, {40, 16}, {33, 65}, {96, 24}};

TEST_CASE("Muon: an update equals the reference's, wide, tall and square") {
  ForEachTarget([&](const char* target) {
    Random random(3);
    for (const Shape& shape : kShapes) {
      INFO(target << ", " << shape.rows << " x " << shape.columns);
      const size_t size = shape.rows * shape.columns;
      std::vector<float> parameter = random.NormalVector<float>(size);
      std::vector<float> m(size, 0.0f);
      std::vector<double> parameter64(parameter.begin(), parameter.end()), m64(size, 0.0);
      Scratch scratch(MuonScratchFloats(shape.rows, shape.columns));
      for (int step = 0; step < 3; ++step) {
        const std::vector<float> gradient = random.NormalVector<float>(size, 0.01);
        const std::vector<double> gradient64(gradient.begin(), gradient.end());
        const std::vector<double> before = parameter64;
        std::vector<float> moved = parameter;
        MuonUpdate({0.01f, 0.95f, 0.1f, 0.5f}, ConstMatrix(gradient.data(), shape.rows, shape.columns),
                   MatrixOf(moved, shape.rows, shape.columns),
                   MatrixOf(m, shape.rows, shape.columns), scratch.span());
        reference::MuonUpdate({0.01, 0.95, 0.1, 0.5}, shape.rows, shape.columns,
                              gradient64.data(), parameter64.data(), m64.data());
        HEED_CHECK_NEAR(NearL2("m", m64.data(), m.data(), size, 1e-6));
        std::vector<double> wanted(size);
        std::vector<float> got(size);
        for (size_t i = 0; i < size; ++i) {
          wanted[i] = parameter64[i] - before[i];
          got[i] = static_cast<float>(double{moved[i]} - before[i]);
        }
        HEED_CHECK_NEAR(NearL2("change", wanted.data(), got.data(), size, kMuonError));
        // Both go on from the same weights, or the error of one step would be that of the next.
        for (size_t i = 0; i < size; ++i) parameter64[i] = parameter[i] = moved[i];
      }
    }
  });
}

TEST_CASE("Muon: the step of a matrix has orthonormal rows or columns, nearly") {
  ForEachTarget([&](const char* target) {
    Random random(4);
    for (const Shape& shape : {Shape{8, 32}, {32, 8}, {64, 256}}) {
      INFO(target << ", " << shape.rows << " x " << shape.columns);
      std::vector<float> x = random.NormalVector<float>(shape.rows * shape.columns, 1e-4);
      Scratch scratch(MuonScratchFloats(shape.rows, shape.columns));
      Orthogonalise(MatrixOf(x, shape.rows, shape.columns), scratch.span());
      // Rows of a wide matrix, columns of a tall one.
      const bool wide = shape.rows < shape.columns;
      const size_t count = wide ? shape.rows : shape.columns;
      const size_t length = wide ? shape.columns : shape.rows;
      const auto at = [&](size_t vector, size_t i) {
        return double{wide ? x[vector * length + i] : x[i * count + vector]};
      };
      for (size_t a = 0; a < count; ++a) {
        for (size_t b = 0; b <= a; ++b) {
          double product = 0.0;
          for (size_t i = 0; i < length; ++i) product += at(a, i) * at(b, i);
          CHECK(std::abs(product - (a == b ? 1.0 : 0.0)) <= (a == b ? 0.5 : 0.3));
        }
      }
    }
  });
}

TEST_CASE("Muon: no gradient moves nothing but by decay") {
  std::vector<float> parameter(12, 2.0f), m(12, 0.0f);
  const std::vector<float> gradient(12, 0.0f);
  Scratch scratch(MuonScratchFloats(3, 4));
  MuonUpdate({0.5f, 0.9f, 0.25f, 1.0f}, ConstMatrix(gradient.data(), 3, 4), MatrixOf(parameter, 3, 4),
             MatrixOf(m, 3, 4), scratch.span());
  for (const float value : parameter) CHECK(value == 1.75f);
}

}  // namespace
}  // namespace heed::test
