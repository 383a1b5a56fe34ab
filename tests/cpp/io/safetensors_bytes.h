// SPDX-License-Identifier: MIT
// Files put together byte by byte, so that each can be wrong in exactly one way.
#ifndef HEED_TESTS_CPP_IO_SAFETENSORS_BYTES_H_
#define HEED_TESTS_CPP_IO_SAFETENSORS_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/span.h"
#include "base/status.h"
#include "io/json_string.h"
#include "io/safetensors_reader.h"

namespace heed::test {

// Header length, header, `data_bytes` of data counting up from 0.
inline std::string FileOf(std::string_view header, size_t data_bytes = 0) {
  std::string file;
  for (size_t i = 0; i < 8; ++i) {
    file += static_cast<char>(static_cast<uint64_t>(header.size()) >> (8 * i));
  }
  file += header;
  for (size_t i = 0; i < data_bytes; ++i) file += static_cast<char>(i);
  return file;
}

inline Span<const uint8_t> Bytes(std::string_view file) {
  return {reinterpret_cast<const uint8_t*>(file.data()), file.size()};
}

inline Status ParseStatus(std::string_view file) { return ParseSafetensors(Bytes(file)).status(); }

// The message of the refusal; empty when the file is accepted.
inline std::string Refusal(std::string_view header, size_t data_bytes = 0) {
  return ParseStatus(FileOf(header, data_bytes)).message();
}

inline std::string Decoded(const JsonString& string) {
  std::string text(string.size(), '\0');
  string.CopyTo(Span<char>(text.data(), text.size()));
  return text;
}

}  // namespace heed::test

#endif  // HEED_TESTS_CPP_IO_SAFETENSORS_BYTES_H_
