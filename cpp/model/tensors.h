// SPDX-License-Identifier: MIT
// The one table of a model's tensors: order, names, shapes, initial values, decay, groups. Sizes,
// optimizer state, files and listings all walk it.
#ifndef HEED_MODEL_TENSORS_H_
#define HEED_MODEL_TENSORS_H_

#include <cstdint>

#include "base/arena.h"
#include "base/span.h"
#include "base/status.h"
#include "model/config.h"

namespace heed {

enum class TensorRole : uint8_t {
  kEmbed,
  kPositions,
  // per layer, kNorm1Weight to kFfnOutBias
  kNorm1Weight,
  kNorm1Bias,
  kQueryWeight,
  kQueryBias,
  kKeyWeight,
  kKeyBias,
  kQueryNorm,
  kKeyNorm,
  kValueWeight,
  kValueBias,
  kOutputWeight,
  kOutputBias,
  kNorm2Weight,
  kNorm2Bias,
  kFfnInWeight,
  kFfnInBias,
  kFfnGateWeight,
  kFfnGateBias,
  kFfnOutWeight,
  kFfnOutBias,
  // once
  kNormWeight,
  kNormBias,
  kHead,
  kCount,
};

enum class TensorInit : uint8_t { kNormal, kResidual, kZero, kOne };

// What a matrix does, for initial weights that depend on its fan-in.
enum class TensorUse : uint8_t { kLookUp, kProjection };

struct TensorSpec {
  TensorRole role = TensorRole::kEmbed;
  int32_t layer = -1;  // -1: not of a layer
  uint32_t rank = 2;   // 1: shape (cols); 2: shape (rows, cols)
  uint64_t rows = 1;
  uint64_t cols = 0;
  TensorInit init = TensorInit::kNormal;
  TensorUse use = TensorUse::kProjection;
  // Which numbered draw the initial weights come from. Tensors that value, outProjection or
  // uniformAttention leave out are counted, so that models which differ in these alone start alike.
  uint32_t draw = 0;

  uint64_t size() const { return CheckedMul(rows, cols); }
  // Weight decay is for matrices: pulling a norm weight or a bias to zero changes what it is for.
  bool decays() const { return rank == 2; }
};

// Longest name the table can produce, with its zero.
inline constexpr size_t kMaxTensorName = 64;

// Writes the tensor's canonical name, zero-terminated, for example layers.0.attention.query.weight.
void TensorName(const TensorSpec& spec, char (&name)[kMaxTensorName]);

// visit(const TensorSpec&) for every tensor of a configuration, in canonical order.
template <typename Visitor>
void ForEachTensor(const ModelConfig& c, Visitor&& visit) {
  using enum TensorRole;
  const uint64_t width = c.width, ffn = c.ffn;
  const uint64_t queries = uint64_t{c.heads} * c.head_width;
  const uint64_t keys = uint64_t{c.kv_heads} * c.head_width;
  const bool norms = c.norm != NormKind::kNone;
  const bool norm_bias = c.norm == NormKind::kLayer && c.bias;

  uint32_t draw = 0;
  const auto look_up = [&](TensorRole role, uint64_t rows) {
    visit(TensorSpec{role, -1, 2, rows, width, TensorInit::kNormal, TensorUse::kLookUp, draw++});
  };
  const auto vector = [&](bool present, TensorRole role, int32_t layer, uint64_t size,
                          TensorInit init = TensorInit::kZero) {
    if (present) visit(TensorSpec{role, layer, 1, 1, size, init, TensorUse::kProjection, draw++});
  };
  const auto linear = [&](bool present, TensorRole weight, TensorRole bias, int32_t layer,
                          uint64_t rows, uint64_t cols, TensorInit init = TensorInit::kNormal) {
    if (present) visit(TensorSpec{weight, layer, 2, rows, cols, init, TensorUse::kProjection, draw});
    ++draw;
    if (c.bias && present) vector(true, bias, layer, cols);
    if (c.bias && !present) ++draw;
  };

  look_up(kEmbed, c.vocab);
  if (c.position == PositionKind::kLearned) look_up(kPositions, c.context);
  for (int32_t layer = 0; layer < static_cast<int32_t>(c.layers); ++layer) {
    vector(norms, kNorm1Weight, layer, width, TensorInit::kOne);
    vector(norm_bias, kNorm1Bias, layer, width);
    linear(!c.uniform_attention, kQueryWeight, kQueryBias, layer, width, queries);
    linear(!c.uniform_attention, kKeyWeight, kKeyBias, layer, width, keys);
    // Not drawn, and so not counted: a model with them starts like one without.
    for (const TensorRole role : {kQueryNorm, kKeyNorm}) {
      if (c.qk_norm) {
        visit(TensorSpec{role, layer, 1, 1, c.head_width, TensorInit::kOne, TensorUse::kProjection,
                         draw});
      }
    }
    linear(c.value == ValueKind::kLearned, kValueWeight, kValueBias, layer, width, keys);
    linear(c.out_projection, kOutputWeight, kOutputBias, layer, queries, width,
           TensorInit::kResidual);
    if (ffn == 0) continue;
    vector(norms, kNorm2Weight, layer, width, TensorInit::kOne);
    vector(norm_bias, kNorm2Bias, layer, width);
    linear(true, kFfnInWeight, kFfnInBias, layer, width, ffn);
    if (c.gated()) linear(true, kFfnGateWeight, kFfnGateBias, layer, width, ffn);
    linear(true, kFfnOutWeight, kFfnOutBias, layer, ffn, width, TensorInit::kResidual);
  }
  const bool final_norm = norms && c.norm_position == NormPosition::kPre;
  vector(final_norm, kNormWeight, -1, width, TensorInit::kOne);
  vector(final_norm && norm_bias, kNormBias, -1, width);
  if (!c.tied) look_up(kHead, c.vocab);
}

// Where each tensor lies in an arena of floats. Tensors start at multiples of kAlignment bytes; the
// padding between them is zero and stays zero under every update.
class TensorTable {
 public:
  struct Entry {
    TensorSpec spec;
    uint64_t offset = 0;  // floats
  };

  // Errors: kOutOfMemory (the table itself, or sizes beyond 64 bits). The configuration is valid.
  Status Build(const ModelConfig& config);

  Span<const Entry> entries() const { return entries_; }
  // Floats of an arena in this layout.
  uint64_t floats() const { return floats_; }
  // Floats without padding.
  uint64_t parameter_count() const { return parameter_count_; }
  // Entry of a role, or nullptr when the model has none; layer -1 for tensors outside layers.
  const Entry* Find(TensorRole role, int32_t layer = -1) const;
  const Entry* FindByName(const char* name, size_t length) const;

 private:
  Arena arena_;
  Span<Entry> entries_;
  uint64_t floats_ = 0;
  uint64_t parameter_count_ = 0;
  size_t first_layer_ = 0;
  size_t per_layer_ = 0;
  // Position of a role's entry: absolute, or inside its layer's run. kAbsent: not in this model.
  static constexpr uint32_t kAbsent = UINT32_MAX;
  uint32_t position_[static_cast<size_t>(TensorRole::kCount)] = {};
};

// Floats of the parameters of a valid configuration, without allocating: {padded, count}.
struct TensorSizes {
  uint64_t floats = 0;           // with padding; UINT64_MAX when beyond 64 bits
  uint64_t parameter_count = 0;  // without
};
TensorSizes MeasureTensors(const ModelConfig& config);

// A table over one arena of floats: weights, gradients or moments.
template <typename T>
struct ModelTensors {
  const TensorTable* table = nullptr;
  Span<T> floats;

  Matrix<T> At(const TensorTable::Entry& entry) const {
    return Matrix<T>(floats.data + entry.offset, entry.spec.rows, entry.spec.cols);
  }
  // Empty (data null) when the model has no such tensor.
  Matrix<T> matrix(TensorRole role, int32_t layer = -1) const {
    const TensorTable::Entry* entry = table->Find(role, layer);
    return entry == nullptr ? Matrix<T>() : At(*entry);
  }
  Span<T> vector(TensorRole role, int32_t layer = -1) const {
    const TensorTable::Entry* entry = table->Find(role, layer);
    return entry == nullptr ? Span<T>() : Span<T>(floats.data + entry->offset, entry->spec.cols);
  }
};

}  // namespace heed

#endif  // HEED_MODEL_TENSORS_H_
