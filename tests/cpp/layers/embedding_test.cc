// SPDX-License-Identifier: MIT
#include "layers/embedding.h"

#include <vector>

#include "catch2/catch_test_macros.hpp"
#include "reference/embedding.h"
#include "support/layer_check.h"

namespace heed::test {
namespace {

TEST_CASE("embedding layer: rows add up forward and backward, repeated tokens too") {
  const size_t batch = 3, time = 5, vocab = 4, width = 7, rows = batch * time;
  LayerTensors tensors(2);
  tensors.Add("embed.weight", vocab, width);
  tensors.Add("positions.weight", time + 2, width);
  const std::vector<int32_t> tokens = tensors.random().Tokens(rows, vocab);
  std::vector<float> d_x = tensors.random().NormalVector<float>(rows * width), x(d_x.size());
  const Span<const int32_t> span(tokens.data(), rows);
  EmbeddingLayerForward(span, time, tensors.Weight("embed.weight"),
                        tensors.Weight("positions.weight"), MatrixOf(x, rows, width));
  EmbeddingLayerBackward(span, time, MatrixOf(d_x, rows, width), tensors.Gradient("embed.weight"),
                         tensors.Gradient("positions.weight"));

  std::vector<double> expected(rows * width);
  const std::vector<double> d_x64 = Convert<double>(d_x);
  const auto& values = tensors.expected_values;
  reference::EmbeddingForward(rows, width, tokens.data(), values.Get("embed.weight"),
                              expected.data());
  reference::AddRepeatedRows(rows, width, time, values.Get("positions.weight"), expected.data());
  reference::EmbeddingBackward(rows, width, tokens.data(), d_x64.data(),
                               tensors.expected_gradients.Get("embed.weight"));
  reference::AccumulateRepeatedRows(rows, width, time, d_x64.data(),
                                    tensors.expected_gradients.Get("positions.weight"));
  HEED_CHECK_NEAR(Near("x", expected, x, {1e-6, 0.0}));
  tensors.CheckGradients();
}

TEST_CASE("sinusoidal positions equal the reference, an odd width ends with a sine") {
  const size_t time = 300, width = 9;
  std::vector<float> positions(time * width);
  FillSinusoidalPositions(MatrixOf(positions, time, width));
  HEED_CHECK_NEAR(Near("positions", reference::SinusoidalPositions(time, width), positions,
                       {1e-6, 0.0}, {time, width}));
}

}  // namespace
}  // namespace heed::test
