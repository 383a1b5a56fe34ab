// SPDX-License-Identifier: MIT
// What a model is. ForEachField is the one list of options: checks, files and the boundary walk it.
#ifndef HEED_MODEL_CONFIG_H_
#define HEED_MODEL_CONFIG_H_

#include <cstdint>

#include "base/enum_names.h"
#include "base/status.h"
#include "kernels/activation.h"
#include "kernels/rope.h"
#include "layers/norm.h"

namespace heed {

enum class NormPosition : uint8_t { kPre, kPost };
enum class FeedForwardKind : uint8_t {
  kGeluTanh,
  kGeluErf,
  kRelu,
  kSilu,
  kSwiglu,
  kRelu2,
  kGeglu,  // gated by GELU (erf)
};
enum class PositionKind : uint8_t { kLearned, kSinusoidal, kRope, kNone, kAlibi };
enum class MaskKind : uint8_t { kCausal, kNone };
enum class ValueKind : uint8_t { kLearned, kIdentity };
// Scale of the initial weights. gpt2: normal(0, 0.02), residual projections smaller (Radford et al.
// 2019). unit: every vector of the model starts near length 1, for tiny models with frozen parts.
enum class InitKind : uint8_t { kGpt2, kUnit };

template <>
inline constexpr const char* kEnumNames<NormKind>[] = {"layer", "rms", "none"};
template <>
inline constexpr const char* kEnumNames<NormPosition>[] = {"pre", "post"};
template <>
inline constexpr const char* kEnumNames<FeedForwardKind>[] = {
    "geluTanh", "geluErf", "relu", "silu", "swiglu", "relu2", "geglu"};
template <>
inline constexpr const char* kEnumNames<PositionKind>[] = {"learned", "sinusoidal", "rope", "none",
                                                             "alibi"};
template <>
inline constexpr const char* kEnumNames<RopeLayout>[] = {"halves", "interleaved"};
template <>
inline constexpr const char* kEnumNames<MaskKind>[] = {"causal", "none"};
template <>
inline constexpr const char* kEnumNames<ValueKind>[] = {"learned", "identity"};
template <>
inline constexpr const char* kEnumNames<InitKind>[] = {"gpt2", "unit"};

struct ModelConfig {
  uint32_t vocab = 0;       // V
  uint32_t context = 64;    // longest T
  uint32_t layers = 4;      // L
  uint32_t heads = 4;       // H
  uint32_t kv_heads = 4;    // Hk, divides H
  uint32_t width = 128;     // C
  uint32_t head_width = 32;  // D
  uint32_t ffn = 512;       // F; 0 leaves the feed-forward layers out
  NormKind norm = NormKind::kLayer;
  NormPosition norm_position = NormPosition::kPre;
  FeedForwardKind activation = FeedForwardKind::kGeluErf;
  PositionKind position = PositionKind::kLearned;
  float rope_base = 10000.0f;
  RopeLayout rope_layout = RopeLayout::kHalves;
  bool bias = false;
  bool tied = true;
  float dropout = 0.0f;
  float scale = 0.0f;    // of q.k; 0 is 1 / sqrt(head_width)
  float softcap = 0.0f;  // c: scores become c tanh(score / c); 0 leaves them
  uint32_t window = 0;   // keys that a query sees, its own included; 0 is all of them
  bool qk_norm = false;  // layers/query_key_norm.h
  MaskKind mask = MaskKind::kCausal;          // none: every position sees every other
  ValueKind value = ValueKind::kLearned;      // identity: V = X, no value projection
  bool out_projection = true;                 // false: the heads side by side are the output
  bool uniform_attention = false;             // weights 1 / (visible keys), no queries and keys
  InitKind init = InitKind::kGpt2;

  bool gated() const {
    return activation == FeedForwardKind::kSwiglu || activation == FeedForwardKind::kGeglu;
  }
  Activation pointwise() const;
  float attention_scale() const;
};

// visit(name, field&) for each option under its public name. Field types: uint32_t, float, bool and
// the enumerations above.
template <typename Config, typename Visitor>
void ForEachField(Config& config, Visitor&& visit) {
  visit("vocab", config.vocab);
  visit("context", config.context);
  visit("layers", config.layers);
  visit("heads", config.heads);
  visit("kvHeads", config.kv_heads);
  visit("width", config.width);
  visit("headWidth", config.head_width);
  visit("ffn", config.ffn);
  visit("norm", config.norm);
  visit("normPosition", config.norm_position);
  visit("activation", config.activation);
  visit("position", config.position);
  visit("ropeBase", config.rope_base);
  visit("ropeLayout", config.rope_layout);
  visit("bias", config.bias);
  visit("tied", config.tied);
  visit("dropout", config.dropout);
  visit("scale", config.scale);
  visit("softcap", config.softcap);
  visit("window", config.window);
  visit("qkNorm", config.qk_norm);
  visit("mask", config.mask);
  visit("value", config.value);
  visit("outProjection", config.out_projection);
  visit("uniformAttention", config.uniform_attention);
  visit("init", config.init);
}

// kInvalidArgument naming the option, its value, the range and what to do.
Status CheckConfig(const ModelConfig& config);

// FLOPs of one training step over `tokens` tokens of `time`-long sequences: 6 per weight-matrix
// parameter and token (head counted also when tied, embedding and position look-ups not) plus
// 12 L H D T per token for the scores and the weighted sum (6 for the sum alone with uniform
// attention), without a discount for the causal half.
double TrainingFlops(const ModelConfig& config, double tokens, double time);

}  // namespace heed

#endif  // HEED_MODEL_CONFIG_H_
