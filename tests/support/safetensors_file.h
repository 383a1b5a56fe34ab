// SPDX-License-Identifier: MIT
// Reads F32 tensors of a safetensors file: u64 little-endian header length, JSON header, data.
// Tests only, and independent of the library's reader.
#ifndef HEED_TESTS_SUPPORT_SAFETENSORS_FILE_H_
#define HEED_TESTS_SUPPORT_SAFETENSORS_FILE_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/json.h"

namespace heed::test {

struct StoredTensor {
  std::vector<size_t> shape;
  std::vector<float> data;  // row-major
};

using StoredTensors = std::map<std::string, StoredTensor>;

inline std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot open " + path);
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

// `bytes` is a whole file; `name` is for messages. Other element types than F32 are skipped.
inline StoredTensors ParseSafetensors(const std::string& bytes, const std::string& name) {
  const auto fail = [&](const std::string& what) { throw std::runtime_error(name + ": " + what); };
  uint64_t length = 0;
  if (bytes.size() < sizeof(length)) fail("shorter than its header length");
  for (size_t i = 0; i < sizeof(length); ++i) {
    length |= static_cast<uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  }
  if (length > bytes.size() - sizeof(length)) fail("header longer than the file");
  const size_t base = sizeof(length) + static_cast<size_t>(length);
  const Json header = Json::Parse(std::string_view(bytes).substr(sizeof(length), length));
  StoredTensors tensors;
  for (const auto& [key, entry] : header.Object()) {
    if (key == "__metadata__" || entry["dtype"].String() != "F32") continue;
    StoredTensor tensor;
    tensor.shape = entry["shape"].Numbers<size_t>();
    size_t count = 1;
    for (const size_t extent : tensor.shape) count *= extent;
    const std::vector<size_t> span = entry["data_offsets"].Numbers<size_t>();
    if (span.size() != 2 || span[1] - span[0] != count * sizeof(float) ||
        base + span[1] > bytes.size()) {
      fail("tensor " + key + " has offsets that do not match its shape");
    }
    tensor.data.resize(count);
    if (count != 0) {
      std::memcpy(tensor.data.data(), bytes.data() + base + span[0], count * sizeof(float));
    }
    tensors.emplace(key, std::move(tensor));
  }
  return tensors;
}

inline StoredTensors ReadSafetensors(const std::string& path) {
  return ParseSafetensors(ReadFile(path), path);
}

}  // namespace heed::test

#endif  // HEED_TESTS_SUPPORT_SAFETENSORS_FILE_H_
