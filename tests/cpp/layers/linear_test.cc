// SPDX-License-Identifier: MIT
#include "layers/linear.h"

#include <vector>

#include "catch2/catch_test_macros.hpp"
#include "catch2/generators/catch_generators.hpp"
#include "reference/linear.h"
#include "support/layer_check.h"

namespace heed::test {
namespace {

TEST_CASE("linear layer: forward and every gradient equal the reference, joined or not") {
  const bool bias = GENERATE(false, true);
  const Join join = GENERATE(Join::kOverwrite, Join::kAdd);
  // 2500 rows: the weight gradient is added up over more than one packed piece.
  const size_t rows = GENERATE(size_t{1}, size_t{50}, size_t{2500});
  const size_t in = 9, out = 14;
  CAPTURE(bias, rows, join == Join::kAdd);
  LayerTensors tensors(8);
  tensors.AddLinear("l", in, out, bias);
  std::vector<float> x = tensors.random().NormalVector<float>(rows * in);
  std::vector<float> d_y = tensors.random().NormalVector<float>(rows * out);
  std::vector<float> d_x = tensors.random().NormalVector<float>(rows * in);
  std::vector<double> expected_d_x(rows * in), expected_y(rows * out);
  const reference::LinearShape shape{rows, in, out};
  const std::vector<double> x64 = Convert<double>(x), d_y64 = Convert<double>(d_y);
  const auto& values = tensors.expected_values;
  reference::LinearForward(shape, x64.data(), values.Get("l.weight"), values.Get("l.bias"),
                           expected_y.data());
  reference::LinearBackward(shape, d_y64.data(), x64.data(), values.Get("l.weight"),
                            expected_d_x.data(), tensors.expected_gradients.Get("l.weight"),
                            tensors.expected_gradients.Get("l.bias"));
  if (join == Join::kAdd) {
    for (size_t i = 0; i < d_x.size(); ++i) expected_d_x[i] += double{d_x[i]};
  }

  std::vector<float> y(rows * out);
  Scratch scratch(LinearScratchFloats(rows, in, out));
  LinearForward(MatrixOf(x, rows, in), tensors.Linear("l"), MatrixOf(y, rows, out),
                scratch.span());
  LinearBackward(MatrixOf(d_y, rows, out), MatrixOf(x, rows, in), tensors.Linear("l"),
                 MatrixOf(d_x, rows, in), join, tensors.LinearGradient("l"), scratch.span());
  HEED_CHECK_NEAR(NearL2("y", expected_y.data(), y.data(), y.size(), 1e-6));
  HEED_CHECK_NEAR(
      NearL2("d_x", expected_d_x.data(), d_x.data(), d_x.size(), kKernelGradientError));
  tensors.CheckGradients();
}

TEST_CASE("scratch sizes that leave 64 bits or a 32-bit heap are refused by the plan") {
  CHECK(LinearScratchFloats(10, uint64_t{1} << 40, 8) == UINT64_MAX);
  CHECK(LinearScratchFloats(10, 65536, 262144) == UINT64_MAX);
  CHECK(LinearScratchFloats(10, 128, 512) >= 128 * 512);
}

}  // namespace
}  // namespace heed::test
