// SPDX-License-Identifier: MIT
// Runs a test body once for every SIMD target that this machine supports and the build generated.
// A WebAssembly build has exactly one target and links none of Highway's dispatch code, so there
// the body runs once.
#ifndef HEED_TESTS_SUPPORT_FOREACH_TARGET_H_
#define HEED_TESTS_SUPPORT_FOREACH_TARGET_H_

#include <cstdint>

#include "hwy/detect_targets.h"
#if !HWY_ARCH_WASM
#include "hwy/targets.h"
#endif

namespace heed::test {

// `body` is called as body(const char* target_name). Dispatch is restored afterwards, also when
// the body throws (a failed REQUIRE does).
template <class Body>
void ForEachTarget(Body&& body) {
#if HWY_ARCH_WASM
  body("WASM");
#else
  struct Restore {
    ~Restore() {
      hwy::SetSupportedTargetsForTest(0);
      hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    }
  } restore;
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    body(hwy::TargetName(target));
  }
#endif
}

}  // namespace heed::test

#endif  // HEED_TESTS_SUPPORT_FOREACH_TARGET_H_
