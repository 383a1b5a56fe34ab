// SPDX-License-Identifier: MIT
#include "model/config.h"

#include <cmath>
#include <cstring>
#include <type_traits>

namespace heed {
namespace {

struct Range {
  const char* name;
  uint32_t low;
  uint32_t high;
};

// The upper ends keep every product of two sizes inside 53 bits, so that they are exact in JavaScript
// too; what really fits is for the memory plan to say.
constexpr Range kRanges[] = {
    {"vocab", 1, 1000000},  {"context", 1, 65536},   {"layers", 0, 256},
    {"heads", 1, 1024},     {"kvHeads", 1, 1024},    {"width", 1, 65536},
    {"headWidth", 1, 1024}, {"ffn", 0, 262144},      {"window", 0, 65536},
};

Status CheckRange(const char* name, uint32_t value) {
  for (const Range& range : kRanges) {
    if (std::strcmp(range.name, name) != 0) continue;
    if (value < range.low || value > range.high) {
      return Status::Error(StatusCode::kInvalidArgument,
                           "%s is %u; it must be a whole number from %u to %u", name, value,
                           range.low, range.high);
    }
  }
  return Status();
}

}  // namespace

Activation ModelConfig::pointwise() const {
  switch (activation) {
    case FeedForwardKind::kGeluTanh:
      return Activation::kGeluTanh;
    case FeedForwardKind::kGeluErf:
    case FeedForwardKind::kGeglu:
      return Activation::kGeluErf;
    case FeedForwardKind::kRelu:
      return Activation::kRelu;
    case FeedForwardKind::kRelu2:
      return Activation::kRelu2;
    case FeedForwardKind::kSilu:
    case FeedForwardKind::kSwiglu:
      return Activation::kSilu;
  }
  return Activation::kSilu;
}

float ModelConfig::attention_scale() const {
  if (scale > 0.0f) return scale;
  return static_cast<float>(1.0 / std::sqrt(static_cast<double>(head_width)));
}

namespace {

// Uniform attention has no scores: options of theirs would do nothing.
Status CheckScores(const ModelConfig& c) {
  const struct {
    const char* name;
    float value, highest;
  } numbers[] = {{"scale", c.scale, 1e3f}, {"softcap", c.softcap, 1e6f}};
  for (const auto& number : numbers) {
    if (!(number.value >= 0.0f && number.value <= number.highest)) {
      return Status::Error(StatusCode::kInvalidArgument,
                           "%s is %g; it must be from 0, which leaves it out, to %g", number.name,
                           static_cast<double>(number.value), static_cast<double>(number.highest));
    }
    if (c.uniform_attention && number.value > 0.0f) {
      return Status::Error(StatusCode::kInvalidArgument,
                           "uniformAttention has no scores for %s to change; leave it at 0",
                           number.name);
    }
  }
  if (c.uniform_attention && c.qk_norm) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "uniformAttention has no queries and keys for qkNorm; leave it off");
  }
  if (c.uniform_attention &&
      (c.position == PositionKind::kRope || c.position == PositionKind::kAlibi)) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "uniformAttention has no queries, keys and scores for %s; use position "
                         "learned, sinusoidal or none",
                         EnumName(c.position));
  }
  if (c.window > 0 && c.mask == MaskKind::kNone) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "window is %u, which looks back from each position and needs mask causal; "
                         "without a mask use window 0",
                         c.window);
  }
  return Status();
}

}  // namespace

Status CheckConfig(const ModelConfig& config) {
  Status status;
  ForEachField(config, [&](const char* name, const auto& value) {
    if (!status.ok()) return;
    using Field = std::remove_cvref_t<decltype(value)>;
    if constexpr (std::is_enum_v<Field>) {
      if (!IsEnumValue(value)) {
        status = Status::Error(StatusCode::kInvalidArgument,
                               "%s has the unknown value number %u; see the documented names", name,
                               static_cast<unsigned>(value));
      }
    } else if constexpr (std::is_same_v<Field, uint32_t>) {
      status = CheckRange(name, value);
    }
  });
  HEED_RETURN_IF_ERROR(status);
  if (config.heads % config.kv_heads != 0) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "kvHeads (%u) must divide heads (%u), so that each key head serves the "
                         "same number of query heads",
                         config.kv_heads, config.heads);
  }
  if (config.position == PositionKind::kRope && config.head_width % 2 != 0) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "headWidth is %u; rope turns pairs of channels and needs an even number",
                         config.head_width);
  }
  const uint64_t queries = uint64_t{config.heads} * config.head_width;
  const uint64_t keys = uint64_t{config.kv_heads} * config.head_width;
  if (config.value == ValueKind::kIdentity && keys != config.width) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "value is identity, so the values of all heads side by side (kvHeads x "
                         "headWidth = %llu) must be as wide as the model (width %u); change one of "
                         "them or use value learned",
                         static_cast<unsigned long long>(keys), config.width);
  }
  if (!config.out_projection && queries != config.width) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "without outProjection the heads side by side (heads x headWidth = %llu) "
                         "must be as wide as the model (width %u); change one of them or keep the "
                         "projection",
                         static_cast<unsigned long long>(queries), config.width);
  }
  HEED_RETURN_IF_ERROR(CheckScores(config));
  if (!(config.rope_base > 1.0f && config.rope_base <= 1e9f)) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "ropeBase is %g; it must be above 1 and at most 1e9",
                         static_cast<double>(config.rope_base));
  }
  if (!(config.dropout >= 0.0f && config.dropout < 1.0f)) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "dropout is %g; it must be at least 0 and below 1",
                         static_cast<double>(config.dropout));
  }
  return Status();
}

double TrainingFlops(const ModelConfig& c, double tokens, double time) {
  const double width = c.width, layers = c.layers, ffn = c.ffn;
  const double queries = static_cast<double>(c.heads) * c.head_width;
  const double keys = static_cast<double>(c.kv_heads) * c.head_width;
  const double attention = width * ((c.uniform_attention ? 0.0 : queries + keys) +
                                    (c.value == ValueKind::kIdentity ? 0.0 : keys) +
                                    (c.out_projection ? queries : 0.0));
  const double feed_forward = (c.gated() ? 3.0 : 2.0) * width * ffn;
  const double matrices = layers * (attention + feed_forward) + width * c.vocab;
  const double mixing = c.uniform_attention ? 6.0 : 12.0;
  return tokens * (6.0 * matrices + mixing * layers * queries * time);
}

}  // namespace heed
