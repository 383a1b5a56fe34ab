// SPDX-License-Identifier: MIT
// Tensors in the groups that a reader names: what can be frozen, moved alone and reported on.
#ifndef HEED_MODEL_GROUPS_H_
#define HEED_MODEL_GROUPS_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/arena.h"
#include "base/enum_names.h"
#include "base/span.h"
#include "base/status.h"
#include "model/tensors.h"

namespace heed {

enum class GroupKind : uint8_t {
  kEmbeddings,
  kPositions,
  // per layer, kQuery to kNorms
  kQuery,
  kKey,
  kValue,
  kOutput,
  kFeedForward,
  kNorms,
  // once
  kNorm,
  kHead,
};
template <>
inline constexpr const char* kEnumNames<GroupKind>[] = {
    "embeddings", "positions", "query", "key", "value", "output", "feedForward", "norms", "norm",
    "head"};

struct TensorGroup {
  GroupKind kind = GroupKind::kEmbeddings;
  int32_t layer = -1;  // -1: not of a layer
  uint64_t parameters = 0;

  bool operator==(const TensorGroup& other) const {
    return kind == other.kind && layer == other.layer;
  }
};

// The group of a tensor; a bias belongs to its projection. `parameters` is the tensor's size.
TensorGroup GroupOf(const TensorSpec& spec);

// Longest name of a group, with its zero: layers.255.feedForward.
inline constexpr size_t kMaxGroupName = 32;
// For example "embeddings" or "layers.0.query", zero-terminated.
void GroupName(const TensorGroup& group, char (&name)[kMaxGroupName]);

// The groups of one model, from the embeddings to the head, without those it has no tensor for.
class GroupTable {
 public:
  // kOutOfMemory. The table of tensors must outlive this.
  Status Build(const TensorTable& tensors);

  Span<const TensorGroup> groups() const { return groups_; }
  size_t size() const { return groups_.size; }
  // Group of each of the table's entries, in their order.
  Span<const uint32_t> of_tensor() const { return of_tensor_; }

  // Marks in `flags` (one a group) the groups that `names` lists, one a line: a group's name, or a
  // layer's kind ("query") for that of all layers. kInvalidArgument names what the model lacks;
  // the flags are all 0 then.
  Status Mark(std::string_view names, Span<uint8_t> flags) const;

 private:
  bool MarkOne(std::string_view name, Span<uint8_t> flags) const;

  Arena arena_;
  Span<TensorGroup> groups_;
  Span<uint32_t> of_tensor_;
};

}  // namespace heed

#endif  // HEED_MODEL_GROUPS_H_
