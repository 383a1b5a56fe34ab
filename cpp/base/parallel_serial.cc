// SPDX-License-Identifier: MIT
#include "base/parallel.h"

namespace heed {

void ParallelRun(size_t tasks, ParallelTask run, void* context) {
  for (size_t task = 0; task < tasks; ++task) run(context, task, 0);
}

size_t ParallelWorkers() { return 1; }

}  // namespace heed
