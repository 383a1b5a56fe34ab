// SPDX-License-Identifier: MIT
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <vector>

#include "reference/adamw.h"
#include "reference/clip.h"
#include "reference/schedule.h"
#include "reference/sgd.h"
#include "support/near.h"

namespace heed::reference {
namespace {

TEST_CASE("reference AdamW: worked numbers (R083, R086)", "[reference][optimizer]") {
  AdamWStep step;
  step.learning_rate = 1e-2;
  step.weight_decay = 0.1;
  double p = 0.5, m = 0.0, v = 0.0;
  std::vector<double> path;
  for (const double g : {0.2, -0.1, 0.3}) {
    AdamWUpdate(step, 1, &g, &p, &m, &v);
    path.push_back(p);
    ++step.step;
  }
  HEED_CHECK_NEAR(test::Near("p", std::vector<double>{0.4895000005, 0.4863471303, 0.4795075816},
                             path, {1e-9, 0}));

  AdamWStep tiny;
  tiny.learning_rate = 1e-3;
  double q = 0.0, first = 0.0, second = 0.0;
  const double g = 1e-9;
  AdamWUpdate(tiny, 1, &g, &q, &first, &second);
  CHECK(std::abs(q + 9.0909e-5) <= 1e-9);
}

TEST_CASE("reference AdamW and SGD: decay is the parameter's own (R084)",
          "[reference][optimizer]") {
  const double zero = 0.0;
  double p = 2.0, m = 0.0, v = 0.0;
  AdamWUpdate({1, 0.1, 0.9, 0.999, 1e-8, 0.1, 1.0}, 1, &zero, &p, &m, &v);
  CHECK(std::abs(p - 1.98) <= 1e-15);
  double q = 2.0, velocity = 0.0;
  SgdUpdate({0.1, 0.9, 0.1, 1.0}, 1, &zero, &q, &velocity);
  CHECK(std::abs(q - 1.98) <= 1e-15);
}

TEST_CASE("reference SGD: momentum worked by hand", "[reference][optimizer]") {
  double p = 1.0, velocity = 0.0;
  const SgdStep step{0.1, 0.5, 0.0, 1.0};
  for (const double g : {1.0, 2.0, -4.0}) SgdUpdate(step, 1, &g, &p, &velocity);
  // Velocities 1, 2.5, -2.75.
  CHECK(std::abs(velocity + 2.75) <= 1e-15);
  CHECK(std::abs(p - 0.925) <= 1e-15);
}

TEST_CASE("reference clipping: global norm (R085)", "[reference][optimizer]") {
  const std::vector<double> gradient(128, 1e19);
  const double norm = std::sqrt(SumOfSquares(gradient.size(), gradient.data()));
  CHECK(std::abs(norm / 1.1313708e20 - 1.0) <= 1e-7);
  CHECK(std::abs(1e19 * ClipScale(norm, 1.0) - 0.0883883) <= 1e-7);
  CHECK(ClipScale(0.5, 1.0) == 1.0);
  CHECK(ClipScale(7.0, 0.0) == 1.0);
}

TEST_CASE("reference schedule: warm-up and cosine (R090)", "[reference][optimizer]") {
  const Schedule warm{ScheduleKind::kConstant, 6e-4, 0.0, 2000, 10000};
  CHECK(std::abs(LearningRate(warm, 0) - 2.9985e-7) <= 1e-11);
  CHECK(LearningRate(warm, 2000) == 6e-4);
  CHECK(LearningRate(warm, 9999) == 6e-4);
  const Schedule cosine{ScheduleKind::kCosine, 1e-3, 1e-4, 100, 2000};
  CHECK(std::abs(LearningRate(cosine, 99) - 1e-3 * 100 / 101) <= 1e-18);
  CHECK(LearningRate(cosine, 100) == 1e-3);
  CHECK(std::abs(LearningRate(cosine, 1050) - 5.5e-4) <= 1e-15);
  CHECK(std::abs(LearningRate(cosine, 2000) - 1e-4) <= 1e-15);
  for (size_t step = 100; step < 1999; ++step) {
    CHECK(LearningRate(cosine, step + 1) < LearningRate(cosine, step));
  }
  const Schedule line{ScheduleKind::kLinear, 1e-3, 1e-4, 100, 2000};
  CHECK(std::abs(LearningRate(line, 575) - 7.75e-4) <= 1e-15);
  const Schedule wsd{ScheduleKind::kWsd, 1e-3, 1e-4, 100, 2000, 0.2};
  CHECK(LearningRate(wsd, 1600) == 1e-3);
  CHECK(std::abs(LearningRate(wsd, 1700) - 7.75e-4) <= 1e-15);
}

}  // namespace
}  // namespace heed::reference
