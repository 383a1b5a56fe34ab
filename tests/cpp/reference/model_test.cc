// SPDX-License-Identifier: MIT
// The whole reference model: its gradient against a complex step over many configurations.
#include "reference/model.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "support/gradient_check.h"

namespace heed::reference {
namespace {

using test::Argument;
using test::Complex;
using test::ComplexArguments;

struct Problem {
  ModelConfig config;
  size_t batch = 2;
  std::vector<int32_t> tokens, targets;
  DropoutMasks masks;
  std::vector<TensorInfo> table;
  std::vector<Argument> arguments;  // one a tensor, in table order
  size_t count = 0;

  Complex Loss(const ComplexArguments& point) const {
    Tensors<Complex> parameters;
    for (size_t k = 0; k < table.size(); ++k) parameters[table[k].name] = point[k];
    ModelSaved<Complex> saved;
    return ModelForward(config, parameters, batch, tokens, targets, masks, saved).sum /
           static_cast<double>(count);
  }
};

std::vector<double> Factors(test::Random& random, size_t n, double probability) {
  std::vector<double> factors(n);
  for (double& factor : factors) {
    factor = random.Uniform() < probability ? 0.0 : 1.0 / (1.0 - probability);
  }
  return factors;
}

Problem RandomProblem(test::Random& random, const ModelConfig& config, size_t time,
                      double dropout) {
  Problem problem;
  problem.config = config;
  const size_t N = problem.batch * time;
  problem.tokens = random.Tokens(N, config.vocab);
  problem.targets = random.Tokens(N, config.vocab);
  if (N > 2) problem.targets[1] = -1;
  for (const int32_t target : problem.targets) problem.count += target != -1 ? 1 : 0;
  if (dropout > 0.0) {
    problem.masks.embedding = Factors(random, N * config.width, dropout);
    for (size_t i = 0; i < config.layers; ++i) {
      problem.masks.layers.push_back(
          {Factors(random, problem.batch * config.heads * time * time, dropout),
           Factors(random, N * config.width, dropout),
           Factors(random, N * config.width, dropout)});
    }
  }
  Tensors<double> parameters;
  problem.table = TensorTable(config);
  for (const TensorInfo& info : problem.table) {
    const bool norm_weight = info.shape.size() == 1 && info.name.ends_with(".weight");
    parameters[info.name] =
        random.NormalVector<double>(info.Count(), 0.4, norm_weight ? 1.0 : 0.0);
  }
  ModelSaved<double> saved;
  Tensors<double> gradients(config);
  ModelForward(config, parameters, problem.batch, problem.tokens, problem.targets, problem.masks,
               saved);
  ModelBackward(config, parameters, problem.batch, problem.tokens, problem.targets, problem.masks,
                saved, 1.0 / static_cast<double>(problem.count), gradients);
  for (const TensorInfo& info : problem.table) {
    problem.arguments.push_back({info.name, parameters[info.name], gradients[info.name]});
  }
  return problem;
}

ModelConfig Base() {
  ModelConfig config;
  config.vocab = 5;
  config.context = 4;
  config.layers = 1;
  config.heads = 2;
  config.kv_heads = 2;
  config.width = 5;
  config.head_width = 2;
  config.ffn = 7;
  return config;
}

TEST_CASE("reference model: every gradient element matches a complex step", "[reference][model]") {
  struct Case {
    std::string name;
    ModelConfig config;
    size_t time = 4;
    double dropout = 0.0;
  };
  std::vector<Case> cases;
  const auto add = [&](const std::string& name, auto change) -> Case& {
    cases.push_back({name, Base()});
    change(cases.back().config);
    return cases.back();
  };
  add("gpt", [](ModelConfig&) {});
  add("llama, grouped heads", [](ModelConfig& c) {
    c.norm = Norm::kRms;
    c.activation = FfnActivation::kSwiglu;
    c.position = Position::kRope;
    c.bias = c.tied = false;
    c.kv_heads = 1;
  });
  add("post-norm, sinusoidal", [](ModelConfig& c) {
    c.norm_position = NormPosition::kPost;
    c.position = Position::kSinusoidal;
    c.activation = FfnActivation::kRelu;
  });
  add("post-norm RMS, gated with bias, interleaved RoPE", [](ModelConfig& c) {
    c.norm_position = NormPosition::kPost;
    c.norm = Norm::kRms;
    c.activation = FfnActivation::kSwiglu;
    c.position = Position::kRope;
    c.rope_layout = RopeLayout::kInterleaved;
  });
  add("attention only, nothing else", [](ModelConfig& c) {
    c.layers = 2;
    c.ffn = 0;
    c.norm = Norm::kNone;
    c.position = Position::kNone;
    c.bias = c.tied = false;
  });
  add("dropout everywhere", [](ModelConfig& c) {
    c.activation = FfnActivation::kGeluErf;
  }).dropout = 0.3;
  add("no mask, V = X, no output projection", [](ModelConfig& c) {
    c.causal = c.value_projection = c.output_projection = false;
    c.heads = c.kv_heads = 1;
    c.head_width = c.width;
  });
  add("uniform attention", [](ModelConfig& c) { c.uniform_attention = true; });
  add("no layers", [](ModelConfig& c) { c.layers = 0; });
  add("one token", [](ModelConfig& c) { c.activation = FfnActivation::kSilu; }).time = 1;

  test::Random random(14);
  for (const Case& item : cases) {
    const Problem problem = RandomProblem(random, item.config, item.time, item.dropout);
    INFO(item.name);
    test::CheckGradients(problem.arguments, test::kReferenceGradientError,
                         [&](const ComplexArguments& point) { return problem.Loss(point); });
  }
}

TEST_CASE("reference model: every combination of norm, place, position and activation",
          "[reference][model]") {
  test::Random random(15);
  size_t index = 0;
  for (const Norm norm : {Norm::kLayer, Norm::kRms, Norm::kNone}) {
    for (const NormPosition place : {NormPosition::kPre, NormPosition::kPost}) {
      for (const Position position :
           {Position::kLearned, Position::kSinusoidal, Position::kRope, Position::kNone}) {
        for (const FfnActivation activation :
             {FfnActivation::kGeluTanh, FfnActivation::kGeluErf, FfnActivation::kRelu,
              FfnActivation::kSilu, FfnActivation::kSwiglu, FfnActivation::kRelu2,
              FfnActivation::kGeglu}) {
          ModelConfig config = Base();
          config.layers = 2;
          config.norm = norm;
          config.norm_position = place;
          config.position = position;
          config.activation = activation;
          // The remaining options change from case to case, each at its own pace.
          config.bias = index % 2 == 0;
          config.tied = index % 3 == 0;
          config.kv_heads = index % 5 < 2 ? 1 : 2;
          config.rope_layout = index % 7 < 3 ? RopeLayout::kHalves : RopeLayout::kInterleaved;
          config.ffn = index % 11 == 0 ? 0 : 7;
          const double dropout = index % 4 == 0 ? 0.2 : 0.0;
          const Problem problem =
              RandomProblem(random, config, 1 + random.Below(config.context), dropout);
          INFO("norm " << static_cast<int>(norm) << " place " << static_cast<int>(place)
                       << " position " << static_cast<int>(position) << " activation "
                       << static_cast<int>(activation) << " index " << index);
          test::CheckGradients(problem.arguments, test::kReferenceGradientError,
                               [&](const ComplexArguments& point) { return problem.Loss(point); });
          ++index;
        }
      }
    }
  }
  CHECK(index == 168);
}

TEST_CASE("reference model: later tokens do not reach earlier logits (R069)",
          "[reference][model]") {
  test::Random random(16);
  const ModelConfig config = Base();
  const Problem problem = RandomProblem(random, config, 4, 0.0);
  Tensors<double> parameters;
  for (const Argument& argument : problem.arguments) parameters[argument.name] = argument.value;
  ModelSaved<double> before, after;
  std::vector<int32_t> tokens = problem.tokens;
  ModelForward(config, parameters, 2, tokens, problem.targets, {}, before);
  tokens[3] = (tokens[3] + 1) % 5;  // the last token of the first row
  ModelForward(config, parameters, 2, tokens, problem.targets, {}, after);
  for (size_t n = 0; n < 8; ++n) {
    for (size_t v = 0; v < 5; ++v) {
      INFO("position " << n);
      CHECK((before.logits[n * 5 + v] == after.logits[n * 5 + v]) == (n != 3));
    }
  }
}

}  // namespace
}  // namespace heed::reference
