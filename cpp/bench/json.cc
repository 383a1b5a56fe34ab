// SPDX-License-Identifier: MIT
#include "bench/json.h"

#include <cmath>
#include <cstdio>

namespace heed::bench {

void JsonPrinter::Member(const char* name) {
  if (!first_) std::fputs(", ", stdout);
  first_ = false;
  if (name != nullptr) std::printf("\"%s\": ", name);
}

void JsonPrinter::BeginObject(const char* name) {
  Member(name);
  std::fputc('{', stdout);
  first_ = true;
}

void JsonPrinter::EndObject() {
  std::fputc('}', stdout);
  first_ = false;
}

void JsonPrinter::BeginArray(const char* name) {
  Member(name);
  std::fputc('[', stdout);
  first_ = true;
}

void JsonPrinter::EndArray() {
  std::fputc(']', stdout);
  first_ = false;
}

void JsonPrinter::Number(const char* name, double value) {
  Member(name);
  if (std::isfinite(value)) {
    std::printf("%.5g", value);
  } else {
    std::fputs("null", stdout);
  }
}

void JsonPrinter::Count(const char* name, size_t value) {
  Member(name);
  std::printf("%zu", value);
}

void JsonPrinter::Text(const char* name, const char* value) {
  Member(name);
  std::printf("\"%s\"", value);
}

void JsonPrinter::Finish() {
  std::fputc('\n', stdout);
  std::fflush(stdout);
}

}  // namespace heed::bench
