// SPDX-License-Identifier: MIT
#include "base/clock.h"

#if defined(__EMSCRIPTEN__)
#include <emscripten.h>
namespace heed {
double NowMs() { return emscripten_get_now(); }
}  // namespace heed
#else
#include <chrono>
namespace heed {
double NowMs() {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}
}  // namespace heed
#endif
