// SPDX-License-Identifier: MIT
// One forward and backward pass of every golden model against PyTorch in float64.
#include <algorithm>
#include <cmath>
#include <vector>

#include "catch2/catch_test_macros.hpp"
#include "catch2/generators/catch_generators.hpp"
#include "catch2/generators/catch_generators_range.hpp"
#include "model/transformer.h"
#include "support/golden_model.h"
#include "support/near.h"

namespace heed::test {
namespace {

// From docs/numerics.md: ten times tighter than what the project promises.
constexpr double kLogitsTolerance = 1e-5;
constexpr double kGradientTolerance = 1e-5;

TEST_CASE("logits, loss and gradients equal PyTorch's", "[golden]") {
  const std::vector<std::string> names = FixtureNames();
  const std::string name = GENERATE_REF(from_range(names));
  CAPTURE(name);
  const Fixture fixture = LoadFixture(name);
  const std::unique_ptr<Model> model = GoldenModel(fixture);
  const ModelConfig& config = model->config();
  const size_t time = config.context, rows = fixture.check.tokens.size(), batch = rows / time;
  const Span<const int32_t> tokens(fixture.check.tokens.data(), rows);
  const Span<const int32_t> targets(fixture.check.targets.data(), rows);

  Transformer transformer;
  REQUIRE(transformer.Init(model.get(), batch, time, PassKind::kTraining).ok());
  transformer.Forward(tokens, batch, time, PassDropout());
  std::vector<float> logits(rows * config.vocab);
  transformer.Logits(Matrix<float>(logits.data(), rows, config.vocab));
  const StoredTensor& expected = fixture.tensors.at("logits");
  const NearResult near = Near("logits", expected.data.data(), logits.data(), logits.size(),
                               {kLogitsTolerance, 0.0}, {batch, time, config.vocab});
  INFO(near.message);
  CHECK(near.ok);

  std::vector<float> floats(model->table().floats(), 0.0f);
  const ModelTensors<float> gradients{&model->table(), {floats.data(), floats.size()}};
  const double scale = 1.0 / static_cast<double>(fixture.check_count);
  const LossSum loss =
      transformer.LossForwardBackward(targets, static_cast<float>(scale), gradients);
  for (size_t layer = config.layers; layer > 0; --layer) {
    transformer.BlockBackward(layer - 1, gradients);
  }
  transformer.EmbedBackward(gradients);
  CHECK(loss.count == fixture.check_count);
  CHECK(std::abs(loss.sum * scale - fixture.check_loss) < kLogitsTolerance);

  double whole = 0.0;
  ForEachNamedTensor(*model, [&](const std::string& tensor, const TensorTable::Entry&) {
    for (const float g : fixture.tensors.at("grad." + tensor).data) whole += double{g} * g;
  });
  whole = std::sqrt(whole);
  ForEachNamedTensor(*model, [&](const std::string& tensor, const TensorTable::Entry& entry) {
    CAPTURE(tensor);
    const L2Error l2 =
        CompareL2(fixture.tensors.at("grad." + tensor), gradients.At(entry).Flat());
    CHECK(l2.error <= kGradientTolerance * std::max(l2.norm, 1e-3 * whole));
  });

  // The loss without gradients is the same sum.
  transformer.Forward(tokens, batch, time, PassDropout());
  CHECK(transformer.Loss(targets, Span<float>()).sum == loss.sum);
}

TEST_CASE("an inference pass gives the bits of a training pass", "[golden]") {
  const std::vector<std::string> names = FixtureNames();
  const std::string name = GENERATE_REF(from_range(names));
  CAPTURE(name);
  const Fixture fixture = LoadFixture(name);
  const std::unique_ptr<Model> model = GoldenModel(fixture);
  const ModelConfig& config = model->config();
  const size_t time = config.context, rows = fixture.check.tokens.size(), batch = rows / time;
  const Span<const int32_t> tokens(fixture.check.tokens.data(), rows);
  std::vector<float> logits[2];
  for (const PassKind kind : {PassKind::kTraining, PassKind::kInference}) {
    Transformer transformer;
    REQUIRE(transformer.Init(model.get(), batch, time, kind).ok());
    transformer.Forward(tokens, batch, time, PassDropout());
    std::vector<float>& out = logits[static_cast<size_t>(kind)];
    out.resize(rows * config.vocab);
    transformer.Logits(Matrix<float>(out.data(), rows, config.vocab));
  }
  CHECK(logits[0] == logits[1]);
}

}  // namespace
}  // namespace heed::test
