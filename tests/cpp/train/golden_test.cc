// SPDX-License-Identifier: MIT
// Fifty training steps of every golden model against PyTorch in float64, through the trainer itself:
// same windows, warm-up, clipping, accumulation and optimizer.
#include <algorithm>
#include <cmath>
#include <vector>

#include "catch2/catch_test_macros.hpp"
#include "catch2/generators/catch_generators.hpp"
#include "catch2/generators/catch_generators_range.hpp"
#include "support/golden_model.h"
#include "train/trainer.h"

namespace heed::test {
namespace {

// From docs/numerics.md.
constexpr double kLossTolerance = 1e-4;
constexpr double kNormTolerance = 1e-3;
constexpr double kFinalTolerance = 1e-4;

TEST_CASE("fifty steps follow PyTorch's losses, norms and weights", "[golden]") {
  const std::vector<std::string> names = FixtureNames();
  const std::string name = GENERATE_REF(from_range(names));
  CAPTURE(name);
  const Fixture fixture = LoadFixture(name);
  const std::unique_ptr<Model> model = GoldenModel(fixture);
  const std::vector<uint8_t> mask(fixture.mask.begin(), fixture.mask.end());
  Result<std::unique_ptr<Trainer>> made =
      Trainer::Create(model.get(), TrainConfigOf(fixture), {fixture.data.data(), fixture.data.size()},
                      {mask.data(), mask.size()});
  REQUIRE(made.ok());
  Trainer& trainer = **made;
  for (size_t step = 0; step < fixture.losses.size(); ++step) {
    CAPTURE(step);
    Result<Trainer::Progress> progress = trainer.Advance(0.0);
    while (progress.ok() && *progress == Trainer::Progress::kWorking) {
      progress = trainer.Advance(0.0);
    }
    REQUIRE(progress.ok());
    REQUIRE(*progress == Trainer::Progress::kStepDone);
    CHECK(std::abs(trainer.metrics().loss - fixture.losses[step]) <= kLossTolerance);
    const double norm = fixture.gradient_norms[step];
    CHECK(std::abs(trainer.metrics().gradient_norm - norm) <= kNormTolerance * norm);
  }
  Result<Trainer::Progress> progress = trainer.Advance(0.0);
  REQUIRE(progress.ok());
  CHECK(*progress == Trainer::Progress::kFinished);

  double whole = 0.0;
  ForEachNamedTensor(*model, [&](const std::string& tensor, const TensorTable::Entry&) {
    for (const float w : fixture.tensors.at("final." + tensor).data) whole += double{w} * w;
  });
  whole = std::sqrt(whole);
  ForEachNamedTensor(*model, [&](const std::string& tensor, const TensorTable::Entry& entry) {
    const std::vector<std::string>& skip = fixture.undetermined;
    if (std::find(skip.begin(), skip.end(), tensor) != skip.end()) return;
    CAPTURE(tensor);
    const L2Error l2 =
        CompareL2(fixture.tensors.at("final." + tensor), model->tensors().At(entry).Flat());
    CHECK(l2.error <= kFinalTolerance * std::max(l2.norm, 1e-3 * whole));
  });
}

}  // namespace
}  // namespace heed::test
