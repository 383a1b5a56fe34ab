// SPDX-License-Identifier: MIT
#include "explain/what_if.h"

#include <cmath>

namespace heed {
namespace {

Status OutOfRange(size_t index, const char* what, uint32_t value, uint64_t end) {
  return Status::Error(StatusCode::kInvalidArgument,
                       "in whatIf[%zu], %s is %u; it must be a whole number below %llu", index, what,
                       value, static_cast<unsigned long long>(end));
}

Status CheckCell(size_t index, const WhatIf& what_if, uint64_t rows, uint64_t columns,
                 const char* column = "column") {
  if (what_if.row >= rows) return OutOfRange(index, "row", what_if.row, rows);
  if (what_if.column >= columns) return OutOfRange(index, column, what_if.column, columns);
  return Status();
}

Status CheckWeight(size_t index, const WhatIf& what_if, const Model& model) {
  const Span<const TensorTable::Entry> entries = model.table().entries();
  if (what_if.layer >= entries.size) return OutOfRange(index, "tensor", what_if.layer, entries.size);
  const TensorSpec& spec = entries[what_if.layer].spec;
  return CheckCell(index, what_if, spec.rows, spec.cols);
}

Status Check(size_t index, const WhatIf& what_if, const Model& model, size_t time) {
  using enum WhatIfKind;
  const ModelConfig& config = model.config();
  if (what_if.kind >= kCount) {
    return Status::Error(StatusCode::kInvalidArgument, "whatIf[%zu] has the unknown kind %u", index,
                         static_cast<unsigned>(what_if.kind));
  }
  if (!std::isfinite(what_if.value)) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "in whatIf[%zu], the value is not finite as a 32-bit float; give a finite one",
                         index);
  }
  if (what_if.kind == kWeight) return CheckWeight(index, what_if, model);
  if (what_if.layer >= config.layers) return OutOfRange(index, "layer", what_if.layer, config.layers);
  if (what_if.head >= config.heads) return OutOfRange(index, "head", what_if.head, config.heads);
  const bool needs_scores = what_if.kind == kQuery || what_if.kind == kKey ||
                            what_if.kind == kScore || what_if.kind == kAddToScore ||
                            what_if.kind == kScale;
  if (needs_scores && config.uniform_attention) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "whatIf[%zu]: a model with uniformAttention has no queries, keys and "
                         "scores; change its values, edges, heads or weights instead",
                         index);
  }
  switch (what_if.kind) {
    case kQuery:
    case kKey:
    case kValue:
      return CheckCell(index, what_if, time, config.head_width, "channel");
    case kScore:
    case kAddToScore:
    case kCutEdge:
    case kCutEdgeRenormalised:
      return CheckCell(index, what_if, time, time);
    default:
      return Status();
  }
}

}  // namespace

Status CheckWhatIfs(const Model& model, size_t time, Span<const WhatIf> what_ifs) {
  for (size_t i = 0; i < what_ifs.size; ++i) {
    HEED_RETURN_IF_ERROR(Check(i, what_ifs[i], model, time));
  }
  return Status();
}

}  // namespace heed
