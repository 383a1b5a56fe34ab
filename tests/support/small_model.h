// SPDX-License-Identifier: MIT
// A small initialised model and a text for tests that need no particular numbers.
#ifndef HEED_TESTS_SUPPORT_SMALL_MODEL_H_
#define HEED_TESTS_SUPPORT_SMALL_MODEL_H_

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/philox.h"
#include "model/model.h"

namespace heed::test {

inline ModelConfig SmallConfig() {
  ModelConfig config;
  config.vocab = 13;
  config.context = 16;
  config.layers = 2;
  config.heads = 2;
  config.kv_heads = 2;
  config.width = 20;
  config.head_width = 10;
  config.ffn = 24;
  return config;
}

// Matrices ten times the usual size, so that attention is far from uniform and errors show. Norm
// weights stay 1: times ten they would make scores of hundreds, whose rounding alone is 1e-4.
inline std::unique_ptr<Model> MakeModel(const ModelConfig& config, uint64_t seed = 7,
                                        float factor = 10.0f) {
  Result<std::unique_ptr<Model>> made = Model::Create(config);
  if (!made.ok()) throw std::runtime_error(made.status().message());
  (*made)->Initialize(seed);
  for (const TensorTable::Entry& entry : (*made)->table().entries()) {
    if (entry.spec.rank != 2) continue;
    for (float& weight : (*made)->mutable_parameters().Slice(entry.offset, entry.spec.size())) {
      weight *= factor;
    }
  }
  return std::move(*made);
}

inline std::vector<int32_t> RandomTokens(size_t count, uint32_t vocab, uint64_t seed = 3) {
  std::vector<int32_t> tokens(count);
  for (size_t i = 0; i < count; ++i) {
    const PhiloxBlock bits = RandomBits(seed, RandomStream::kBatch, static_cast<uint32_t>(i), 0);
    tokens[i] = static_cast<int32_t>(UniformBelow(bits[0], vocab));
  }
  return tokens;
}

template <typename T>
Span<const T> View(const std::vector<T>& values) {
  return {values.data(), values.size()};
}

}  // namespace heed::test

#endif  // HEED_TESTS_SUPPORT_SMALL_MODEL_H_
