// SPDX-License-Identifier: MIT
#include "model/generator.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "catch2/catch_test_macros.hpp"
#include "catch2/generators/catch_generators.hpp"
#include "model/transformer.h"
#include "support/near.h"
#include "support/small_model.h"

namespace heed::test {
namespace {

// Logits of the last token by a full forward pass.
std::vector<float> FullLogits(const Model& model, const std::vector<int32_t>& tokens) {
  Transformer transformer;
  REQUIRE(transformer.Init(&model, 1, tokens.size(), PassKind::kInference).ok());
  transformer.Forward(View(tokens), 1, tokens.size(), PassDropout());
  const size_t vocab = model.config().vocab;
  std::vector<float> logits(tokens.size() * vocab);
  transformer.Logits(Matrix<float>(logits.data(), tokens.size(), vocab));
  return {logits.end() - static_cast<std::ptrdiff_t>(vocab), logits.end()};
}

int32_t Next(Generator* generator) {
  for (;;) {
    const Result<bool> done = generator->Advance(0.0);
    REQUIRE(done.ok());
    if (*done) return generator->token();
  }
}

std::unique_ptr<Generator> MakeGenerator(const Model& model, const std::vector<int32_t>& prompt,
                                         const SamplingConfig& sampling = SamplingConfig(),
                                         uint64_t index = 0) {
  Result<std::unique_ptr<Generator>> made =
      Generator::Create(&model, sampling, View(prompt), index);
  INFO(made.status().message());
  REQUIRE(made.ok());
  return std::move(*made);
}

ModelConfig VariantConfig(int variant) {
  ModelConfig config = SmallConfig();
  config.context = 96;  // more than one chunk of the prompt
  switch (variant) {
    case 0:
      break;
    case 1:
      config.position = PositionKind::kRope;
      config.norm = NormKind::kRms;
      config.activation = FeedForwardKind::kSwiglu;
      config.heads = 4;
      config.tied = false;
      break;
    case 2:
      config.position = PositionKind::kSinusoidal;
      config.norm_position = NormPosition::kPost;
      config.bias = true;
      break;
    case 3:
      config.position = PositionKind::kNone;
      config.norm = NormKind::kNone;
      config.ffn = 0;
      break;
    case 4:
      config.layers = 0;
      break;
    case 5:
      config.mask = MaskKind::kNone;
      config.position = PositionKind::kRope;
      break;
    case 6:
      config.position = PositionKind::kAlibi;
      config.heads = config.kv_heads = 3;
      config.softcap = 1.5f;
      break;
    case 7:
      config.window = 5;
      config.qk_norm = true;
      config.position = PositionKind::kRope;
      break;
    default:
      config.heads = config.kv_heads = 2;
      config.value = ValueKind::kIdentity;
      config.out_projection = false;
      config.uniform_attention = true;
      break;
  }
  return config;
}

TEST_CASE("cached decoding gives the logits of a full pass, R068") {
  const int variant = GENERATE(0, 1, 2, 3, 4, 5, 6, 7, 8);
  CAPTURE(variant);
  const ModelConfig config = VariantConfig(variant);
  const std::unique_ptr<Model> model = MakeModel(config, 5, 6.0f);
  const size_t prompt_length = GENERATE(size_t{1}, size_t{63}, size_t{64}, size_t{65});
  std::vector<int32_t> text = RandomTokens(prompt_length, config.vocab);
  const std::unique_ptr<Generator> generator = MakeGenerator(*model, text);
  while (text.size() < config.context) {
    CAPTURE(text.size());
    const std::vector<float> expected = FullLogits(*model, text);
    text.push_back(Next(generator.get()));
    const NearResult near = Near("logits", expected.data(), generator->logits().data,
                                 expected.size(), {1e-5, 1e-5});
    INFO(near.message);
    REQUIRE(near.ok);
  }
}

TEST_CASE("any prompt length gives as many tokens as asked for, R131") {
  const PositionKind position = GENERATE(PositionKind::kLearned, PositionKind::kSinusoidal,
                                         PositionKind::kRope, PositionKind::kNone,
                                         PositionKind::kAlibi);
  ModelConfig config = SmallConfig();
  config.position = position;
  config.context = GENERATE(1u, 2u, 16u);
  const std::unique_ptr<Model> model = MakeModel(config);
  for (const size_t length : {size_t{1}, size_t{16}, size_t{17}, size_t{1000}}) {
    const std::unique_ptr<Generator> generator =
        MakeGenerator(*model, RandomTokens(length, config.vocab));
    for (int i = 0; i < 100; ++i) {
      const int32_t token = Next(generator.get());
      REQUIRE(token >= 0);
      REQUIRE(token < static_cast<int32_t>(config.vocab));
    }
  }
  const Result<std::unique_ptr<Generator>> empty =
      Generator::Create(model.get(), SamplingConfig(), Span<const int32_t>());
  REQUIRE_FALSE(empty.ok());
  CHECK(empty.status().code() == StatusCode::kBadData);
}

TEST_CASE("past the context learned positions go on from the last half of it") {
  const std::unique_ptr<Model> model = MakeModel(SmallConfig());
  std::vector<int32_t> text = RandomTokens(16, 13);
  const std::unique_ptr<Generator> generator = MakeGenerator(*model, text);
  text.push_back(Next(generator.get()));  // token 17, chosen from all 16
  const std::vector<int32_t> window(text.end() - 9, text.end());  // 8 kept and the new one
  Next(generator.get());
  const std::vector<float> expected = FullLogits(*model, window);
  const NearResult near = Near("logits", expected.data(), generator->logits().data,
                               expected.size(), {1e-5, 1e-5});
  INFO(near.message);
  CHECK(near.ok);
}

TEST_CASE("past the context one layer with rope or ALiBi sees exactly the last window") {
  // With one layer, keys and values depend on their own token alone, so that sliding the cache is
  // the same as reading the last `context` tokens anew; rope only knows distances.
  ModelConfig config = SmallConfig();
  config.layers = 1;
  config.position = GENERATE(PositionKind::kRope, PositionKind::kAlibi);
  config.window = GENERATE(0u, 5u);
  const std::unique_ptr<Model> model = MakeModel(config);
  std::vector<int32_t> text = RandomTokens(12, 13);
  const std::unique_ptr<Generator> generator = MakeGenerator(*model, text);
  for (int i = 0; i < 60; ++i) {
    const size_t kept = std::min<size_t>(text.size(), config.context);
    const std::vector<int32_t> window(text.end() - static_cast<std::ptrdiff_t>(kept), text.end());
    const std::vector<float> expected = FullLogits(*model, window);
    text.push_back(Next(generator.get()));
    CAPTURE(text.size());
    const NearResult near = Near("logits", expected.data(), generator->logits().data,
                                 expected.size(), {2e-5, 2e-5});
    INFO(near.message);
    REQUIRE(near.ok);
  }
}

TEST_CASE("the seed fixes the text") {
  const std::unique_ptr<Model> model = MakeModel(SmallConfig());
  std::vector<std::vector<int32_t>> texts;
  for (const uint64_t seed : {4u, 4u, 5u}) {
    SamplingConfig sampling;
    sampling.seed = seed;
    const std::unique_ptr<Generator> generator = MakeGenerator(*model, {1, 2, 3}, sampling);
    std::vector<int32_t> text;
    for (int i = 0; i < 40; ++i) text.push_back(Next(generator.get()));
    texts.push_back(text);
  }
  CHECK(texts[0] == texts[1]);
  CHECK(texts[0] != texts[2]);
}

TEST_CASE("a generator can start at any token of a text, to the bit") {
  const int variant = GENERATE(0, 1, 2, 3, 4, 5, 6, 7, 8);
  ModelConfig config = VariantConfig(variant);
  config.context = GENERATE(1u, 7u, 70u);
  CAPTURE(variant, config.context);
  const std::unique_ptr<Model> model = MakeModel(config);
  SamplingConfig sampling;
  sampling.seed = 5;
  sampling.temperature = 1.5;
  for (const size_t length : {size_t{1}, size_t{7}, size_t{75}}) {
    std::vector<int32_t> text = RandomTokens(length, config.vocab);
    const std::unique_ptr<Generator> whole = MakeGenerator(*model, text, sampling);
    for (uint64_t index = 0; index < 25; ++index) {
      const std::unique_ptr<Generator> one = MakeGenerator(*model, text, sampling, index);
      const int32_t token = Next(whole.get());
      REQUIRE(Next(one.get()) == token);
      REQUIRE(std::equal(one->logits().begin(), one->logits().end(), whole->logits().begin()));
      text.push_back(token);
    }
  }
}

TEST_CASE("an index beyond the text counts draws, and given tokens must be of the vocabulary") {
  const std::unique_ptr<Model> model = MakeModel(SmallConfig());
  SamplingConfig sampling;
  std::vector<int32_t> tokens;
  for (uint64_t index = 2; index < 40; ++index) {
    tokens.push_back(Next(MakeGenerator(*model, {1, 2, 3}, sampling, index).get()));
  }
  CHECK(std::count(tokens.begin(), tokens.end(), tokens[0]) < 38);
  const std::vector<int32_t> outside = {1, 2, 13};
  CHECK(Generator::Create(model.get(), sampling, View(outside), 1).status().code() ==
        StatusCode::kBadData);
}

TEST_CASE("damaged weights give an error instead of a token") {
  const std::unique_ptr<Model> model = MakeModel(SmallConfig());
  model->mutable_parameters()[3] = std::nanf("");
  const std::unique_ptr<Generator> generator = MakeGenerator(*model, {0, 1});
  const Result<bool> done = generator->Advance(1e9);
  REQUIRE_FALSE(done.ok());
  CHECK(done.status().code() == StatusCode::kNonFinite);
}

}  // namespace
}  // namespace heed::test
