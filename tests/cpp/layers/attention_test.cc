// SPDX-License-Identifier: MIT
#include "layers/attention.h"

#include <cmath>
#include <vector>

#include "catch2/catch_test_macros.hpp"
#include "catch2/generators/catch_generators.hpp"
#include "kernels/dropout.h"
#include "reference/attention_layer.h"
#include "support/layer_check.h"

namespace heed::test {
namespace {

struct Case {
  size_t batch, time, width, heads, kv_heads, head_width;
  bool bias, rope;
  float dropout;
};

reference::ModelConfig ReferenceOf(const Case& c) {
  reference::ModelConfig config;
  config.context = c.time;
  config.width = c.width;
  config.heads = c.heads;
  config.kv_heads = c.kv_heads;
  config.head_width = c.head_width;
  config.bias = c.bias;
  config.position = c.rope ? reference::Position::kRope : reference::Position::kNone;
  return config;
}

std::vector<double> Masks(const Case& c, const AttentionDropout& dropout) {
  std::vector<double> masks;
  if (dropout.probability == 0.0f) return masks;
  std::vector<float> row(c.time);
  for (uint32_t head = 0; head < c.batch * c.heads; ++head) {
    for (uint32_t i = 0; i < c.time; ++i) {
      DropoutFactors({dropout.probability, dropout.key, dropout.first_site + head}, i, 0,
                     {row.data(), row.size()});
      masks.insert(masks.end(), row.begin(), row.end());
    }
  }
  return masks;
}

void Check(const Case& c) {
  CAPTURE(c.batch, c.time, c.heads, c.kv_heads, c.head_width, c.bias, c.rope, c.dropout);
  const size_t rows = c.batch * c.time, queries = c.heads * c.head_width;
  const size_t keys = c.kv_heads * c.head_width;
  LayerTensors tensors(31);
  tensors.AddLinear("a.query", c.width, queries, c.bias);
  tensors.AddLinear("a.key", c.width, keys, c.bias);
  tensors.AddLinear("a.value", c.width, keys, c.bias);
  tensors.AddLinear("a.output", queries, c.width, c.bias);
  const AttentionParams<const float> params = {tensors.Linear("a.query"), tensors.Linear("a.key"),
                                               tensors.Linear("a.value"),
                                               tensors.Linear("a.output")};
  const AttentionParams<float> d_params = {
      tensors.LinearGradient("a.query"), tensors.LinearGradient("a.key"),
      tensors.LinearGradient("a.value"), tensors.LinearGradient("a.output")};
  std::vector<float> x = tensors.random().NormalVector<float>(rows * c.width);
  std::vector<float> d_y = tensors.random().NormalVector<float>(rows * c.width);

  std::vector<float> cosines(c.time * c.head_width / 2), sines(cosines.size());
  AttentionShape shape;
  shape.batch = c.batch;
  shape.time = c.time;
  shape.heads = c.heads;
  shape.kv_heads = c.kv_heads;
  shape.head_width = c.head_width;
  shape.scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(c.head_width)));
  if (c.rope) {
    const Matrix<float> cos = MatrixOf(cosines, c.time, c.head_width / 2);
    const Matrix<float> sin = MatrixOf(sines, c.time, c.head_width / 2);
    FillRopeTables(10000.0f, cos, sin);
    shape.rope = {RopeLayout::kHalves, cos, sin};
  }
  const AttentionDropout dropout{c.dropout, 0xFEEDull, 40};

  std::vector<float> q(rows * queries), k(rows * keys), v(rows * keys), mixed(rows * queries);
  std::vector<float> d_q(q.size()), d_k(k.size()), d_v(v.size()), d_mixed(mixed.size());
  std::vector<float> lse(c.batch * c.heads * c.time), y(x.size()), d_x(x.size());
  std::vector<float> weights(c.batch * c.heads * c.time * c.time), y_plain(x.size());
  const AttentionSaved saved = {MatrixOf(q, rows, queries), MatrixOf(k, rows, keys),
                                MatrixOf(v, rows, keys), MatrixOf(mixed, rows, queries),
                                {lse.data(), lse.size()}};
  const AttentionSaved d_saved = {MatrixOf(d_q, rows, queries), MatrixOf(d_k, rows, keys),
                                  MatrixOf(d_v, rows, keys), MatrixOf(d_mixed, rows, queries),
                                  {}};
  Scratch scratch(AttentionLayerScratchFloats(c.batch, c.time, c.width, c.heads, c.kv_heads,
                                              c.head_width));
  const Matrix<float> input = MatrixOf(x, rows, c.width);
  AttentionLayerForward(shape, input, params, dropout, saved, MatrixOf(y_plain, rows, c.width),
                        MatrixOf(weights, c.batch * c.heads * c.time, c.time), scratch.span());
  AttentionLayerForward(shape, input, params, dropout, saved, MatrixOf(y, rows, c.width),
                        Matrix<float>(), scratch.span());
  AttentionLayerBackward(shape, MatrixOf(d_y, rows, c.width), input, params, dropout, saved,
                         d_saved, MatrixOf(d_x, rows, c.width), d_params, scratch.span());

  const reference::ModelConfig config = ReferenceOf(c);
  const std::vector<double> masks = Masks(c, dropout);
  reference::AttentionSaved<double> expected;
  const std::vector<double> expected_y = reference::AttentionLayerForward(
      config, "a", c.batch, tensors.expected_values, Convert<double>(x), masks, expected);
  const std::vector<double> expected_d_x = reference::AttentionLayerBackward(
      config, "a", c.batch, tensors.expected_values, Convert<double>(d_y), masks, expected,
      tensors.expected_gradients);
  HEED_CHECK_NEAR(NearL2("y", expected_y.data(), y.data(), y.size(), 1e-5));
  HEED_CHECK_NEAR(NearL2("y of the plain twin", expected_y.data(), y_plain.data(), y.size(), 1e-5));
  HEED_CHECK_NEAR(Near("weights", expected.weights.data(), weights.data(), weights.size(),
                       {1e-5, 0.0}, {c.batch, c.heads, c.time, c.time}));
  HEED_CHECK_NEAR(
      NearL2("d_x", expected_d_x.data(), d_x.data(), d_x.size(), kKernelGradientError));
  tensors.CheckGradients();
}

TEST_CASE("attention layer: forward and every gradient equal the reference") {
  const bool bias = GENERATE(false, true), rope = GENERATE(false, true);
  const float dropout = GENERATE(0.0f, 0.3f);
  Check({2, 7, 12, 2, 2, 6, bias, rope, dropout});
  Check({1, 33, 20, 4, 2, 8, bias, rope, dropout});
  Check({3, 1, 5, 3, 1, 2, bias, rope, dropout});
}

TEST_CASE("attention layer: a batch is its sequences one by one") {
  // Rows of one sequence do not read another's: the mask is by loop bounds.
  Check({5, 9, 8, 1, 1, 8, true, true, 0.0f});
}

}  // namespace
}  // namespace heed::test
