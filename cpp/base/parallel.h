// SPDX-License-Identifier: MIT
// Parallelism sits above the kernels. A loop is cut into tasks by the problem's size alone, never by
// the number of workers, and each task writes its own results: same bits for any number of threads.
// Two sources implement it: parallel_serial.cc here; a build links exactly one.
#ifndef HEED_BASE_PARALLEL_H_
#define HEED_BASE_PARALLEL_H_

#include <cstddef>
#include <type_traits>

namespace heed {

using ParallelTask = void (*)(void* context, size_t task, size_t worker);

// Calls run(context, task, worker) once for each task in [0, tasks); returns when all are done.
// worker < ParallelWorkers() indexes scratch memory; at no time do two tasks share a worker.
void ParallelRun(size_t tasks, ParallelTask run, void* context);

// How many workers may run at once (1 in the serial build).
size_t ParallelWorkers();

template <typename Function>
void ParallelFor(size_t tasks, Function&& function) {
  using Callable = std::remove_reference_t<Function>;
  ParallelRun(
      tasks,
      [](void* context, size_t task, size_t worker) {
        (*static_cast<Callable*>(context))(task, worker);
      },
      const_cast<void*>(static_cast<const void*>(&function)));
}

}  // namespace heed

#endif  // HEED_BASE_PARALLEL_H_
