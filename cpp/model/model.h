// SPDX-License-Identifier: MIT
// A configuration and its weights. Passes over it (training, generation, maps) bring their own memory.
#ifndef HEED_MODEL_MODEL_H_
#define HEED_MODEL_MODEL_H_

#include <cstdint>
#include <memory>

#include "base/arena.h"
#include "base/status.h"
#include "model/config.h"
#include "model/tensors.h"

namespace heed {

class Model {
 public:
  // All weights zero; norm weights too. Errors: kInvalidArgument, kOutOfMemory.
  static Result<std::unique_ptr<Model>> Create(const ModelConfig& config);

  // Draws the initial weights of `seed`. gpt2: normal(0, 0.02); matrices that write into the residual
  // stream 0.02 / sqrt(2 L) (Radford et al. 2019). unit: normal(0, 1 / sqrt(C)) for look-up tables,
  // normal(0, 1 / sqrt(fan-in)) for projections, again with 1 / sqrt(2 L) into the stream. Biases 0,
  // norm weights 1.
  void Initialize(uint64_t seed);

  const ModelConfig& config() const { return config_; }
  const TensorTable& table() const { return table_; }
  // All weights in the table's layout, padding (zeros) included.
  Span<const float> parameters() const { return parameters_; }
  Span<float> mutable_parameters() { return parameters_; }
  ModelTensors<const float> tensors() const { return {&table_, parameters_}; }

  // Number of weights, padding not counted.
  uint64_t parameter_count() const { return table_.parameter_count(); }
  // FNV-1a of all weights in table order.
  uint64_t WeightsHash() const;

  // kBadData naming the position unless 1 <= size <= context and every token is in [0, V).
  Status CheckTokens(Span<const int32_t> tokens) const;
  // The same of any number of tokens.
  Status CheckVocabulary(Span<const int32_t> tokens) const;

 private:
  Model() = default;
  double InitialDeviation(const TensorSpec& spec) const;

  ModelConfig config_;
  TensorTable table_;
  Arena arena_;
  Span<float> parameters_;
};

}  // namespace heed

#endif  // HEED_MODEL_MODEL_H_
