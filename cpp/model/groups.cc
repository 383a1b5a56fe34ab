// SPDX-License-Identifier: MIT
#include "model/groups.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace heed {
namespace {

GroupKind KindOf(TensorRole role) {
  using enum TensorRole;
  switch (role) {
    case kEmbed:
      return GroupKind::kEmbeddings;
    case kPositions:
      return GroupKind::kPositions;
    case kQueryWeight:
    case kQueryBias:
    case kQueryNorm:
      return GroupKind::kQuery;
    case kKeyWeight:
    case kKeyBias:
    case kKeyNorm:
      return GroupKind::kKey;
    case kValueWeight:
    case kValueBias:
      return GroupKind::kValue;
    case kOutputWeight:
    case kOutputBias:
      return GroupKind::kOutput;
    case kFfnInWeight:
    case kFfnInBias:
    case kFfnGateWeight:
    case kFfnGateBias:
    case kFfnOutWeight:
    case kFfnOutBias:
      return GroupKind::kFeedForward;
    case kNorm1Weight:
    case kNorm1Bias:
    case kNorm2Weight:
    case kNorm2Bias:
      return GroupKind::kNorms;
    case kNormWeight:
    case kNormBias:
      return GroupKind::kNorm;
    case kHead:
    case kCount:
      break;
  }
  return GroupKind::kHead;
}

// The order of the table: what comes before the layers, each layer's kinds, what comes after.
bool Before(const TensorGroup& a, const TensorGroup& b) {
  const auto part = [](const TensorGroup& group) {
    if (group.layer >= 0) return 1;
    return group.kind <= GroupKind::kPositions ? 0 : 2;
  };
  if (part(a) != part(b)) return part(a) < part(b);
  return a.layer != b.layer ? a.layer < b.layer : a.kind < b.kind;
}

}  // namespace

TensorGroup GroupOf(const TensorSpec& spec) {
  return {KindOf(spec.role), spec.layer, spec.size()};
}

void GroupName(const TensorGroup& group, char (&name)[kMaxGroupName]) {
  if (group.layer < 0) {
    std::snprintf(name, sizeof(name), "%s", EnumName(group.kind));
  } else {
    std::snprintf(name, sizeof(name), "layers.%d.%s", static_cast<int>(group.layer),
                  EnumName(group.kind));
  }
}

Status GroupTable::Build(const TensorTable& tensors) {
  const Span<const TensorTable::Entry> entries = tensors.entries();
  ArenaPlan plan;
  const uint64_t groups_at = plan.Add<TensorGroup>(entries.size);
  const uint64_t of_tensor_at = plan.Add<uint32_t>(entries.size);
  HEED_RETURN_IF_ERROR(arena_.Allocate(plan.bytes(), "the table of groups"));
  const auto all = arena_.Slice<TensorGroup>(groups_at, entries.size);
  of_tensor_ = arena_.Slice<uint32_t>(of_tensor_at, entries.size);

  size_t count = 0;
  for (const TensorTable::Entry& entry : entries) {
    const TensorGroup group = GroupOf(entry.spec);
    TensorGroup* const known = std::find(all.begin(), all.begin() + count, group);
    if (known == all.begin() + count) {
      *known = group;
      ++count;
    } else {
      known->parameters += group.parameters;
    }
  }
  groups_ = all.Slice(0, count);
  std::sort(groups_.begin(), groups_.end(), Before);
  for (size_t i = 0; i < entries.size; ++i) {
    const TensorGroup* const found =
        std::find(groups_.begin(), groups_.end(), GroupOf(entries[i].spec));
    of_tensor_[i] = static_cast<uint32_t>(found - groups_.begin());
  }
  return Status();
}

bool GroupTable::MarkOne(std::string_view name, Span<uint8_t> flags) const {
  bool found = false;
  for (size_t i = 0; i < groups_.size; ++i) {
    char full[kMaxGroupName];
    GroupName(groups_[i], full);
    if (name == full || name == EnumName(groups_[i].kind)) {
      flags[i] = 1;
      found = true;
    }
  }
  return found;
}

Status GroupTable::Mark(std::string_view names, Span<uint8_t> flags) const {
  std::fill(flags.begin(), flags.end(), uint8_t{0});
  while (!names.empty()) {
    const size_t end = std::min(names.find('\n'), names.size());
    const std::string_view name = names.substr(0, end);
    names.remove_prefix(std::min(end + 1, names.size()));
    if (MarkOne(name, flags)) continue;
    std::fill(flags.begin(), flags.end(), uint8_t{0});
    return Status::Error(StatusCode::kInvalidArgument,
                         "the model has no group \"%.*s\"; groups() lists its groups, and query, "
                         "key, value, output, feedForward or norms stand for those of all layers",
                         static_cast<int>(std::min<size_t>(name.size(), 60)), name.data());
  }
  return Status();
}

}  // namespace heed
