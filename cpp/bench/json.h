// SPDX-License-Identifier: MIT
// The few JSON forms that a report needs, printed as they come.
#ifndef HEED_BENCH_JSON_H_
#define HEED_BENCH_JSON_H_

#include <cstddef>

namespace heed::bench {

// Nests by Begin and End; commas are set where they belong. Names and texts are plain ASCII without
// quotes. Numbers have five significant digits; one that is not finite prints as null.
class JsonPrinter {
 public:
  // In an object `name` is the member's; null in an array and at the top.
  void BeginObject(const char* name = nullptr);
  void EndObject();
  void BeginArray(const char* name);
  void EndArray();
  void Number(const char* name, double value);
  void Count(const char* name, size_t value);
  void Text(const char* name, const char* value);
  // Ends the line and flushes.
  void Finish();

 private:
  void Member(const char* name);

  bool first_ = true;
};

}  // namespace heed::bench

#endif  // HEED_BENCH_JSON_H_
