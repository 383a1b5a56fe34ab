// SPDX-License-Identifier: MIT
#ifndef HEED_TESTS_REFERENCE_CONFIG_H_
#define HEED_TESTS_REFERENCE_CONFIG_H_

#include <cstddef>

#include "reference/rope.h"

namespace heed::reference {

enum class Norm { kLayer, kRms, kNone };
enum class NormPosition { kPre, kPost };
enum class Position { kLearned, kSinusoidal, kRope, kNone, kAlibi };
enum class FfnActivation { kGeluTanh, kGeluErf, kRelu, kSilu, kSwiglu, kRelu2, kGeglu };

inline bool IsGated(FfnActivation activation) {
  return activation == FfnActivation::kSwiglu || activation == FfnActivation::kGeglu;
}

inline constexpr double kNormEpsilon = 1e-5;

struct ModelConfig {
  size_t vocab = 0;
  size_t context = 0;
  size_t layers = 0;
  size_t heads = 1;
  size_t kv_heads = 1;
  size_t width = 0;
  size_t head_width = 0;
  size_t ffn = 0;  // 0: attention only
  Norm norm = Norm::kLayer;
  NormPosition norm_position = NormPosition::kPre;
  FfnActivation activation = FfnActivation::kGeluTanh;
  Position position = Position::kLearned;
  double rope_base = 10000.0;
  RopeLayout rope_layout = RopeLayout::kHalves;
  bool bias = true;
  bool tied = true;
  double scale = 0.0;    // of q.k; 0: 1 / sqrt(head_width)
  double softcap = 0.0;  // 0: off
  size_t window = 0;     // 0: off
  bool qk_norm = false;
  bool causal = true;
  bool value_projection = true;   // false: V = X
  bool output_projection = true;  // false: the heads side by side
  bool uniform_attention = false;
};

}  // namespace heed::reference

#endif  // HEED_TESTS_REFERENCE_CONFIG_H_
