// SPDX-License-Identifier: MIT
// Traces and configurations for the tests of explain/.
#ifndef HEED_TESTS_SUPPORT_TRACE_SUPPORT_H_
#define HEED_TESTS_SUPPORT_TRACE_SUPPORT_H_

#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/span.h"
#include "explain/trace.h"
#include "support/small_model.h"

namespace heed::test {

inline std::unique_ptr<Trace> MakeTrace(const Model& model, const std::vector<int32_t>& tokens,
                                        const std::vector<int32_t>& targets,
                                        const std::vector<WhatIf>& what_ifs = {},
                                        bool gradients = true) {
  Result<std::unique_ptr<Trace>> made =
      Trace::Create(model, View(tokens), View(targets), View(what_ifs), gradients);
  if (!made.ok()) throw std::runtime_error(made.status().message());
  return std::move(*made);
}

// All elements of a contiguous matrix.
inline std::vector<float> Values(const Matrix<float>& m) {
  return {m.data, m.data + m.rows * m.cols};
}

// Every option at least once: norms and their place, activations, positions, grouped queries, biases,
// tying, no feed-forward layers, no layers, and the options of the explorer.
inline std::vector<ModelConfig> TraceConfigs() {
  std::vector<ModelConfig> configs;
  const auto add = [&](auto change) {
    ModelConfig config = SmallConfig();
    change(config);
    configs.push_back(config);
  };
  for (const NormKind norm : {NormKind::kLayer, NormKind::kRms, NormKind::kNone}) {
    for (const NormPosition place : {NormPosition::kPre, NormPosition::kPost}) {
      for (const uint32_t ffn : {24u, 0u}) {
        add([&](ModelConfig& c) {
          c.norm = norm;
          c.norm_position = place;
          c.ffn = ffn;
          c.bias = norm != NormKind::kRms;
          c.tied = place == NormPosition::kPre;
        });
      }
    }
  }
  for (size_t i = 0; i < EnumCount<FeedForwardKind>(); ++i) {
    add([&](ModelConfig& c) { c.activation = static_cast<FeedForwardKind>(i); });
  }
  for (size_t i = 0; i < EnumCount<PositionKind>(); ++i) {
    add([&](ModelConfig& c) {
      c.position = static_cast<PositionKind>(i);
      c.heads = 4;
      c.kv_heads = i % 2 == 0 ? 2 : 1;
      c.head_width = 6;
    });
  }
  add([](ModelConfig& c) { c.layers = 0; });
  add([](ModelConfig& c) {
    c.qk_norm = true;
    c.position = PositionKind::kRope;
    c.heads = 4;
    c.kv_heads = 2;
    c.head_width = 6;
  });
  for (const uint32_t window : {0u, 4u}) {
    add([&](ModelConfig& c) {
      c.position = PositionKind::kAlibi;
      c.heads = c.kv_heads = 3;
      c.scale = 0.7f;
      c.softcap = 2.0f;
      c.window = window;
      c.qk_norm = window == 0;
    });
  }
  for (uint32_t bits = 1; bits < 16; ++bits) {
    add([&](ModelConfig& c) {
      c.heads = c.kv_heads = 4;
      c.head_width = c.width / c.heads;
      c.mask = (bits & 1) != 0 ? MaskKind::kNone : MaskKind::kCausal;
      c.value = (bits & 2) != 0 ? ValueKind::kIdentity : ValueKind::kLearned;
      c.out_projection = (bits & 4) == 0;
      c.uniform_attention = (bits & 8) != 0;
      c.bias = bits % 3 == 0;
      c.ffn = 0;
      c.norm = NormKind::kNone;
    });
  }
  return configs;
}

}  // namespace heed::test

#endif  // HEED_TESTS_SUPPORT_TRACE_SUPPORT_H_
