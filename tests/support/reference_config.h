// SPDX-License-Identifier: MIT
// A fixture's configuration, batches and weights in the reference's types.
#ifndef HEED_TESTS_SUPPORT_REFERENCE_CONFIG_H_
#define HEED_TESTS_SUPPORT_REFERENCE_CONFIG_H_

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "reference/model.h"
#include "reference/trainer.h"
#include "support/fixture.h"

namespace heed::test {

// The option whose name is the JSON string.
template <class Enum, size_t N>
Enum Choose(const Json& value, const std::array<std::pair<const char*, Enum>, N>& options) {
  for (const auto& [name, option] : options) {
    if (value.String() == name) return option;
  }
  throw std::runtime_error("unknown option '" + value.String() + "'");
}

inline reference::ModelConfig ReferenceModelConfig(const Json& json) {
  using namespace reference;
  ModelConfig config;
  config.vocab = json["vocab"].Size();
  config.context = json["context"].Size();
  config.layers = json["layers"].Size();
  config.heads = json["heads"].Size();
  config.kv_heads = json["kvHeads"].Size();
  config.width = json["width"].Size();
  config.head_width = json["headWidth"].Size();
  config.ffn = json["ffn"].Size();
  config.norm = Choose(json["norm"], std::array{std::pair{"layer", Norm::kLayer},
                                                std::pair{"rms", Norm::kRms},
                                                std::pair{"none", Norm::kNone}});
  config.norm_position = Choose(
      json["normPosition"],
      std::array{std::pair{"pre", NormPosition::kPre}, std::pair{"post", NormPosition::kPost}});
  config.activation = Choose(json["activation"],
                             std::array{std::pair{"geluTanh", FfnActivation::kGeluTanh},
                                        std::pair{"geluErf", FfnActivation::kGeluErf},
                                        std::pair{"relu", FfnActivation::kRelu},
                                        std::pair{"silu", FfnActivation::kSilu},
                                        std::pair{"swiglu", FfnActivation::kSwiglu},
                                        std::pair{"relu2", FfnActivation::kRelu2},
                                        std::pair{"geglu", FfnActivation::kGeglu}});
  config.position = Choose(json["position"],
                           std::array{std::pair{"learned", Position::kLearned},
                                      std::pair{"sinusoidal", Position::kSinusoidal},
                                      std::pair{"rope", Position::kRope},
                                      std::pair{"none", Position::kNone},
                                      std::pair{"alibi", Position::kAlibi}});
  config.rope_base = json["ropeBase"].Number();
  config.rope_layout = Choose(json["ropeLayout"],
                              std::array{std::pair{"halves", RopeLayout::kHalves},
                                         std::pair{"interleaved", RopeLayout::kInterleaved}});
  config.scale = json["scale"].Number();
  config.softcap = json["softcap"].Number();
  config.window = json["window"].Size();
  config.qk_norm = json["qkNorm"].Bool();
  config.causal = json["mask"].String() == "causal";
  config.value_projection = json["value"].String() == "learned";
  config.output_projection = json["outProjection"].Bool();
  config.uniform_attention = json["uniformAttention"].Bool();
  config.bias = json["bias"].Bool();
  config.tied = json["tied"].Bool();
  return config;
}

inline reference::TrainConfig ReferenceTrainConfig(const Json& json) {
  using namespace reference;
  TrainConfig config;
  config.optimizer = Choose(json["optimizer"], std::array{std::pair{"adamw", OptimizerKind::kAdamW},
                                                          std::pair{"sgd", OptimizerKind::kSgd},
                                                          std::pair{"lion", OptimizerKind::kLion},
                                                          std::pair{"muon", OptimizerKind::kMuon}});
  config.schedule.kind = Choose(json["schedule"],
                                std::array{std::pair{"constant", ScheduleKind::kConstant},
                                           std::pair{"cosine", ScheduleKind::kCosine},
                                           std::pair{"linear", ScheduleKind::kLinear},
                                           std::pair{"wsd", ScheduleKind::kWsd}});
  config.schedule.learning_rate = json["learningRate"].Number();
  config.schedule.min_learning_rate = json["minLearningRate"].Number();
  config.schedule.warmup = json["warmup"].Size();
  config.schedule.steps = json["steps"].Size();
  if (json.Has("decayFraction")) {
    config.schedule.decay_fraction = json["decayFraction"].Number();
  }
  config.beta1 = json["beta1"].Number();
  config.beta2 = json["beta2"].Number();
  config.epsilon = json["epsilon"].Number();
  config.weight_decay = json["weightDecay"].Number();
  config.momentum = json["momentum"].Number();
  config.clip = json["clip"].Number();
  config.label_smoothing = json["labelSmoothing"].Number();
  return config;
}

// Tensors of a model named PREFIX + tensor name in the fixture's file.
inline reference::Tensors<double> ReferenceTensors(const Fixture& fixture,
                                                   const std::string& prefix = "") {
  const reference::ModelConfig config = ReferenceModelConfig(fixture.config);
  reference::Tensors<double> tensors;
  for (const reference::TensorInfo& info : reference::TensorTable(config)) {
    const auto stored = fixture.tensors.find(prefix + info.name);
    if (stored == fixture.tensors.end()) {
      throw std::runtime_error(fixture.name + " has no tensor " + prefix + info.name);
    }
    if (stored->second.shape != info.shape) {
      throw std::runtime_error(fixture.name + ": " + prefix + info.name + " has another shape");
    }
    tensors[info.name].assign(stored->second.data.begin(), stored->second.data.end());
  }
  return tensors;
}

// The micro-batches of one step.
inline std::vector<reference::MicroBatch> ReferenceBatches(const Fixture& fixture, size_t step) {
  std::vector<reference::MicroBatch> batches;
  for (size_t micro = 0; micro < fixture.train["accumulation"].Size(); ++micro) {
    Batch batch = fixture.At(step, micro);
    batches.push_back(
        {fixture.train["batch"].Size(), std::move(batch.tokens), std::move(batch.targets)});
  }
  return batches;
}

}  // namespace heed::test

#endif  // HEED_TESTS_SUPPORT_REFERENCE_CONFIG_H_
