// SPDX-License-Identifier: MIT
#include "base/status.h"

#include <cstdio>

namespace heed {

Status Status::Error(StatusCode code, const char* format, ...) {
  HEED_DCHECK(code != StatusCode::kOk);
  Status status;
  status.code_ = code;
  va_list arguments;
  va_start(arguments, format);
  const int length =
      std::vsnprintf(status.message_, sizeof(status.message_), format, arguments);
  va_end(arguments);
  if (length >= static_cast<int>(sizeof(status.message_))) {
    // A cut inside a multi-byte character would make the message invalid UTF-8 for JavaScript.
    int end = static_cast<int>(sizeof(status.message_)) - 1;
    while (end > 0 && (static_cast<uint8_t>(status.message_[end - 1]) & 0xC0) == 0x80) --end;
    if (end > 0 && static_cast<uint8_t>(status.message_[end - 1]) >= 0xC0) --end;
    status.message_[end] = '\0';
  }
  return status;
}

}  // namespace heed
