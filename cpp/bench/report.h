// SPDX-License-Identifier: MIT
#ifndef HEED_BENCH_REPORT_H_
#define HEED_BENCH_REPORT_H_

#include "bench/json.h"
#include "bench/options.h"

namespace heed::bench {

// Opens the report's object with what every suite says: suite, engine, variant, threads.
void BeginReport(JsonPrinter& json, const char* suite, const Options& options);

}  // namespace heed::bench

#endif  // HEED_BENCH_REPORT_H_
