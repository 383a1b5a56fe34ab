// SPDX-License-Identifier: MIT
// The model's parameters by name. Written from the architecture, not from the library's table, so
// that each checks the other.
#ifndef HEED_TESTS_REFERENCE_TENSORS_H_
#define HEED_TESTS_REFERENCE_TENSORS_H_

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "reference/config.h"

namespace heed::reference {

struct TensorInfo {
  std::string name;
  std::vector<size_t> shape;

  size_t Count() const {
    size_t count = 1;
    for (const size_t extent : shape) count *= extent;
    return count;
  }
  bool Decays() const { return shape.size() == 2; }
};

inline std::string LayerName(size_t layer) { return "layers." + std::to_string(layer) + "."; }

// Every tensor of a model, in the order of a checkpoint.
inline std::vector<TensorInfo> TensorTable(const ModelConfig& config) {
  std::vector<TensorInfo> table;
  const size_t C = config.width;
  const auto norm = [&](const std::string& name) {
    if (config.norm == Norm::kNone) return;
    table.push_back({name + ".weight", {C}});
    if (config.norm == Norm::kLayer && config.bias) table.push_back({name + ".bias", {C}});
  };
  const auto linear = [&](const std::string& name, size_t in, size_t out) {
    table.push_back({name + ".weight", {in, out}});
    if (config.bias) table.push_back({name + ".bias", {out}});
  };
  table.push_back({"embed.weight", {config.vocab, C}});
  if (config.position == Position::kLearned) {
    table.push_back({"positions.weight", {config.context, C}});
  }
  for (size_t i = 0; i < config.layers; ++i) {
    const std::string layer = LayerName(i);
    const size_t query_width = config.heads * config.head_width;
    const size_t kv_width = config.kv_heads * config.head_width;
    norm(layer + "norm1");
    if (!config.uniform_attention) {
      linear(layer + "attention.query", C, query_width);
      linear(layer + "attention.key", C, kv_width);
    }
    if (config.qk_norm) {
      table.push_back({layer + "attention.queryNorm.weight", {config.head_width}});
      table.push_back({layer + "attention.keyNorm.weight", {config.head_width}});
    }
    if (config.value_projection) linear(layer + "attention.value", C, kv_width);
    if (config.output_projection) linear(layer + "attention.output", query_width, C);
    if (config.ffn == 0) continue;
    norm(layer + "norm2");
    linear(layer + "ffn.in", C, config.ffn);
    if (IsGated(config.activation)) linear(layer + "ffn.gate", C, config.ffn);
    linear(layer + "ffn.out", config.ffn, C);
  }
  if (config.norm_position == NormPosition::kPre) norm("norm");
  if (!config.tied) table.push_back({"head.weight", {config.vocab, C}});
  return table;
}

// Values by tensor name; also used for gradients and moments.
template <class T>
class Tensors {
 public:
  Tensors() = default;
  explicit Tensors(const ModelConfig& config) {
    for (const TensorInfo& info : TensorTable(config)) {
      values_[info.name].assign(info.Count(), T(0));
    }
  }
  // The same names and values in another scalar type.
  template <class U>
  explicit Tensors(const Tensors<U>& other) {
    for (const auto& [name, value] : other) values_[name].assign(value.begin(), value.end());
  }

  std::vector<T>& operator[](const std::string& name) { return values_[name]; }
  // The tensor's data, or null when the model has none of that name (biases).
  const T* Get(const std::string& name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? nullptr : found->second.data();
  }
  T* Get(const std::string& name) {
    const auto found = values_.find(name);
    return found == values_.end() ? nullptr : found->second.data();
  }

  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }
  auto begin() { return values_.begin(); }
  auto end() { return values_.end(); }

 private:
  std::map<std::string, std::vector<T>> values_;
};

}  // namespace heed::reference

#endif  // HEED_TESTS_REFERENCE_TENSORS_H_
