// SPDX-License-Identifier: MIT
#include "layers/head.h"

#include <cmath>
#include <vector>

#include "catch2/catch_test_macros.hpp"
#include "catch2/generators/catch_generators.hpp"
#include "reference/cross_entropy.h"
#include "reference/linear.h"
#include "support/layer_check.h"

namespace heed::test {
namespace {

TEST_CASE("head: loss and gradients equal the reference, in one chunk or several") {
  // 40,000 words: rows are worked through in chunks of 26.
  const size_t vocab = GENERATE(size_t{7}, size_t{40000});
  const size_t rows = 60, width = 6;
  CAPTURE(vocab);
  if (vocab > 1000) REQUIRE(HeadChunkRows(rows, vocab) < rows);
  LayerTensors tensors(3);
  tensors.Add("head.weight", vocab, width);
  std::vector<float> x = tensors.random().NormalVector<float>(rows * width);
  std::vector<int32_t> targets = tensors.random().Tokens(rows, vocab);
  targets[5] = targets[40] = -1;
  const float scale = 1.0f / static_cast<float>(rows - 2);

  std::vector<double> logits(rows * vocab), d_logits(logits.size()), expected_d_x(rows * width);
  const std::vector<double> x64 = Convert<double>(x);
  const reference::LinearShape shape{rows, width, vocab};
  const double* head64 = tensors.expected_values.Get("head.weight");
  reference::HeadForward(shape, x64.data(), head64, logits.data());
  std::vector<double> losses64(rows);
  const auto expected = reference::CrossEntropyForward<double>(
      rows, vocab, logits.data(), targets.data(), losses64.data());
  reference::CrossEntropyBackward(rows, vocab, logits.data(), targets.data(), double{scale},
                                  d_logits.data());
  reference::HeadBackward(shape, d_logits.data(), x64.data(), head64, expected_d_x.data(),
                          tensors.expected_gradients.Get("head.weight"));

  Scratch scratch(HeadScratchFloats(rows, width, vocab));
  const Span<const int32_t> target_span(targets.data(), rows);
  std::vector<float> losses(rows), d_x(rows * width), all(rows * vocab);
  const ConstMatrix head = tensors.Weight("head.weight");
  const LossSum forward = HeadLossForward(MatrixOf(x, rows, width), head, target_span,
                                          {losses.data(), rows}, scratch.span());
  const LossSum both = HeadLossForwardBackward(MatrixOf(x, rows, width), head, target_span, scale,
                                               MatrixOf(d_x, rows, width),
                                               tensors.Gradient("head.weight"), scratch.span());
  HeadLogits(MatrixOf(x, rows, width), head, MatrixOf(all, rows, vocab), scratch.span());

  CHECK(forward.count == rows - 2);
  CHECK(both.count == rows - 2);
  CHECK(forward.sum == both.sum);
  CHECK(std::abs(forward.sum - expected.sum) <= 1e-6 * expected.sum);
  HEED_CHECK_NEAR(Near("losses", losses64, losses, {1e-5, 1e-5}));
  HEED_CHECK_NEAR(NearL2("logits", logits.data(), all.data(), all.size(), 1e-6));
  HEED_CHECK_NEAR(
      NearL2("d_x", expected_d_x.data(), d_x.data(), d_x.size(), kKernelGradientError));
  tensors.CheckGradients();
}

}  // namespace
}  // namespace heed::test
