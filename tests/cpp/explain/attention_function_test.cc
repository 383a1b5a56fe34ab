// SPDX-License-Identifier: MIT
#include "explain/attention_function.h"

#include <cmath>
#include <string>
#include <vector>

#include "base/arena.h"
#include "catch2/catch_test_macros.hpp"
#include "reference/softmax.h"
#include "support/gradient_check.h"
#include "support/near.h"
#include "support/random.h"

namespace heed::test {
namespace {

constexpr size_t kRows = 6, kWidth = 5, kHead = 4, kValue = 3;

struct Problem {
  explicit Problem(bool values, uint64_t seed = 3) : has_values(values) {
    Random random(seed);
    x = random.NormalVector<float>(kRows * kWidth);
    w_q = random.NormalVector<float>(kWidth * kHead);
    w_k = random.NormalVector<float>(kWidth * kHead);
    w_v = random.NormalVector<float>(kWidth * kValue);
    d_out = random.NormalVector<float>(kRows * value_width());
    visible.assign(kRows * kRows, 0);
    for (size_t i = 0; i < kRows; ++i) {
      for (size_t j = 0; j < kRows; ++j) {
        visible[i * kRows + j] = i == j || random.Uniform() < 0.6 ? 1 : 0;
      }
    }
  }
  size_t value_width() const { return has_values ? kValue : kWidth; }

  AttentionArguments Arguments() const {
    AttentionArguments a;
    a.x = {x.data(), kRows, kWidth};
    a.w_q = {w_q.data(), kWidth, kHead};
    a.w_k = {w_k.data(), kWidth, kHead};
    if (has_values) a.w_v = {w_v.data(), kWidth, kValue};
    a.visible = {visible.data(), visible.size()};
    a.scale = 0.5f;
    return a;
  }

  // sum of d_out * out, by the formulas.
  template <class T>
  T Objective(const std::vector<T>& x_, const std::vector<T>& q_, const std::vector<T>& k_,
              const std::vector<T>& v_) const {
    const auto project = [&](const std::vector<T>& w, size_t cols) {
      std::vector<T> y(kRows * cols, T(0));
      for (size_t i = 0; i < kRows; ++i) {
        for (size_t d = 0; d < kWidth; ++d) {
          for (size_t c = 0; c < cols; ++c) y[i * cols + c] += x_[i * kWidth + d] * w[d * cols + c];
        }
      }
      return y;
    };
    const std::vector<T> q = project(q_, kHead), k = project(k_, kHead);
    const std::vector<T> v = has_values ? project(v_, kValue) : x_;
    T sum = 0;
    for (size_t i = 0; i < kRows; ++i) {
      std::vector<T> row;
      std::vector<size_t> columns;
      for (size_t j = 0; j < kRows; ++j) {
        if (visible[i * kRows + j] == 0) continue;
        T score = 0;
        for (size_t c = 0; c < kHead; ++c) score += q[i * kHead + c] * k[j * kHead + c];
        row.push_back(score * 0.5);
        columns.push_back(j);
      }
      reference::Softmax(row.size(), row.data(), row.data());
      for (size_t n = 0; n < row.size(); ++n) {
        for (size_t c = 0; c < value_width(); ++c) {
          sum += row[n] * v[columns[n] * value_width() + c] *
                 static_cast<double>(d_out[i * value_width() + c]);
        }
      }
    }
    return sum;
  }

  bool has_values;
  std::vector<float> x, w_q, w_k, w_v, d_out;
  std::vector<uint8_t> visible;
};

std::vector<double> Doubles(const Matrix<float>& m) {
  return {m.data, m.data + m.rows * m.cols};
}

TEST_CASE("attention of one's own matrices: gradients match the complex step for any mask") {
  for (const bool values : {true, false}) {
    const Problem problem(values);
    const AttentionArguments arguments = problem.Arguments();
    REQUIRE(CheckAttentionArguments(arguments).ok());
    Planner measure;
    PlanAttentionResults(arguments, &measure);
    PlanAttentionGradients(arguments, &measure);
    Arena arena;
    REQUIRE(arena.Allocate(measure.bytes(), "test").ok());
    Planner planner(&arena);
    const AttentionResults results = PlanAttentionResults(arguments, &planner);
    const AttentionResultGradients gradients = PlanAttentionGradients(arguments, &planner);
    REQUIRE(AttentionFunction(arguments, results).ok());
    const ConstMatrix d_out(problem.d_out.data(), kRows, problem.value_width());
    REQUIRE(AttentionFunctionBackward(arguments, results, d_out, gradients).ok());

    std::vector<Argument> checked = {
        {"x", Convert<double>(problem.x), Doubles(gradients.x)},
        {"w_q", Convert<double>(problem.w_q), Doubles(gradients.w_q)},
        {"w_k", Convert<double>(problem.w_k), Doubles(gradients.w_k)},
    };
    if (values) checked.push_back({"w_v", Convert<double>(problem.w_v), Doubles(gradients.w_v)});
    CheckGradients(checked, kKernelGradientError, [&](const ComplexArguments& at) {
      return problem.Objective<Complex>(at[0], at[1], at[2],
                                        values ? at[3] : std::vector<Complex>());
    });
    double value = 0.0;
    for (size_t i = 0; i < kRows * problem.value_width(); ++i) {
      value += double{problem.d_out[i]} * results.out.data[i];
    }
    const double expected = problem.Objective<double>(
        Convert<double>(problem.x), Convert<double>(problem.w_q), Convert<double>(problem.w_k),
        Convert<double>(problem.w_v));
    CHECK(std::abs(value - expected) <= 1e-5 * (1.0 + std::abs(expected)));
    for (size_t n = 0; n < problem.visible.size(); ++n) {
      if (problem.visible[n] != 0) continue;
      CHECK(results.weights.data[n] == 0.0f);
      CHECK(gradients.scores.data[n] == 0.0f);
    }
  }
}

TEST_CASE("attention of one's own matrices: what does not fit is refused by name") {
  const Problem problem(true);
  const auto refused = [](const AttentionArguments& arguments, const char* word) {
    const Status status = CheckAttentionArguments(arguments);
    REQUIRE_FALSE(status.ok());
    CHECK(std::string(status.message()).find(word) != std::string::npos);
  };
  AttentionArguments a = problem.Arguments();
  a.w_q.rows = 4;
  refused(a, "wQ");
  a = problem.Arguments();
  a.w_k.cols = 3;
  refused(a, "wK");
  a = problem.Arguments();
  a.w_v.rows = 2;
  refused(a, "wV");
  a = problem.Arguments();
  a.visible.size = 5;
  refused(a, "mask");
  a = problem.Arguments();
  a.x.rows = 0;
  refused(a, "x is 0 x");
  a = problem.Arguments();
  a.scale = INFINITY;
  refused(a, "scale");
  std::vector<uint8_t> blind = problem.visible;
  std::fill(blind.begin() + 6, blind.begin() + 12, uint8_t{0});
  a = problem.Arguments();
  a.visible = {blind.data(), blind.size()};
  refused(a, "row 1");
  std::vector<float> bad = problem.x;
  bad[3] = NAN;
  a = problem.Arguments();
  a.x.data = bad.data();
  refused(a, "x has");
}

}  // namespace
}  // namespace heed::test
