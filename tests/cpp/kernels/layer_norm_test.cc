// SPDX-License-Identifier: MIT
#include "kernels/layer_norm.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "reference/layer_norm.h"
#include "support/gradient_check.h"
#include "support/guarded.h"
#include "support/near.h"
#include "support/random.h"

namespace heed::test {
namespace {

constexpr float kEpsilon = 1e-5f;
constexpr double kUnit = 0x1p-24;  // rounding unit of float

double MaxAbs(const std::vector<double>& x) {
  double max = 0.0;
  for (const double value : x) max = std::max(max, std::abs(value));
  return max;
}

// One case in double: outputs, gradients, and the condition numbers that scale the tolerances.
struct Expected {
  std::vector<double> y, mean, rstd, d_x, d_weight, d_bias;
  double z_max = 0.0;        // largest normalized value
  double amplification = 0;  // largest |x| rstd: a rounding of x - mean grows by it

  Expected(size_t rows, size_t cols, const std::vector<float>& x_in,
           const std::vector<float>& weight_in, const std::vector<float>& bias_in,
           const std::vector<float>& d_y_in, bool has_bias)
      : y(rows * cols), mean(rows), rstd(rows), d_x(rows * cols), d_weight(cols), d_bias(cols) {
    const auto x = Convert<double>(x_in), weight = Convert<double>(weight_in);
    const auto bias = Convert<double>(bias_in), d_y = Convert<double>(d_y_in);
    reference::LayerNormForward(rows, cols, x.data(), weight.data(),
                                has_bias ? bias.data() : nullptr, double{kEpsilon}, y.data(),
                                mean.data(), rstd.data());
    reference::LayerNormBackward(rows, cols, d_y.data(), x.data(), weight.data(), mean.data(),
                                 rstd.data(), d_x.data(), d_weight.data(), d_bias.data());
    for (size_t i = 0; i < x.size(); ++i) {
      z_max = std::max(z_max, std::abs(x[i] - mean[i / cols]) * rstd[i / cols]);
      amplification = std::max(amplification, std::abs(x[i]) * rstd[i / cols]);
    }
  }
};

TEST_CASE("layer norm: every length, misalignment and alias matches double") {
  Random random(1);
  ForEachLength([&](size_t cols, size_t offset) {
    const size_t rows = 3, stride = cols + 2;
    const bool has_bias = cols % 2 == 0;
    const auto x = random.NormalVector(rows * cols), d_y = random.NormalVector(rows * cols);
    const auto weight = random.UniformVector(cols, 0.5, 1.5), bias = random.NormalVector(cols);
    const Expected expected(rows, cols, x, weight, bias, d_y, has_bias);
    // docs/numerics.md: 24 roundings along the longest chain, of terms up to these sizes.
    const double noise = 24 * kUnit * (expected.z_max + expected.amplification + 1.0);
    const double rstd_max = MaxAbs(expected.rstd);
    const double d_max = 6.0 * (1.0 + expected.z_max) * (1.0 + expected.z_max);

    Guarded in(rows, cols, stride, offset, x), out(rows, cols, stride, offset + 1);
    Guarded w(weight, offset), b(bias, offset + 2), mean(rows, offset), rstd(rows, offset);
    const Span<float> no_bias;
    LayerNormForward(in.matrix(), w.span(), has_bias ? b.span() : no_bias, kEpsilon, out.matrix(),
                     mean.span(), rstd.span());
    HEED_CHECK_NEAR(Near("y", expected.y, out.Values(), {1.5 * noise, 2 * kUnit}));
    if (cols > 0) {
      HEED_CHECK_NEAR(Near("mean", expected.mean, mean.Values(), {16 * kUnit * 4.0, 0}));
      HEED_CHECK_NEAR(Near("rstd", expected.rstd, rstd.Values(), {0, noise}));
    }
    const auto y = out.Values();

    Guarded g(rows, cols, stride, offset + 1, d_y), d_x(rows, cols, stride, offset + 3);
    Guarded d_w(cols, offset), d_b(cols, offset + 1);
    LayerNormBackward(g.matrix(), in.matrix(), w.span(), mean.span(), rstd.span(), d_x.matrix(),
                      d_w.span(), has_bias ? d_b.span() : no_bias);
    HEED_CHECK_NEAR(Near("d_x", expected.d_x, d_x.Values(), {noise * rstd_max * d_max, 0}));
    HEED_CHECK_NEAR(Near("d_weight", expected.d_weight, d_w.Values(), {noise * 12.0, 0}));
    HEED_CHECK_NEAR(Near("d_bias", has_bias ? expected.d_bias : std::vector<double>(cols),
                         d_b.Values(), {8 * kUnit * 12.0, 0}));
    const auto d_x_values = d_x.Values();

    LayerNormBackward(g.matrix(), in.matrix(), w.span(), mean.span(), rstd.span(), g.matrix(),
                      d_w.span(), no_bias);
    CHECK(SameBits(g.Values(), d_x_values));
    LayerNormForward(in.matrix(), w.span(), has_bias ? b.span() : no_bias, kEpsilon, in.matrix(),
                     mean.span(), rstd.span());
    CHECK(SameBits(in.Values(), y));
    CHECK((in.Intact() && out.Intact() && mean.Intact() && rstd.Intact() && g.Intact()));
    CHECK((d_x.Intact() && d_w.Intact() && d_b.Intact()));
  });
}

TEST_CASE("layer norm: parameter gradients accumulate") {
  Random random(2);
  const size_t rows = 4, cols = 19;
  const auto x = random.NormalVector(rows * cols), d_y = random.NormalVector(rows * cols);
  const auto weight = random.UniformVector(cols, 0.5, 1.5);
  ForEachTarget([&](const char* target) {
    INFO(target);
    std::vector<float> y(rows * cols), mean(rows), rstd(rows), d_x(rows * cols);
    LayerNormForward({x.data(), rows, cols}, {weight.data(), cols}, {}, kEpsilon,
                     {y.data(), rows, cols}, {mean.data(), rows}, {rstd.data(), rows});
    std::vector<float> once(cols), in_two(cols), bias_once(cols), bias_in_two(cols);
    const auto backward = [&](size_t start, size_t count, std::vector<float>& d_weight,
                              std::vector<float>& d_bias) {
      LayerNormBackward({d_y.data() + start * cols, count, cols},
                        {x.data() + start * cols, count, cols}, {weight.data(), cols},
                        {mean.data() + start, count}, {rstd.data() + start, count},
                        {d_x.data() + start * cols, count, cols}, {d_weight.data(), cols},
                        {d_bias.data(), cols});
    };
    backward(0, rows, once, bias_once);
    backward(0, 3, in_two, bias_in_two);
    backward(3, 1, in_two, bias_in_two);
    CHECK(SameBits(once, in_two));
    CHECK(SameBits(bias_once, bias_in_two));
  });
}

TEST_CASE("layer norm: gradients match the complex step") {
  Random random(3);
  const size_t rows = 2, cols = 21;
  const auto x = random.NormalVector(rows * cols, 2.0, 0.5);
  const auto d_y = random.NormalVector(rows * cols);
  const auto weight = random.NormalVector(cols), bias = random.NormalVector(cols);
  ForEachTarget([&](const char* target) {
    INFO(target);
    std::vector<float> y(rows * cols), mean(rows), rstd(rows), d_x(rows * cols);
    std::vector<float> d_weight(cols), d_bias(cols);
    LayerNormForward({x.data(), rows, cols}, {weight.data(), cols}, {bias.data(), cols}, kEpsilon,
                     {y.data(), rows, cols}, {mean.data(), rows}, {rstd.data(), rows});
    LayerNormBackward({d_y.data(), rows, cols}, {x.data(), rows, cols}, {weight.data(), cols},
                      {mean.data(), rows}, {rstd.data(), rows}, {d_x.data(), rows, cols},
                      {d_weight.data(), cols}, {d_bias.data(), cols});
    CheckGradients({{"x", Convert<double>(x), Convert<double>(d_x)},
                    {"weight", Convert<double>(weight), Convert<double>(d_weight)},
                    {"bias", Convert<double>(bias), Convert<double>(d_bias)}},
                   kKernelGradientError, [&](const ComplexArguments& point) {
                     std::vector<Complex> out(rows * cols), m(rows), r(rows);
                     reference::LayerNormForward(rows, cols, point[0].data(), point[1].data(),
                                                 point[2].data(), double{kEpsilon}, out.data(),
                                                 m.data(), r.data());
                     return Dot(Convert<double>(d_y), out);
                   });
  });
}

// One row, weight 1, bias 0 unless given.
std::vector<float> NormalizeRow(const std::vector<float>& x, float bias = 0.0f) {
  const size_t n = x.size();
  const std::vector<float> weight(n, 1.0f), biases(n, bias);
  std::vector<float> y(n), mean(1), rstd(1);
  LayerNormForward({x.data(), 1, n}, {weight.data(), n}, {biases.data(), n}, kEpsilon,
                   {y.data(), 1, n}, {mean.data(), 1}, {rstd.data(), 1});
  return y;
}

TEST_CASE("R077 layer norm: large close values") {
  ForEachTarget([](const char* target) {
    INFO(target);
    const auto y = NormalizeRow({40000.0f, 40001.0f, 40002.0f, 40003.0f});
    const std::vector<double> expected = {-1.3416354, -0.4472118, 0.4472118, 1.3416354};
    HEED_CHECK_NEAR(Near("y", expected, y, {1e-6, 0}));
  });
}

TEST_CASE("R078 layer norm: a constant row gives exactly the bias") {
  ForEachLength([](size_t n, size_t) {
    // 0.1f and 1/3 have no short binary form, so a plain sum over them rounds.
    for (const float value : {1234.0f, 0.1f, 1.0f / 3.0f, -3e7f, 1e30f, 0.0f}) {
      if (n == 0) continue;
      CHECK(NormalizeRow(std::vector<float>(n, value), 0.7f) == std::vector<float>(n, 0.7f));
    }
  });
  CHECK(NormalizeRow(std::vector<float>(256, 1234.0f), 0.25f) == std::vector<float>(256, 0.25f));
}

TEST_CASE("R079 layer norm: rows far from zero") {
  Random random(4);
  const size_t rows = 5, cols = 4;
  const auto x = random.NormalVector(rows * cols, 1.0, 2000.0);
  const std::vector<float> ones(cols, 1.0f);
  const Expected expected(rows, cols, x, ones, ones, x, false);
  ForEachTarget([&](const char* target) {
    INFO(target);
    std::vector<float> y(rows * cols), mean(rows), rstd(rows);
    LayerNormForward({x.data(), rows, cols}, {ones.data(), cols}, {}, kEpsilon,
                     {y.data(), rows, cols}, {mean.data(), rows}, {rstd.data(), rows});
    HEED_CHECK_NEAR(Near("y", expected.y, y, {1e-3, 0}));
  });
}

TEST_CASE("R082 layer norm: values near 1e30 do not overflow") {
  ForEachTarget([](const char* target) {
    std::vector<double> expected(37);
    const double mean = 1.0 / 37, deviation = std::sqrt(1.0 - mean * mean);
    for (size_t i = 0; i < expected.size(); ++i) {
      expected[i] = ((i % 2 == 0 ? 1.0 : -1.0) - mean) / deviation;
    }
    for (const float size : {1e18f, 1e20f, 1e30f, 1e36f, 1e37f, 3e38f}) {
      INFO(target << ", size " << size);
      std::vector<float> x(expected.size());
      for (size_t i = 0; i < x.size(); ++i) x[i] = i % 2 == 0 ? size : -size;
      const auto y = NormalizeRow(x);
      // Above the promised range the sum of the row may overflow: NaN then, never silent zeros.
      if (size > 1e36f && std::isnan(y[0])) continue;
      HEED_CHECK_NEAR(Near("y", expected, y, {0, 1e-6}));
    }
  });
}

TEST_CASE("R066 layer norm: a NaN or infinity anywhere makes the whole row NaN") {
  ForEachTarget([](const char* target) {
    for (size_t n = 1; n <= 67; ++n) {
      for (size_t at = 0; at < n; ++at) {
        for (const float bad : {std::numeric_limits<float>::quiet_NaN(),
                                std::numeric_limits<float>::infinity(),
                                -std::numeric_limits<float>::infinity()}) {
          std::vector<float> x(n, 1.0f);
          x[at] = bad;
          const auto y = NormalizeRow(x);
          INFO(target << ", n " << n << ", at " << at << ", value " << bad);
          REQUIRE(std::all_of(y.begin(), y.end(), [](float v) { return std::isnan(v); }));
        }
      }
    }
  });
}

}  // namespace
}  // namespace heed::test
