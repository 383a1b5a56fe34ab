// SPDX-License-Identifier: MIT
#include "wasm/metadata_list.h"

#include <cstddef>
#include <new>

#include "io/bytes.h"
#include "model/checkpoint.h"

namespace heed {
namespace {

constexpr size_t kEntryHeader = 2 * sizeof(uint32_t);

// Calls visit(key, value) for each entry; false when the bytes are not a list.
template <typename Visitor>
bool ForEachEntry(Span<const uint8_t> bytes, Visitor&& visit) {
  size_t at = 0;
  while (at < bytes.size) {
    if (bytes.size - at < kEntryHeader) return false;
    const uint64_t key = LoadU32(bytes.data + at);
    const uint64_t value = LoadU32(bytes.data + at + sizeof(uint32_t));
    at += kEntryHeader;
    if (key + value > bytes.size - at) return false;
    const char* const text = reinterpret_cast<const char*>(bytes.data + at);
    visit(std::string_view(text, static_cast<size_t>(key)),
          std::string_view(text + key, static_cast<size_t>(value)));
    at += static_cast<size_t>(key + value);
  }
  return true;
}

template <typename Visitor>
void ForEachCallerEntry(const SafetensorsFile& file, Visitor&& visit) {
  for (size_t i = 0; i < file.metadata_count(); ++i) {
    const SafetensorsMetadata entry = file.Metadata(i);
    if (IsCallerMetadata(entry.key)) visit(entry);
  }
}

}  // namespace

Result<MetadataList> MetadataList::Parse(Span<const uint8_t> bytes) {
  size_t count = 0;
  if (!ForEachEntry(bytes, [&](std::string_view, std::string_view) { ++count; })) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "the metadata list of %zu bytes is malformed; write key and value lengths "
                         "in front of each entry",
                         bytes.size);
  }
  MetadataList list;
  HEED_RETURN_IF_ERROR(list.arena_.Allocate(CheckedMul(count, sizeof(MetadataToWrite)),
                                            "the metadata"));
  list.entries_ = list.arena_.Slice<MetadataToWrite>(0, count);
  size_t i = 0;
  ForEachEntry(bytes, [&](std::string_view key, std::string_view value) {
    new (&list.entries_[i++]) MetadataToWrite{key, value};
  });
  return list;
}

uint64_t CallerMetadataBytes(const SafetensorsFile& file) {
  uint64_t bytes = 0;
  ForEachCallerEntry(file, [&](const SafetensorsMetadata& entry) {
    bytes += kEntryHeader + entry.key.size() + entry.value.size();
  });
  return bytes;
}

void WriteCallerMetadata(const SafetensorsFile& file, Span<uint8_t> out) {
  size_t at = 0;
  ForEachCallerEntry(file, [&](const SafetensorsMetadata& entry) {
    const size_t key = entry.key.size(), value = entry.value.size();
    StoreU32(static_cast<uint32_t>(key), out.data + at);
    StoreU32(static_cast<uint32_t>(value), out.data + at + sizeof(uint32_t));
    at += kEntryHeader;
    char* const text = reinterpret_cast<char*>(out.data + at);
    entry.key.CopyTo(Span<char>(text, key));
    entry.value.CopyTo(Span<char>(text + key, value));
    at += key + value;
  });
}

}  // namespace heed
