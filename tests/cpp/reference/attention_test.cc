// SPDX-License-Identifier: MIT
#include "reference/attention.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <vector>

#include "support/gradient_check.h"

namespace heed::reference {
namespace {

using test::Argument;
using test::Complex;
using test::ComplexArguments;

struct Problem {
  AttentionShape shape;
  std::vector<Argument> arguments;  // q, k, v
  std::vector<double> dropout;      // empty: off
  std::vector<double> d_out;
};

Problem RandomProblem(test::Random& random, AttentionShape shape, double probability) {
  Problem problem{shape, {}, {}, {}};
  const size_t query = shape.batch * shape.query_time * shape.heads * shape.head_width;
  const size_t key = shape.batch * shape.key_time * shape.kv_heads * shape.head_width;
  problem.arguments = {{"q", random.NormalVector<double>(query), std::vector<double>(query)},
                       {"k", random.NormalVector<double>(key), std::vector<double>(key)},
                       {"v", random.NormalVector<double>(key), std::vector<double>(key)}};
  problem.d_out = random.NormalVector<double>(query);
  if (probability > 0.0) {
    problem.dropout.resize(shape.WeightCount());
    for (double& factor : problem.dropout) {
      factor = random.Uniform() < probability ? 0.0 : 1.0 / (1.0 - probability);
    }
  }
  return problem;
}

const double* Factors(const Problem& problem) {
  return problem.dropout.empty() ? nullptr : problem.dropout.data();
}

std::vector<Complex> Output(const Problem& problem, const ComplexArguments& point) {
  std::vector<Complex> out(point[0].size()), weights(problem.shape.WeightCount());
  AttentionForward(problem.shape, point[0].data(), point[1].data(), point[2].data(),
                   Factors(problem), out.data(), weights.data());
  return out;
}

void Differentiate(Problem& problem, std::vector<double>* d_scores) {
  const std::vector<Argument>& in = problem.arguments;
  std::vector<double> out(in[0].value.size()), weights(problem.shape.WeightCount());
  AttentionForward(problem.shape, in[0].value.data(), in[1].value.data(), in[2].value.data(),
                   Factors(problem), out.data(), weights.data());
  AttentionBackward(problem.shape, problem.d_out.data(), in[0].value.data(), in[1].value.data(),
                    in[2].value.data(), weights.data(), Factors(problem),
                    d_scores == nullptr ? nullptr : d_scores->data(),
                    problem.arguments[0].gradient.data(), problem.arguments[1].gradient.data(),
                    problem.arguments[2].gradient.data());
}

TEST_CASE("reference attention: a worked example", "[reference][attention]") {
  // Scores of query 1 are 0 and ln 3, so its weights are 1/4 and 3/4.
  const std::vector<double> q = {1, std::log(3.0)}, k = {0, 1}, v = {8, 16};
  std::vector<double> out(2), weights(4);
  AttentionForward<double>({1, 2, 2, 1, 1, 1, 1.0}, q.data(), k.data(), v.data(), nullptr,
                           out.data(), weights.data());
  HEED_CHECK_NEAR(test::Near("out", std::vector<double>{8, 14}, out, {1e-13, 0}));
  HEED_CHECK_NEAR(
      test::Near("weights", std::vector<double>{1, 0, 0.25, 0.75}, weights, {1e-15, 0}));
}

TEST_CASE("reference attention: neighbouring query heads share a key head",
          "[reference][attention]") {
  // With one token every head returns the value of the key head it reads.
  const std::vector<double> q(6, 1.0), k(2, 1.0), v = {10, 20};
  std::vector<double> out(6), weights(6);
  AttentionForward<double>({1, 1, 1, 6, 2, 1, 1.0}, q.data(), k.data(), v.data(), nullptr,
                           out.data(), weights.data());
  CHECK(out == std::vector<double>{10, 10, 10, 20, 20, 20});
}

TEST_CASE("reference attention: queries stand at the end of the keys (R068)",
          "[reference][attention]") {
  test::Random random(10);
  const AttentionShape shape{1, 2, 5, 1, 1, 3, 1.0};
  const Problem problem = RandomProblem(random, shape, 0.0);
  std::vector<double> out(problem.arguments[0].value.size()), weights(shape.WeightCount());
  AttentionForward<double>(shape, problem.arguments[0].value.data(),
                           problem.arguments[1].value.data(), problem.arguments[2].value.data(),
                           nullptr, out.data(), weights.data());
  CHECK(weights[3] > 0.0);
  CHECK(weights[4] == 0.0);
  for (size_t j = 0; j < 5; ++j) CHECK(weights[5 + j] > 0.0);
}

TEST_CASE("reference attention: huge scores do not leak past the mask (R070)",
          "[reference][attention]") {
  const std::vector<double> q = {1e6, 1e6}, k = {1, 2}, v = {1, 100};
  std::vector<double> out(2), weights(4);
  AttentionForward<double>({1, 2, 2, 1, 1, 1, 1.0}, q.data(), k.data(), v.data(), nullptr,
                           out.data(), weights.data());
  CHECK(weights == std::vector<double>{1, 0, 0, 1});
  CHECK(out == std::vector<double>{1, 100});
}

TEST_CASE("reference attention: backward matches a complex step", "[reference][attention]") {
  test::Random random(11);
  for (int trial = 0; trial < 200; ++trial) {
    const size_t kv_heads = 1 + random.Below(2), query_time = 1 + random.Below(trial < 20 ? 3 : 9);
    AttentionShape shape{1 + random.Below(2),
                               query_time,
                               query_time + (trial % 4 == 0 ? random.Below(4) : 0),
                               kv_heads * (1 + random.Below(3)),
                               kv_heads,
                               1 + random.Below(7),
                               random.Uniform(0.2, 1.0)};
    if (trial % 5 == 1) shape.softcap = random.Uniform(0.5, 2.0);
    if (trial % 5 == 2) shape.window = 1 + random.Below(4);
    if (trial % 5 == 3) {
      shape.slopes = random.NormalVector<double>(shape.heads);
      shape.softcap = trial % 2 == 0 ? 0.0 : 1.5;
      shape.causal = trial % 3 != 0;
    }
    Problem problem = RandomProblem(random, shape, trial % 3 == 0 ? 0.25 : 0.0);
    Differentiate(problem, nullptr);
    const auto loss = [&](const ComplexArguments& point) {
      return test::Dot(problem.d_out, Output(problem, point));
    };
    INFO("B " << shape.batch << " Tq " << shape.query_time << " Tk " << shape.key_time << " H "
              << shape.heads << " Hk " << kv_heads << " D " << shape.head_width);
    test::CheckDirection(problem.arguments, test::kReferenceGradientError, random, loss);
    if (trial % 10 == 0) {
      test::CheckGradients(problem.arguments, test::kReferenceGradientError, loss);
    }
  }
}

TEST_CASE("reference attention: a window, a soft cap and a slope by hand",
          "[reference][attention]") {
  // Products of query 2 are ln 2, ln 3, ln 5.
  const std::vector<double> q = {0, 0, 1}, k = {std::log(2.0), std::log(3.0), std::log(5.0)};
  const std::vector<double> v = {0, 0, 0};
  std::vector<double> out(3), weights(9);
  const auto last_row = [&](AttentionShape shape) {
    AttentionForward<double>(shape, q.data(), k.data(), v.data(), nullptr, out.data(),
                             weights.data());
    return std::vector<double>(weights.begin() + 6, weights.end());
  };
  AttentionShape shape{1, 3, 3, 1, 1, 1, 1.0};
  shape.window = 2;
  HEED_CHECK_NEAR(test::Near("window", std::vector<double>{0, 0.375, 0.625}, last_row(shape),
                             {1e-15, 0}));
  shape.window = 0;
  shape.slopes = {std::log(2.0)};  // 2 / 4, 3 / 2, 5 / 1
  HEED_CHECK_NEAR(test::Near("slope", std::vector<double>{0.5 / 7, 1.5 / 7, 5.0 / 7},
                             last_row(shape), {1e-15, 0}));
  shape.slopes.clear();
  shape.softcap = 1e-9;  // every score is at most a billionth
  HEED_CHECK_NEAR(test::Near("soft cap", std::vector<double>{1.0 / 3, 1.0 / 3, 1.0 / 3},
                             last_row(shape), {1e-9, 0}));
}

TEST_CASE("reference attention: score gradients are those of the queries",
          "[reference][attention]") {
  // With one head, d_q_i = scale * sum_j d_score_ij k_j, and each row of d_scores sums to zero.
  test::Random random(12);
  Problem problem = RandomProblem(random, {2, 4, 4, 1, 1, 3, 0.5}, 0.0);
  std::vector<double> d_scores(problem.shape.WeightCount(), 9.0);
  Differentiate(problem, &d_scores);
  for (size_t b = 0; b < 2; ++b) {
    for (size_t i = 0; i < 4; ++i) {
      double sum = 0.0;
      for (size_t j = 0; j < 4; ++j) {
        const double value = d_scores[problem.shape.Row(b, 0, i) + j];
        if (j > i) CHECK(value == 0.0);
        sum += value;
      }
      CHECK(std::abs(sum) <= 1e-14);
      for (size_t d = 0; d < 3; ++d) {
        double expected = 0.0;
        for (size_t j = 0; j <= i; ++j) {
          expected += 0.5 * d_scores[problem.shape.Row(b, 0, i) + j] *
                      problem.arguments[1].value[problem.shape.Key(b, j, 0) + d];
        }
        const double actual = problem.arguments[0].gradient[problem.shape.Query(b, i, 0) + d];
        CHECK(std::abs(expected - actual) <= 1e-14);
      }
    }
  }
}

}  // namespace
}  // namespace heed::reference
