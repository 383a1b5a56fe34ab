// SPDX-License-Identifier: MIT
#include "kernels/rms_norm.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "reference/rms_norm.h"
#include "support/gradient_check.h"
#include "support/guarded.h"
#include "support/near.h"
#include "support/random.h"

namespace heed::test {
namespace {

constexpr float kEpsilon = 1e-5f;
constexpr double kUnit = 0x1p-24;  // rounding unit of float

TEST_CASE("rms norm: every length, misalignment and alias matches double") {
  Random random(1);
  ForEachLength([&](size_t cols, size_t offset) {
    const size_t rows = 3, stride = cols + 2;
    const auto x = random.NormalVector(rows * cols), d_y = random.NormalVector(rows * cols);
    const auto weight = random.UniformVector(cols, 0.5, 1.5);
    const auto x64 = Convert<double>(x), d_y64 = Convert<double>(d_y);
    const auto weight64 = Convert<double>(weight);
    std::vector<double> y(rows * cols), rstd(rows), d_x(rows * cols), d_weight(cols);
    reference::RmsNormForward(rows, cols, x64.data(), weight64.data(), double{kEpsilon}, y.data(),
                              rstd.data());
    reference::RmsNormBackward(rows, cols, d_y64.data(), x64.data(), weight64.data(), rstd.data(),
                               d_x.data(), d_weight.data());
    double z_max = 0.0, rstd_max = 0.0;
    for (size_t i = 0; i < x.size(); ++i) {
      z_max = std::max(z_max, std::abs(x64[i]) * rstd[i / cols]);
      rstd_max = std::max(rstd_max, rstd[i / cols]);
    }
    // docs/numerics.md: 20 roundings along the longest chain; nothing is subtracted before the
    // backward pass's g - z mean(g z).
    const double noise = 20 * kUnit;

    Guarded in(rows, cols, stride, offset, x), out(rows, cols, stride, offset + 1);
    Guarded w(weight, offset), factors(rows, offset);
    RmsNormForward(in.matrix(), w.span(), kEpsilon, out.matrix(), factors.span());
    HEED_CHECK_NEAR(Near("y", y, out.Values(), {0, noise}));
    if (cols > 0) HEED_CHECK_NEAR(Near("rstd", rstd, factors.Values(), {0, noise}));
    const auto y_values = out.Values();

    Guarded g(rows, cols, stride, offset + 1, d_y), d_in(rows, cols, stride, offset + 3);
    Guarded d_w(cols, offset);
    RmsNormBackward(g.matrix(), in.matrix(), w.span(), factors.span(), d_in.matrix(), d_w.span());
    const double size = rstd_max * 6.0 * (1.0 + z_max) * (1.0 + z_max);
    HEED_CHECK_NEAR(Near("d_x", d_x, d_in.Values(), {noise * size, 0}));
    HEED_CHECK_NEAR(Near("d_weight", d_weight, d_w.Values(), {noise * 12.0 * (1.0 + z_max), 0}));

    const auto d_x_values = d_in.Values();
    RmsNormBackward(g.matrix(), in.matrix(), w.span(), factors.span(), g.matrix(), d_w.span());
    CHECK(SameBits(g.Values(), d_x_values));
    RmsNormForward(in.matrix(), w.span(), kEpsilon, in.matrix(), factors.span());
    CHECK(SameBits(in.Values(), y_values));
    CHECK((in.Intact() && out.Intact() && w.Intact() && factors.Intact()));
    CHECK((g.Intact() && d_in.Intact() && d_w.Intact()));
  });
}

TEST_CASE("rms norm: gradients match the complex step") {
  Random random(2);
  const size_t rows = 2, cols = 21;
  const auto x = random.NormalVector(rows * cols, 2.0, 0.5);
  const auto d_y = random.NormalVector(rows * cols), weight = random.NormalVector(cols);
  ForEachTarget([&](const char* target) {
    INFO(target);
    std::vector<float> y(rows * cols), rstd(rows), d_x(rows * cols), d_weight(cols);
    RmsNormForward({x.data(), rows, cols}, {weight.data(), cols}, kEpsilon,
                   {y.data(), rows, cols}, {rstd.data(), rows});
    RmsNormBackward({d_y.data(), rows, cols}, {x.data(), rows, cols}, {weight.data(), cols},
                    {rstd.data(), rows}, {d_x.data(), rows, cols}, {d_weight.data(), cols});
    CheckGradients({{"x", Convert<double>(x), Convert<double>(d_x)},
                    {"weight", Convert<double>(weight), Convert<double>(d_weight)}},
                   kKernelGradientError, [&](const ComplexArguments& point) {
                     std::vector<Complex> out(rows * cols), r(rows);
                     reference::RmsNormForward(rows, cols, point[0].data(), point[1].data(),
                                               double{kEpsilon}, out.data(), r.data());
                     return Dot(Convert<double>(d_y), out);
                   });
  });
}

std::vector<float> NormalizeRow(const std::vector<float>& x) {
  const size_t n = x.size();
  const std::vector<float> weight(n, 1.0f);
  std::vector<float> y(n), rstd(1);
  RmsNormForward({x.data(), 1, n}, {weight.data(), n}, kEpsilon, {y.data(), 1, n},
                 {rstd.data(), 1});
  return y;
}

TEST_CASE("R082 rms norm: values near 1e30 do not overflow, tiny ones do not blow up") {
  ForEachTarget([](const char* target) {
    for (const float size : {1e18f, 1e20f, 1e30f, 3e38f}) {
      INFO(target << ", size " << size);
      std::vector<float> x(37);
      std::vector<double> expected(x.size());
      for (size_t i = 0; i < x.size(); ++i) {
        expected[i] = i % 2 == 0 ? 1.0 : -1.0;
        x[i] = i % 2 == 0 ? size : -size;
      }
      HEED_CHECK_NEAR(Near("y", expected, NormalizeRow(x), {0, 1e-6}));
    }
    INFO(target);
    const std::vector<double> tiny(9, 1e-20 / std::sqrt(1e-5));
    HEED_CHECK_NEAR(Near("y", tiny, NormalizeRow(std::vector<float>(9, 1e-20f)), {0, 1e-6}));
    CHECK(NormalizeRow(std::vector<float>(9, 0.0f)) == std::vector<float>(9, 0.0f));
  });
}

TEST_CASE("R066 rms norm: a NaN or infinity anywhere shows, wherever it lies") {
  ForEachTarget([](const char* target) {
    for (size_t n = 1; n <= 67; ++n) {
      for (size_t at = 0; at < n; ++at) {
        INFO(target << ", n " << n << ", at " << at);
        std::vector<float> x(n, 1.0f);
        x[at] = std::numeric_limits<float>::quiet_NaN();
        auto y = NormalizeRow(x);
        REQUIRE(std::all_of(y.begin(), y.end(), [](float v) { return std::isnan(v); }));
        x[at] = std::numeric_limits<float>::infinity();
        y = NormalizeRow(x);
        REQUIRE(std::isnan(y[at]));  // infinity times a factor of 0
      }
    }
  });
}

}  // namespace
}  // namespace heed::test
