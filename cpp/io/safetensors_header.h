// SPDX-License-Identifier: MIT
// The grammar of a safetensors header, and all that can be checked one entry at a time. What takes
// several entries (unique names, tensors that tile the data) is checked by ParseSafetensors.
#ifndef HEED_IO_SAFETENSORS_HEADER_H_
#define HEED_IO_SAFETENSORS_HEADER_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/status.h"
#include "io/dtype.h"
#include "io/json_scanner.h"

namespace heed {

inline constexpr std::string_view kSafetensorsMetadataName = "__metadata__";

// One tensor's entry: positions in the header, not copies. An entry takes at least 50 bytes of
// header text (`"":{"dtype":"U8","shape":[],"data_offsets":[0,1]},`), so 32 bytes of record and 4
// of name index never outgrow the header.
struct TensorRecord {
  uint64_t begin = 0;  // of the data section, bytes
  uint64_t end = 0;
  uint32_t name_at = 0;   // where the name's opening quote stands
  uint32_t shape_at = 0;  // just after the shape's opening bracket
  uint32_t rank = 0;
  DType dtype = DType::kF32;
};
static_assert(sizeof(TensorRecord) == 32);

struct HeaderCounts {
  size_t tensors = 0;
  size_t metadata = 0;
};

// Reads `header` (shorter than 2^32 bytes). Tensors are numbered in the order of the header;
// records and the positions of metadata keys are stored where the pointers are not null, so one run
// counts and a second one fills. `data_bytes` is the size of the data section. kBadData names the
// entry and the key, what was expected and what was found.
Status ScanSafetensorsHeader(std::string_view header, uint64_t data_bytes, TensorRecord* tensors,
                             uint32_t* metadata, HeaderCounts* counts);

}  // namespace heed

#endif  // HEED_IO_SAFETENSORS_HEADER_H_
