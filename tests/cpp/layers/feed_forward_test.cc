// SPDX-License-Identifier: MIT
#include "layers/feed_forward.h"

#include <algorithm>
#include <vector>

#include "catch2/catch_test_macros.hpp"
#include "catch2/generators/catch_generators.hpp"
#include "reference/ffn_layer.h"
#include "support/layer_check.h"

namespace heed::test {
namespace {

TEST_CASE("feed-forward layer: forward and every gradient equal the reference") {
  const auto kind = GENERATE(reference::FfnActivation::kGeluTanh,
                             reference::FfnActivation::kGeluErf, reference::FfnActivation::kRelu,
                             reference::FfnActivation::kSilu, reference::FfnActivation::kSwiglu,
                             reference::FfnActivation::kRelu2, reference::FfnActivation::kGeglu);
  const bool bias = GENERATE(false, true);
  const size_t rows = GENERATE(size_t{1}, size_t{19});
  const size_t width = 10, ffn = 27;
  const bool gated = reference::IsGated(kind);
  CAPTURE(static_cast<int>(kind), bias, rows);

  LayerTensors tensors(5);
  tensors.AddLinear("f.in", width, ffn, bias);
  tensors.AddLinear("f.gate", gated ? width : 0, ffn, bias && gated);
  tensors.AddLinear("f.out", ffn, width, bias);
  const FeedForwardParams<const float> params = {tensors.Linear("f.in"), tensors.Linear("f.gate"),
                                                 tensors.Linear("f.out")};
  const FeedForwardParams<float> d_params = {tensors.LinearGradient("f.in"),
                                             tensors.LinearGradient("f.gate"),
                                             tensors.LinearGradient("f.out")};
  const Activation pointwise[] = {Activation::kGeluTanh, Activation::kGeluErf, Activation::kRelu,
                                  Activation::kSilu,     Activation::kSilu,    Activation::kRelu2,
                                  Activation::kGeluErf};
  const FeedForwardShape shape = {pointwise[static_cast<size_t>(kind)], gated};
  std::vector<float> x = tensors.random().NormalVector<float>(rows * width);
  std::vector<float> d_y = tensors.random().NormalVector<float>(rows * width);
  std::vector<float> in(rows * ffn), gate(in.size()), hidden(in.size());
  std::vector<float> d_in(in.size()), d_gate(in.size()), y(x.size()), d_x(x.size());
  const FeedForwardSaved saved = {MatrixOf(in, rows, ffn), MatrixOf(gate, rows, ffn),
                                  MatrixOf(hidden, rows, ffn)};
  // `hidden` shares memory with `in`, as in a training plan.
  const FeedForwardSaved d_saved = {MatrixOf(d_in, rows, ffn), MatrixOf(d_gate, rows, ffn),
                                    MatrixOf(d_in, rows, ffn)};
  Scratch scratch(std::max(LinearScratchFloats(rows, width, ffn),
                           LinearScratchFloats(rows, ffn, width)));
  FeedForwardForward(shape, MatrixOf(x, rows, width), params, saved, MatrixOf(y, rows, width),
                     scratch.span());
  FeedForwardBackward(shape, MatrixOf(d_y, rows, width), MatrixOf(x, rows, width), params, saved,
                      d_saved, MatrixOf(d_x, rows, width), d_params, scratch.span());

  reference::ModelConfig config;
  config.width = width;
  config.ffn = ffn;
  config.activation = kind;
  config.bias = bias;
  reference::FfnSaved<double> expected;
  const std::vector<double> expected_y = reference::FfnLayerForward(
      config, "f", tensors.expected_values, Convert<double>(x), expected);
  const std::vector<double> expected_d_x =
      reference::FfnLayerBackward(config, "f", tensors.expected_values, Convert<double>(d_y),
                                  expected, tensors.expected_gradients);
  HEED_CHECK_NEAR(NearL2("y", expected_y.data(), y.data(), y.size(), 1e-5));
  HEED_CHECK_NEAR(
      NearL2("d_x", expected_d_x.data(), d_x.data(), d_x.size(), kKernelGradientError));
  tensors.CheckGradients();
}

}  // namespace
}  // namespace heed::test
