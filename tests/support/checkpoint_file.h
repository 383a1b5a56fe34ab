// SPDX-License-Identifier: MIT
// A safetensors file taken apart, so that a test can change one thing and put it together again.
#ifndef HEED_TESTS_SUPPORT_CHECKPOINT_FILE_H_
#define HEED_TESTS_SUPPORT_CHECKPOINT_FILE_H_

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/span.h"
#include "io/safetensors_reader.h"
#include "io/safetensors_writer.h"
#include "support/json.h"

namespace heed::test {

inline Span<const uint8_t> FileBytes(const std::string& file) {
  return {reinterpret_cast<const uint8_t*>(file.data()), file.size()};
}

// The file of a planned writer (SafetensorsWriter or CheckpointWriter).
template <typename Writer>
std::string WriteFile(const Writer& writer) {
  std::string file(static_cast<size_t>(writer.bytes()), '\xCC');
  writer.Write({reinterpret_cast<uint8_t*>(file.data()), file.size()});
  return file;
}

struct CheckpointFile {
  struct Tensor {
    std::vector<uint64_t> shape;
    std::vector<float> values;
    DType dtype = DType::kF32;
  };
  std::map<std::string, std::string> metadata;
  std::map<std::string, Tensor> tensors;

  explicit CheckpointFile(const std::string& file) {
    const auto parsed = ParseSafetensors(FileBytes(file));
    if (!parsed.ok()) throw std::runtime_error(parsed.status().message());
    for (size_t i = 0; i < parsed->metadata_count(); ++i) {
      metadata[Text(parsed->Metadata(i).key)] = Text(parsed->Metadata(i).value);
    }
    const uint64_t header = ReadLength(file);
    const Json entries = Json::Parse(std::string_view(file).substr(8, header));
    for (size_t i = 0; i < parsed->tensor_count(); ++i) {
      const SafetensorsTensor tensor = parsed->Tensor(i);
      const std::string name = Text(tensor.name());
      Tensor& copy = tensors[name];
      copy.dtype = tensor.dtype();
      copy.values.resize(tensor.elements());
      const Status status = tensor.ReadFloats({copy.values.data(), copy.values.size()});
      if (!status.ok()) throw std::runtime_error(status.message());
      copy.shape = entries[name]["shape"].Numbers<uint64_t>();
    }
  }

  std::string Write() const {
    std::vector<TensorToWrite> list;
    for (const auto& [name, tensor] : tensors) {
      list.push_back({name,
                      {tensor.shape.data(), tensor.shape.size()},
                      {tensor.values.data(), tensor.values.size()},
                      tensor.dtype});
    }
    std::vector<MetadataToWrite> entries;
    for (const auto& [key, value] : metadata) entries.push_back({key, value});
    const auto plan =
        SafetensorsWriter::Plan({list.data(), list.size()}, {entries.data(), entries.size()});
    if (!plan.ok()) throw std::runtime_error(plan.status().message());
    return WriteFile(*plan);
  }

 private:
  static std::string Text(const JsonString& string) {
    std::string text(string.size(), '\0');
    string.CopyTo(Span<char>(text.data(), text.size()));
    return text;
  }
  static uint64_t ReadLength(const std::string& file) {
    uint64_t length = 0;
    for (size_t i = 0; i < 8; ++i) {
      length |= uint64_t{static_cast<unsigned char>(file[i])} << (8 * i);
    }
    return length;
  }
};

}  // namespace heed::test

#endif  // HEED_TESTS_SUPPORT_CHECKPOINT_FILE_H_
