// SPDX-License-Identifier: MIT
// The reference against PyTorch: both compute in double from the same weights, so they agree to
// rounding, and to float rounding where the fixture stores floats.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "support/near.h"
#include "support/reference_config.h"

namespace heed::reference {
namespace {

constexpr double kFloatRounding = 6e-8;  // half a unit in the last place, relative

TEST_CASE("reference model equals PyTorch: logits, loss, gradients", "[reference][golden]") {
  const std::string name = GENERATE(from_range(test::FixtureNames()));
  INFO("fixture " << name);
  const test::Fixture fixture = test::LoadFixture(name);
  const ModelConfig config = test::ReferenceModelConfig(fixture.config);
  const Tensors<double> parameters = test::ReferenceTensors(fixture);
  const size_t rows = fixture.check.tokens.size() / config.context;
  ModelSaved<double> saved;
  const LossSum<double> loss = ModelForward(config, parameters, rows, fixture.check.tokens,
                                            fixture.check.targets, {}, saved);
  CHECK(loss.count == fixture.check_count);
  const double mean = loss.Mean();
  HEED_CHECK_NEAR(test::Near("loss", &fixture.check_loss, &mean, 1, {0.0, 1e-12}));
  const test::StoredTensor& logits = fixture.tensors.at("logits");
  HEED_CHECK_NEAR(test::Near("logits", logits.data.data(), saved.logits.data(),
                             saved.logits.size(), {1e-12, kFloatRounding}, logits.shape));

  Tensors<double> gradients(config);
  ModelBackward(config, parameters, rows, fixture.check.tokens, fixture.check.targets, {}, saved,
                1.0 / static_cast<double>(loss.count), gradients);
  for (const TensorInfo& info : TensorTable(config)) {
    const test::StoredTensor& expected = fixture.tensors.at("grad." + info.name);
    HEED_CHECK_NEAR(test::Near("grad." + info.name, expected.data.data(),
                               gradients.Get(info.name), info.Count(), {1e-13, kFloatRounding},
                               info.shape));
  }
}

TEST_CASE("reference trainer equals PyTorch: 50 losses, norms, final weights",
          "[reference][golden]") {
  const std::string name = GENERATE(from_range(test::FixtureNames()));
  INFO("fixture " << name);
  const test::Fixture fixture = test::LoadFixture(name);
  const ModelConfig config = test::ReferenceModelConfig(fixture.config);
  Trainer trainer(config, test::ReferenceTrainConfig(fixture.train),
                  test::ReferenceTensors(fixture));
  REQUIRE(fixture.losses.size() == fixture.train["steps"].Size());
  std::vector<double> losses, norms;
  for (size_t step = 0; step < fixture.losses.size(); ++step) {
    const StepResult result = trainer.Step(test::ReferenceBatches(fixture, step));
    losses.push_back(result.loss);
    norms.push_back(result.norm);
  }
  HEED_CHECK_NEAR(test::Near("losses", fixture.losses, losses, {0.0, 1e-10}));
  HEED_CHECK_NEAR(test::Near("gradientNorms", fixture.gradient_norms, norms, {0.0, 1e-9}));
  for (const TensorInfo& info : TensorTable(config)) {
    const test::StoredTensor& expected = fixture.tensors.at("final." + info.name);
    HEED_CHECK_NEAR(test::Near("final." + info.name, expected.data.data(),
                               trainer.parameters().Get(info.name), info.Count(),
                               {1e-9, kFloatRounding}, info.shape));
  }
}

}  // namespace
}  // namespace heed::reference
