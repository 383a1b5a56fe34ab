// SPDX-License-Identifier: MIT
#include "base/parallel.h"

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <vector>

namespace heed {
namespace {

TEST_CASE("parallel: every task runs once, with a valid worker") {
  REQUIRE(ParallelWorkers() >= 1);
  for (const size_t tasks : {0, 1, 2, 7, 1000}) {
    std::vector<int> runs(tasks, 0);
    std::atomic<bool> valid{true};
    ParallelFor(tasks, [&](size_t task, size_t worker) {
      if (task >= tasks || worker >= ParallelWorkers()) valid = false;
      ++runs[task];
    });
    CHECK(valid);
    CHECK(runs == std::vector<int>(tasks, 1));
  }
}

TEST_CASE("parallel: tasks that run at the same time have workers of their own") {
  std::vector<std::atomic<int>> busy(ParallelWorkers());
  std::atomic<bool> shared{false};
  ParallelFor(500, [&](size_t, size_t worker) {
    if (busy[worker].fetch_add(1) != 0) shared = true;
    busy[worker].fetch_sub(1);
  });
  CHECK_FALSE(shared);
}

TEST_CASE("parallel: a callable object is called in place, not copied") {
  struct Counter {
    size_t sum = 0;
    void operator()(size_t task, size_t) { sum += task; }
  };
  if (ParallelWorkers() > 1) SKIP("the object is not synchronised");
  Counter counter;
  ParallelFor(10, counter);
  CHECK(counter.sum == 45);
}

}  // namespace
}  // namespace heed
