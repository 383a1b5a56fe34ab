// SPDX-License-Identifier: MIT
#include "bench/report.h"

#include "base/parallel.h"
#include "bench/peak.h"

namespace heed::bench {

void BeginReport(JsonPrinter& json, const char* suite, const Options& options) {
#if defined(__EMSCRIPTEN__)
  const char* engine = "wasm";
#else
  const char* engine = "native";
#endif
  json.BeginObject();
  json.Text("suite", suite);
  json.Text("engine", options.engine != nullptr ? options.engine : engine);
  json.Text("variant", SimdVariant());
  json.Count("threads", ParallelWorkers());
}

}  // namespace heed::bench
