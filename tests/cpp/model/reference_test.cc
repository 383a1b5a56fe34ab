// SPDX-License-Identifier: MIT
// The whole model, dropout included, against the double reference (itself held to the complex step):
// every norm and place of it, every activation and position, biases, tying, grouped queries.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "catch2/catch_test_macros.hpp"
#include "kernels/dropout.h"
#include "model/dropout_sites.h"
#include "model/transformer.h"
#include "reference/model.h"
#include "support/gradient_check.h"
#include "support/near.h"
#include "support/random.h"
#include "support/small_model.h"

namespace heed::test {
namespace {

reference::ModelConfig ReferenceOf(const ModelConfig& c) {
  reference::ModelConfig r;
  r.vocab = c.vocab;
  r.context = c.context;
  r.layers = c.layers;
  r.heads = c.heads;
  r.kv_heads = c.kv_heads;
  r.width = c.width;
  r.head_width = c.head_width;
  r.ffn = c.ffn;
  r.norm = c.norm == NormKind::kLayer ? reference::Norm::kLayer
           : c.norm == NormKind::kRms ? reference::Norm::kRms
                                      : reference::Norm::kNone;
  r.norm_position = c.norm_position == NormPosition::kPre ? reference::NormPosition::kPre
                                                          : reference::NormPosition::kPost;
  const reference::FfnActivation activations[] = {
      reference::FfnActivation::kGeluTanh, reference::FfnActivation::kGeluErf,
      reference::FfnActivation::kRelu, reference::FfnActivation::kSilu,
      reference::FfnActivation::kSwiglu, reference::FfnActivation::kRelu2,
      reference::FfnActivation::kGeglu};
  r.activation = activations[static_cast<size_t>(c.activation)];
  const reference::Position positions[] = {
      reference::Position::kLearned, reference::Position::kSinusoidal, reference::Position::kRope,
      reference::Position::kNone, reference::Position::kAlibi};
  r.position = positions[static_cast<size_t>(c.position)];
  r.rope_base = c.rope_base;
  r.rope_layout = c.rope_layout == RopeLayout::kHalves ? reference::RopeLayout::kHalves
                                                       : reference::RopeLayout::kInterleaved;
  r.bias = c.bias;
  r.tied = c.tied;
  r.scale = c.scale;
  r.softcap = c.softcap;
  r.window = c.window;
  r.qk_norm = c.qk_norm;
  r.causal = c.mask == MaskKind::kCausal;
  r.value_projection = c.value == ValueKind::kLearned;
  r.output_projection = c.out_projection;
  r.uniform_attention = c.uniform_attention;
  return r;
}

// Factors of `rows` rows of `cols` elements at one site.
void AppendFactors(const PassDropout& dropout, uint32_t site, size_t rows, size_t cols,
                   std::vector<double>* out) {
  if (dropout.probability == 0.0f) return;
  std::vector<float> row(cols);
  for (size_t r = 0; r < rows; ++r) {
    DropoutFactors({dropout.probability, dropout.key, site}, static_cast<uint32_t>(r), 0,
                   {row.data(), cols});
    out->insert(out->end(), row.begin(), row.end());
  }
}

reference::DropoutMasks MasksOf(const ModelConfig& c, size_t batch, size_t time,
                                const PassDropout& dropout) {
  reference::DropoutMasks masks;
  if (dropout.probability == 0.0f) return masks;
  const size_t rows = batch * time;
  AppendFactors(dropout, kEmbeddingSite, rows, c.width, &masks.embedding);
  for (size_t layer = 0; layer < c.layers; ++layer) {
    reference::DropoutMasks::Layer& m = masks.layers.emplace_back();
    AppendFactors(dropout, AttentionSite(layer), rows, c.width, &m.attention);
    AppendFactors(dropout, FeedForwardSite(layer), rows, c.width, &m.ffn);
    const uint32_t first = FirstWeightsSite(layer, batch, c.heads);
    for (uint32_t head = 0; head < batch * c.heads; ++head) {
      AppendFactors(dropout, first + head, time, time, &m.weights);
    }
  }
  return masks;
}

void CheckAgainstReference(const ModelConfig& config, size_t batch, size_t time) {
  CAPTURE(EnumName(config.norm), EnumName(config.norm_position), EnumName(config.activation),
          EnumName(config.position), config.bias, config.tied, config.dropout, config.ffn);
  const std::unique_ptr<Model> model = MakeModel(config, 11, 8.0f);
  Random random(17);
  for (const TensorTable::Entry& entry : model->table().entries()) {
    if (entry.spec.rank != 1) continue;
    for (float& v : model->mutable_parameters().Slice(entry.offset, entry.spec.size())) {
      v = static_cast<float>(random.Uniform(0.5, 1.5));
    }
  }
  const std::vector<int32_t> tokens = RandomTokens(batch * time, config.vocab);
  std::vector<int32_t> targets = RandomTokens(batch * time, config.vocab, 4);
  targets[1] = -1;
  const PassDropout dropout{config.dropout, 0x123456789ABCDEF};
  const double scale = 1.0 / static_cast<double>(batch * time - 1);

  Transformer transformer;
  REQUIRE(transformer.Init(model.get(), batch, time, PassKind::kTraining).ok());
  std::vector<float> floats(model->table().floats(), 0.0f);
  const ModelTensors<float> gradients{&model->table(), {floats.data(), floats.size()}};
  transformer.Forward(View(tokens), batch, time, dropout);
  const LossSum loss =
      transformer.LossForwardBackward(View(targets), static_cast<float>(scale), gradients);
  for (size_t layer = config.layers; layer > 0; --layer) {
    transformer.BlockBackward(layer - 1, gradients);
  }
  transformer.EmbedBackward(gradients);

  const reference::ModelConfig ref = ReferenceOf(config);
  reference::Tensors<double> parameters(ref), expected(ref);
  const auto each = [&](auto&& visit) {
    for (const TensorTable::Entry& entry : model->table().entries()) {
      char name[kMaxTensorName];
      TensorName(entry.spec, name);
      visit(std::string(name), entry);
    }
  };
  each([&](const std::string& name, const TensorTable::Entry& entry) {
    const ConstSpan values = model->parameters().Slice(entry.offset, entry.spec.size());
    parameters[name].assign(values.begin(), values.end());
  });
  const reference::DropoutMasks masks = MasksOf(config, batch, time, dropout);
  reference::ModelSaved<double> saved;
  const auto reference_loss =
      reference::ModelForward(ref, parameters, batch, tokens, targets, masks, saved);
  reference::ModelBackward(ref, parameters, batch, tokens, targets, masks, saved, scale, expected);

  CHECK(loss.count == batch * time - 1);
  CHECK(std::abs(loss.sum - reference_loss.sum) <= 1e-5 * std::abs(reference_loss.sum));
  double whole = 0.0;
  for (const auto& [name, values] : expected) {
    for (const double g : values) whole += g * g;
  }
  whole = std::sqrt(whole);
  each([&](const std::string& name, const TensorTable::Entry& entry) {
    const std::vector<double>& e = expected[name];
    HEED_CHECK_NEAR(NearL2(name, e.data(), floats.data() + entry.offset, e.size(),
                           kKernelGradientError, 1e-3 * whole));
  });
}

TEST_CASE("the whole model's loss and gradients equal the reference's for every option") {
  std::vector<ModelConfig> configs;
  for (const NormKind norm : {NormKind::kLayer, NormKind::kRms, NormKind::kNone}) {
    for (const NormPosition place : {NormPosition::kPre, NormPosition::kPost}) {
      for (const float dropout : {0.0f, 0.2f}) {
        ModelConfig config = SmallConfig();
        config.norm = norm;
        config.norm_position = place;
        config.dropout = dropout;
        config.bias = norm != NormKind::kRms;
        config.tied = place == NormPosition::kPre;
        configs.push_back(config);
      }
    }
  }
  for (size_t i = 0; i < EnumCount<FeedForwardKind>(); ++i) {
    ModelConfig config = SmallConfig();
    config.activation = static_cast<FeedForwardKind>(i);
    config.bias = i % 2 == 0;
    configs.push_back(config);
  }
  for (size_t i = 0; i < EnumCount<PositionKind>(); ++i) {
    for (const RopeLayout layout : {RopeLayout::kHalves, RopeLayout::kInterleaved}) {
      ModelConfig config = SmallConfig();
      config.position = static_cast<PositionKind>(i);
      config.rope_layout = layout;
      config.heads = 4;
      config.kv_heads = i % 2 == 0 ? 2 : 1;
      config.head_width = 6;
      config.ffn = i == 0 ? 0 : 24;
      config.dropout = i == 2 ? 0.1f : 0.0f;
      configs.push_back(config);
    }
  }
  for (const ModelConfig& config : configs) CheckAgainstReference(config, 2, 11);
}

TEST_CASE("scales, soft caps, windows and ALiBi equal the reference") {
  for (uint32_t bits = 1; bits < 16; ++bits) {
    ModelConfig config = SmallConfig();
    config.heads = 3;  // no power of two: the slopes of ALiBi are of two series
    config.kv_heads = bits % 2 == 0 ? 3 : 1;
    config.scale = (bits & 1) != 0 ? 0.6f : 0.0f;
    config.softcap = (bits & 2) != 0 ? 1.5f : 0.0f;
    config.window = (bits & 4) != 0 ? 3 : 0;
    config.position = (bits & 8) != 0 ? PositionKind::kAlibi : PositionKind::kLearned;
    config.dropout = bits % 5 == 0 ? 0.1f : 0.0f;
    config.qk_norm = bits % 3 == 0;
    CAPTURE(bits);
    CheckAgainstReference(config, 2, 11);
    if (config.window != 0) continue;
    config.mask = MaskKind::kNone;
    CheckAgainstReference(config, 2, 11);
  }
}

TEST_CASE("norms of queries and keys equal the reference") {
  for (uint32_t bits = 0; bits < 4; ++bits) {
    ModelConfig config = SmallConfig();
    config.qk_norm = true;
    config.heads = 4;
    config.kv_heads = (bits & 1) != 0 ? 2 : 4;
    config.head_width = 6;
    config.bias = (bits & 1) != 0;
    config.position = (bits & 2) != 0 ? PositionKind::kRope : PositionKind::kLearned;
    CAPTURE(bits);
    CheckAgainstReference(config, 2, 11);
  }
}

TEST_CASE("no mask, V = X, no output projection and uniform attention equal the reference") {
  for (uint32_t bits = 1; bits < 16; ++bits) {
    ModelConfig config = SmallConfig();
    config.heads = config.kv_heads = 4;
    config.head_width = config.width / config.heads;
    config.mask = (bits & 1) != 0 ? MaskKind::kNone : MaskKind::kCausal;
    config.value = (bits & 2) != 0 ? ValueKind::kIdentity : ValueKind::kLearned;
    config.out_projection = (bits & 4) == 0;
    config.uniform_attention = (bits & 8) != 0;
    config.bias = bits % 3 == 0;
    config.norm = bits % 2 == 0 ? NormKind::kNone : NormKind::kLayer;
    config.ffn = bits % 5 == 0 ? 24 : 0;
    config.dropout = bits % 7 == 0 ? 0.1f : 0.0f;
    CAPTURE(bits);
    CheckAgainstReference(config, 2, 11);
  }
}

TEST_CASE("sequences of one token and of one batch equal the reference") {
  CheckAgainstReference(SmallConfig(), 3, 1);
  CheckAgainstReference(SmallConfig(), 1, 16);
}

TEST_CASE("changing a token changes no logit before it, R069") {
  ModelConfig config = SmallConfig();
  config.context = 64;
  const std::unique_ptr<Model> model = MakeModel(config);
  Transformer transformer;
  REQUIRE(transformer.Init(model.get(), 1, 64, PassKind::kInference).ok());
  std::vector<int32_t> tokens = RandomTokens(64, config.vocab);
  std::vector<float> before(64 * config.vocab), after(64 * config.vocab);
  const auto logits = [&](std::vector<float>* out) {
    transformer.Forward(View(tokens), 1, 64, PassDropout());
    transformer.Logits(Matrix<float>(out->data(), 64, config.vocab));
  };
  logits(&before);
  for (size_t t = 1; t < 64; ++t) {
    const int32_t kept = tokens[t];
    tokens[t] = (kept + 1) % static_cast<int32_t>(config.vocab);
    logits(&after);
    const auto end = static_cast<std::ptrdiff_t>(t * config.vocab);
    CHECK(std::equal(before.begin(), before.begin() + end, after.begin()));
    CHECK_FALSE(std::equal(before.begin() + end, before.end(), after.begin() + end));
    tokens[t] = kept;
  }
}

}  // namespace
}  // namespace heed::test
