// SPDX-License-Identifier: MIT
// Metadata as one run of bytes: for each entry the lengths of key and value (u32, little-endian),
// then the key, then the value, both UTF-8. JavaScript writes such a list and reads one back.
#ifndef HEED_WASM_METADATA_LIST_H_
#define HEED_WASM_METADATA_LIST_H_

#include <cstdint>

#include "base/arena.h"
#include "base/span.h"
#include "base/status.h"
#include "io/safetensors_reader.h"
#include "io/safetensors_writer.h"

namespace heed {

// A list that came in, as the writer takes it. Views of `bytes`, which must outlive it.
class MetadataList {
 public:
  // kInvalidArgument when the bytes are not such a list, kOutOfMemory.
  static Result<MetadataList> Parse(Span<const uint8_t> bytes);
  Span<const MetadataToWrite> entries() const { return entries_; }

 private:
  Arena arena_;
  Span<MetadataToWrite> entries_;
};

// Bytes of the caller's own entries of a file as such a list, and the list itself.
uint64_t CallerMetadataBytes(const SafetensorsFile& file);
void WriteCallerMetadata(const SafetensorsFile& file, Span<uint8_t> out);

}  // namespace heed

#endif  // HEED_WASM_METADATA_LIST_H_
