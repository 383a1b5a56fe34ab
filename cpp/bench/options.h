// SPDX-License-Identifier: MIT
// Arguments of heed_bench, shared by its suites.
#ifndef HEED_BENCH_OPTIONS_H_
#define HEED_BENCH_OPTIONS_H_

#include <cstdint>

namespace heed::bench {

struct Options {
  const char* engine = nullptr;  // name printed in the report; null: "native" or "wasm"
  const char* preset = "nanogpt-cpu";
  bool quick = false;  // a fraction of the time, for a check that things work
  uint32_t width = 0;  // 0: as in the preset
  uint32_t context = 0;
  uint32_t batch = 0;
};

// One JSON object on stdout each; the exit status of the program.
int RunGemmSuite(const Options& options);
int RunTrainSuite(const Options& options);

}  // namespace heed::bench

#endif  // HEED_BENCH_OPTIONS_H_
