// SPDX-License-Identifier: MIT
#include "layers/norm.h"

#include <vector>

#include "catch2/catch_test_macros.hpp"
#include "catch2/generators/catch_generators.hpp"
#include "reference/norm.h"
#include "support/layer_check.h"

namespace heed::test {
namespace {

TEST_CASE("norm layer: forward and every gradient equal the reference, in place or not") {
  const NormKind kind = GENERATE(NormKind::kLayer, NormKind::kRms);
  const bool bias = GENERATE(false, true) && kind == NormKind::kLayer;
  const bool in_place = GENERATE(false, true);
  const size_t rows = 13, width = 21;
  CAPTURE(kind == NormKind::kLayer, bias, in_place);
  LayerTensors tensors(9);
  tensors.Add("n.weight", 1, width, 0.3, 1.0);
  tensors.Add("n.bias", bias ? 1 : 0, width);
  std::vector<float> x = tensors.random().NormalVector<float>(rows * width, 2.0, 3.0);
  std::vector<float> d_y = tensors.random().NormalVector<float>(rows * width);
  const std::vector<double> d_y64 = Convert<double>(d_y);

  reference::ModelConfig config;
  config.width = width;
  config.norm = kind == NormKind::kLayer ? reference::Norm::kLayer : reference::Norm::kRms;
  config.bias = bias;
  reference::NormSaved<double> expected;
  const std::vector<double> expected_y = reference::NormForward(
      config, "n", tensors.expected_values, Convert<double>(x), expected);
  const std::vector<double> expected_d_x = reference::NormBackward(
      config, "n", tensors.expected_values, d_y64, expected, tensors.expected_gradients);

  std::vector<float> y(x.size()), mean(rows), rstd(rows), other(x.size());
  std::vector<float>& d_x = in_place ? d_y : other;
  const NormSaved saved = {{mean.data(), rows}, {rstd.data(), rows}};
  const NormParams<const float> params = {tensors.Weight("n.weight").Flat(),
                                          tensors.Weight("n.bias").Flat()};
  NormForward(kind, MatrixOf(x, rows, width), params, MatrixOf(y, rows, width), saved);
  NormBackward(kind, MatrixOf(d_y, rows, width), MatrixOf(x, rows, width), params, saved,
               MatrixOf(d_x, rows, width),
               {tensors.Gradient("n.weight").Flat(), tensors.Gradient("n.bias").Flat()});
  HEED_CHECK_NEAR(NearL2("y", expected_y.data(), y.data(), y.size(), 1e-6));
  HEED_CHECK_NEAR(
      NearL2("d_x", expected_d_x.data(), d_x.data(), d_x.size(), kKernelGradientError));
  tensors.CheckGradients();
}

}  // namespace
}  // namespace heed::test
