// SPDX-License-Identifier: MIT
// One head of attention with random operands in guarded memory, its reference results in double,
// and the comparisons between them.
#ifndef HEED_TESTS_SUPPORT_ATTENTION_CASE_H_
#define HEED_TESTS_SUPPORT_ATTENTION_CASE_H_

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "kernels/attention.h"
#include "kernels/attention_plain.h"
#include "reference/attention.h"
#include "support/gradient_check.h"
#include "support/guarded.h"
#include "support/near.h"
#include "support/random.h"

namespace heed::test {

struct AttentionSizes {
  size_t query_time, key_time, head_width;
};

class AttentionCase {
 public:
  // `shift` varies strides and misalignments.
  AttentionCase(const AttentionSizes& sizes, float dropout, size_t shift, uint64_t seed)
      : q(sizes.query_time, sizes.head_width, sizes.head_width + shift % 4, shift),
        k(sizes.key_time, sizes.head_width, sizes.head_width + shift % 3, shift + 1),
        v(sizes.key_time, sizes.head_width, sizes.head_width + shift % 2, shift + 3),
        d_out(sizes.query_time, sizes.head_width, sizes.head_width + shift % 3, shift + 1),
        out(sizes.query_time, sizes.head_width, sizes.head_width + shift % 5, shift),
        lse(sizes.query_time, shift),
        d_q(sizes.query_time, sizes.head_width, sizes.head_width + shift % 2, shift + 3),
        d_k(sizes.key_time, sizes.head_width, sizes.head_width + shift % 3, shift),
        d_v(sizes.key_time, sizes.head_width, sizes.head_width + shift % 4, shift + 1),
        weights(sizes.query_time, sizes.key_time, sizes.key_time + shift % 3, shift),
        d_scores(sizes.query_time, sizes.key_time, sizes.key_time + shift % 4, shift + 1),
        sizes_(sizes) {
    Random random(seed);
    const size_t queries = sizes.query_time * sizes.head_width;
    const size_t keys = sizes.key_time * sizes.head_width;
    q.Set(random.NormalVector(queries));
    k.Set(random.NormalVector(keys));
    v.Set(random.NormalVector(keys));
    d_out.Set(random.NormalVector(queries));
    start_d_k = random.NormalVector(keys);
    start_d_v = random.NormalVector(keys);
    options.scale = 1.0f / std::sqrt(static_cast<float>(sizes.head_width));
    options.dropout.probability = dropout;
    options.dropout.key = seed;
    options.dropout.site = 3;
    if (dropout > 0.0f) {
      for (size_t i = 0; i < sizes.query_time; ++i) {
        std::vector<float> row(sizes.key_time);
        DropoutFactors(options.dropout, static_cast<uint32_t>(i), 0, {row.data(), row.size()});
        factors_.insert(factors_.end(), row.begin(), row.end());
      }
    }
  }

  std::string Describe() const {
    std::ostringstream text;
    text << "queries " << sizes_.query_time << ", keys " << sizes_.key_time << ", head width "
         << sizes_.head_width << ", dropout " << options.dropout.probability << ", soft cap "
         << options.softcap << ", slope " << options.slope << ", window " << options.window;
    return text.str();
  }

  void RunForward() {
    Unset(out);
    std::vector<float> memory;
    AttentionForward(q.matrix(), k.matrix(), v.matrix(), options, out.matrix(), lse.span(),
                     Scratch(memory));
  }

  void RunTiled() {
    RunForward();
    Unset(d_q);
    d_k.Set(start_d_k);
    d_v.Set(start_d_v);
    std::vector<float> memory;
    AttentionBackward(d_out.matrix(), q.matrix(), k.matrix(), v.matrix(), out.matrix(), lse.span(),
                      options, d_q.matrix(), d_k.matrix(), d_v.matrix(), Scratch(memory));
    has_lse_ = true;
  }

  void RunPlain() {
    Unset(out);
    Unset(d_q);
    Unset(weights);
    Unset(d_scores);
    d_k.Set(start_d_k);
    d_v.Set(start_d_v);
    AttentionPlainForward(q.matrix(), k.matrix(), v.matrix(), options, out.matrix(),
                          weights.matrix());
    AttentionPlainBackward(d_out.matrix(), q.matrix(), k.matrix(), v.matrix(), weights.matrix(),
                           options, d_scores.matrix(), d_q.matrix(), d_k.matrix(), d_v.matrix());
    has_weights_ = true;
  }

  // docs/numerics.md, attention: a sum of n products is off by at most (n + 2) u times the sum of
  // their magnitudes; a score's error is the relative error of its weight.
  void CheckForward() {
    Expect();
    const double weight_error = WeightError();
    HEED_CHECK_NEAR(Near("out", out_, out.Values(),
                         {(2 * weight_error + KeyNoise()) * largest_v_ * LargestFactor(), 0},
                         {sizes_.query_time, sizes_.head_width}));
    if (has_lse_)
      HEED_CHECK_NEAR(Near("lse", lse_, lse.Values(), {weight_error + 8 * kUnit * 8, 0}));
  }

  void CheckWeights() {
    Expect();
    // Exponentials below the smallest normal float are 0.
    const double smallest = std::numeric_limits<float>::min();
    HEED_CHECK_NEAR(Near("weights", weights_, weights.Values(), {smallest, 2 * WeightError()},
                         {sizes_.query_time, sizes_.key_time}));
  }

  void CheckBackward() {
    Expect();
    // d_weight = factor d_o.v, each at most `upstream`; subtracting their mean doubles it.
    const double upstream = LargestFactor() * largest_d_weight_;
    const double d_score = 2 * upstream * (2 * WeightError() + WidthNoise() + KeyNoise());
    const double scale = double{options.scale};
    const double queries = static_cast<double>(sizes_.query_time);
    const std::vector<size_t> shape = {sizes_.query_time, sizes_.head_width};
    if (has_weights_) {
      HEED_CHECK_NEAR(Near("d_scores", d_scores_, d_scores.Values(), {d_score, 0},
                           {sizes_.query_time, sizes_.key_time}));
    }
    // A row's weights sum to 1, so sums over keys weigh the errors; a column's sum to `column`.
    const double column = std::min(queries, largest_column_);
    HEED_CHECK_NEAR(Near("d_q", d_q_, d_q.Values(), {2 * scale * d_score * largest_k_, 0}, shape));
    HEED_CHECK_NEAR(Near("d_k", d_k_, d_k.Values(),
                         {2 * scale * d_score * largest_q_ * column + QueryNoise() * 6, 0}));
    HEED_CHECK_NEAR(Near(
        "d_v", d_v_, d_v.Values(),
        {(2 * WeightError() + QueryNoise()) * LargestFactor() * column * 6 + QueryNoise() * 6, 0}));
  }

  void CheckComplexStep() {
    const auto shape = Shape();
    const auto upstream = Convert<double>(d_out.Values());
    // Backward accumulates into d_k and d_v; the start values are no part of the gradient.
    auto minus = [](std::vector<float> value, const std::vector<float>& start) {
      std::vector<double> result(value.size());
      for (size_t i = 0; i < value.size(); ++i) result[i] = double{value[i]} - double{start[i]};
      return result;
    };
    CheckGradients({{"q", Convert<double>(q.Values()), Convert<double>(d_q.Values())},
                    {"k", Convert<double>(k.Values()), minus(d_k.Values(), start_d_k)},
                    {"v", Convert<double>(v.Values()), minus(d_v.Values(), start_d_v)}},
                   kKernelGradientError, [&](const ComplexArguments& at) {
                     std::vector<Complex> result(at[0].size()), row(shape.WeightCount());
                     reference::AttentionForward(shape, at[0].data(), at[1].data(), at[2].data(),
                                                 FactorData(), result.data(), row.data());
                     return Dot(upstream, result);
                   });
  }

  bool Intact() const {
    return q.Intact() && k.Intact() && v.Intact() && d_out.Intact() && out.Intact() &&
           lse.Intact() && d_q.Intact() && d_k.Intact() && d_v.Intact() && weights.Intact() &&
           d_scores.Intact();
  }

  Guarded q, k, v, d_out, out, lse, d_q, d_k, d_v, weights, d_scores;
  std::vector<float> start_d_k, start_d_v;
  AttentionOptions options;

 private:
  static constexpr double kUnit = 0x1p-24;  // rounding unit of float

  // Whatever is not written shows up as NaN.
  static void Unset(Guarded& tensor) {
    tensor.Set(std::vector<float>(tensor.Values().size(), std::numeric_limits<float>::quiet_NaN()));
  }

  // Exactly as many floats as the contract asks for, 64-byte aligned, NaN at first.
  Span<float> Scratch(std::vector<float>& memory) const {
    const size_t floats =
        AttentionScratchFloats(sizes_.query_time, sizes_.key_time, sizes_.head_width);
    memory.assign(floats + 16, std::numeric_limits<float>::quiet_NaN());
    const size_t past = reinterpret_cast<uintptr_t>(memory.data()) % 64 / sizeof(float);
    return {memory.data() + (16 - past) % 16, floats};
  }

  reference::AttentionShape Shape() const {
    reference::AttentionShape shape;
    shape.query_time = sizes_.query_time;
    shape.key_time = sizes_.key_time;
    shape.head_width = sizes_.head_width;
    shape.scale = double{options.scale};
    shape.causal = options.causal;
    shape.softcap = double{options.softcap};
    if (options.slope != 0.0f) shape.slopes = {double{options.slope}};
    shape.window = options.window;
    return shape;
  }
  const double* FactorData() const { return factors_.empty() ? nullptr : factors_.data(); }
  double LargestFactor() const {
    return factors_.empty() ? 1.0 : 1.0 / (1.0 - double{options.dropout.probability});
  }

  double WidthNoise() const { return static_cast<double>(sizes_.head_width + 4) * kUnit; }
  double KeyNoise() const { return static_cast<double>(sizes_.key_time + 8) * kUnit; }
  double QueryNoise() const { return static_cast<double>(sizes_.query_time + 4) * kUnit; }
  double WeightError() const { return WidthNoise() * largest_score_ + KeyNoise() + 4 * kUnit; }

  static double Largest(const std::vector<double>& values) {
    double largest = 0.0;
    for (const double value : values) largest = std::max(largest, std::abs(value));
    return largest;
  }

  // Reference results and the magnitudes that bound rounding errors.
  void Expect() {
    if (!out_.empty()) return;
    const auto shape = Shape();
    const auto q64 = Convert<double>(q.Values()), k64 = Convert<double>(k.Values());
    const auto v64 = Convert<double>(v.Values()), d_out64 = Convert<double>(d_out.Values());
    const size_t queries = sizes_.query_time, keys = sizes_.key_time, width = sizes_.head_width;
    out_.resize(q64.size());
    weights_.resize(queries * keys);
    d_scores_.resize(queries * keys);
    d_q_.resize(q64.size());
    d_k_ = Convert<double>(start_d_k);
    d_v_ = Convert<double>(start_d_v);
    reference::AttentionForward(shape, q64.data(), k64.data(), v64.data(), FactorData(),
                                out_.data(), weights_.data());
    reference::AttentionBackward(shape, d_out64.data(), q64.data(), k64.data(), v64.data(),
                                 weights_.data(), FactorData(), d_scores_.data(), d_q_.data(),
                                 d_k_.data(), d_v_.data());
    std::vector<double> column(keys);
    for (size_t i = 0; i < queries; ++i) {
      double sum = 0.0, largest = -std::numeric_limits<double>::infinity();
      std::vector<double> scores;
      for (size_t j = shape.FirstVisible(i); j < shape.Visible(i); ++j) {
        double size = shape.slopes.empty() ? 0.0 : shape.slopes[0] * shape.Distance(i, j);
        double d_size = 0.0;
        for (size_t c = 0; c < width; ++c) {
          size += std::abs(q64[i * width + c] * k64[j * width + c]) * shape.scale;
          d_size += std::abs(d_out64[i * width + c] * v64[j * width + c]);
        }
        scores.push_back(reference::Score(shape, q64.data(), k64.data(), 0, 0, i, j));
        largest_score_ = std::max(largest_score_, size);
        largest_d_weight_ = std::max(largest_d_weight_, d_size);
        largest = std::max(largest, scores.back());
        column[j] += weights_[i * keys + j];
      }
      for (const double score : scores) sum += std::exp(score - largest);
      lse_.push_back(largest + std::log(sum));
    }
    largest_column_ = Largest(column);
    largest_q_ = Largest(q64);
    largest_k_ = Largest(k64);
    largest_v_ = Largest(v64);
  }

  AttentionSizes sizes_;
  std::vector<double> factors_;
  bool has_lse_ = false, has_weights_ = false;
  std::vector<double> out_, weights_, lse_, d_scores_, d_q_, d_k_, d_v_;
  double largest_score_ = 0.0, largest_d_weight_ = 0.0, largest_column_ = 0.0;
  double largest_q_ = 0.0, largest_k_ = 0.0, largest_v_ = 0.0;
};

}  // namespace heed::test

#endif  // HEED_TESTS_SUPPORT_ATTENTION_CASE_H_
