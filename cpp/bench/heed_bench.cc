// SPDX-License-Identifier: MIT
// heed_bench SUITE [options]: one benchmark, one JSON object on stdout.
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "bench/options.h"

namespace heed::bench {
namespace {

struct Suite {
  const char* name;
  int (*run)(const Options&);
};

constexpr Suite kSuites[] = {{"gemm", RunGemmSuite}, {"train", RunTrainSuite}};

int Usage(const char* problem, const char* what) {
  std::fprintf(
      stderr,
      "heed_bench: %s%s\nusage: heed_bench SUITE [--quick] [--engine NAME] [--preset NAME]\n"
      "       [--width N] [--context N] [--batch N] [--threads N]\nsuites:",
      problem, what);
  for (const Suite& suite : kSuites) std::fprintf(stderr, " %s", suite.name);
  std::fputc('\n', stderr);
  return 2;
}

// A decimal count from 1 to 2^20; false for anything else.
bool ParseCount(const char* text, uint32_t* count) {
  char* end = nullptr;
  errno = 0;
  const unsigned long value = std::strtoul(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 || value < 1 || value > (1u << 20)) {
    return false;
  }
  *count = static_cast<uint32_t>(value);
  return true;
}

}  // namespace

int Main(int argc, char** argv) {
  if (argc < 2) return Usage("no suite given", "");
  Options options;
  for (int i = 2; i < argc; ++i) {
    const char* name = argv[i];
    if (std::strcmp(name, "--quick") == 0) {
      options.quick = true;
      continue;
    }
    if (i + 1 == argc) return Usage("unknown option, or one without its value: ", name);
    const char* value = argv[++i];
    uint32_t threads = 1;
    uint32_t* count = nullptr;
    if (std::strcmp(name, "--engine") == 0) {
      options.engine = value;
      continue;
    }
    if (std::strcmp(name, "--preset") == 0) {
      options.preset = value;
      continue;
    }
    if (std::strcmp(name, "--width") == 0) count = &options.width;
    if (std::strcmp(name, "--context") == 0) count = &options.context;
    if (std::strcmp(name, "--batch") == 0) count = &options.batch;
    if (std::strcmp(name, "--threads") == 0) count = &threads;
    if (count == nullptr) return Usage("unknown option: ", name);
    if (!ParseCount(value, count)) return Usage("expected a count from 1 to 2^20, found ", value);
    if (threads != 1) return Usage("this build has one thread; asked for ", value);
  }
  for (const Suite& suite : kSuites) {
    if (std::strcmp(suite.name, argv[1]) == 0) return suite.run(options);
  }
  return Usage("unknown suite: ", argv[1]);
}

}  // namespace heed::bench

int main(int argc, char** argv) { return heed::bench::Main(argc, argv); }
