// SPDX-License-Identifier: MIT
// What went wrong, as a value: a stable code and a sentence that names the thing, what was expected,
// what was found and what to do. Nothing here allocates, so "out of memory" can be reported too.
#ifndef HEED_BASE_STATUS_H_
#define HEED_BASE_STATUS_H_

#include <cstdarg>
#include <cstdint>
#include <utility>

#include "base/check.h"

namespace heed {

// The numbers cross the WASM boundary; append only.
enum class StatusCode : uint8_t {
  kOk = 0,
  kInvalidArgument = 1,  // an option or argument is outside its range
  kOutOfMemory = 2,      // the request's bytes cannot be had; nothing changed
  kNonFinite = 3,        // a NaN or an infinity arose; the step changed nothing
  kDisposed = 4,         // the handle is dead
  kBadData = 5,          // a file or a text is malformed or does not fit
  kBadState = 6,         // the call does not fit the object's state
};

class [[nodiscard]] Status {
 public:
  Status() { message_[0] = '\0'; }

#if defined(__GNUC__)
  __attribute__((format(printf, 2, 3)))
#endif
  static Status
  Error(StatusCode code, const char* format, ...);

  bool ok() const { return code_ == StatusCode::kOk; }
  StatusCode code() const { return code_; }
  // Zero-terminated; empty when ok. Cut at 319 bytes at a UTF-8 boundary.
  const char* message() const { return message_; }

 private:
  StatusCode code_ = StatusCode::kOk;
  char message_[320];
};

// A value or the Status that says why there is none.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}                             // NOLINT
  Result(Status status) : status_(status) { HEED_DCHECK(!status_.ok()); }  // NOLINT

  bool ok() const { return status_.ok(); }
  const Status& status() const { return status_; }
  T& value() {
    HEED_DCHECK(ok());
    return value_;
  }
  const T& value() const {
    HEED_DCHECK(ok());
    return value_;
  }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

 private:
  Status status_;
  T value_{};
};

}  // namespace heed

#define HEED_RETURN_IF_ERROR(expression)                  \
  do {                                                    \
    ::heed::Status heed_status_ = (expression);           \
    if (!heed_status_.ok()) return heed_status_;          \
  } while (false)

#endif  // HEED_BASE_STATUS_H_
