// SPDX-License-Identifier: MIT
// A golden fixture as stored by tests/golden/make_fixtures.py; the format is described in
// tests/golden/README.md. The folder is HEED_GOLDEN_DIR: the environment variable of that name, or
// else the compile definition.
#ifndef HEED_TESTS_SUPPORT_FIXTURE_H_
#define HEED_TESTS_SUPPORT_FIXTURE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/json.h"
#include "support/safetensors_file.h"

namespace heed::test {

// tokens and targets are (B, T) row-major; a target of -1 does not count.
struct Batch {
  std::vector<int32_t> tokens;
  std::vector<int32_t> targets;
};

struct Fixture {
  std::string name;
  Json config;  // ModelConfig by its canonical keys
  Json train;   // TrainConfig likewise
  Batch check;  // batch of `logits`, `check_loss` and the gradients
  double check_loss = 0.0;
  size_t check_count = 0;
  std::vector<std::string> undetermined;  // parameters whose final value is not compared
  std::vector<double> losses;             // of each step, before its update
  std::vector<double> gradient_norms;     // of each step, before clipping
  StoredTensors tensors;  // PARAMETER, "logits", "grad.PARAMETER", "final.PARAMETER"

  // Micro-batch `micro` of step `step`: train.batch windows of config.context tokens.
  Batch At(size_t step, size_t micro) const {
    const size_t rows = train["batch"].Size();
    const size_t context = config["context"].Size();
    Batch batch;
    for (size_t row = micro * rows; row < (micro + 1) * rows; ++row) {
      const size_t start = offsets.at(step).at(row);
      for (size_t t = 0; t < context; ++t) {
        const size_t next = start + t + 1;
        batch.tokens.push_back(data.at(start + t));
        batch.targets.push_back(mask.empty() || mask.at(next) != 0 ? data.at(next) : -1);
      }
    }
    return batch;
  }

  std::vector<int32_t> data;
  std::vector<int32_t> mask;
  std::vector<std::vector<size_t>> offsets;
};

inline std::string GoldenDir() {
  if (const char* dir = std::getenv("HEED_GOLDEN_DIR")) return dir;
#ifdef HEED_GOLDEN_DIR
  return HEED_GOLDEN_DIR;
#else
  throw std::runtime_error("set HEED_GOLDEN_DIR to the folder tests/golden");
#endif
}

inline std::vector<std::string> FixtureNames() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(GoldenDir())) {
    if (entry.path().extension() == ".safetensors") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  if (names.empty()) throw std::runtime_error("no fixtures in " + GoldenDir());
  return names;
}

inline Fixture LoadFixture(const std::string& name) {
  const std::string path = GoldenDir() + "/" + name;
  const Json json = Json::Parse(ReadFile(path + ".json"));
  if (json["format"].String() != "heed-golden-1") {
    throw std::runtime_error(path + ".json: format is not heed-golden-1");
  }
  Fixture fixture;
  fixture.name = name;
  fixture.config = json["config"];
  fixture.train = json["train"];
  fixture.data = json["data"].Numbers<int32_t>();
  fixture.mask = json["mask"].Numbers<int32_t>();
  for (const Json& row : json["offsets"].Array()) {
    fixture.offsets.push_back(row.Numbers<size_t>());
  }
  const Json& check = json["check"];
  const auto flatten = [](const Json& rows) {
    std::vector<int32_t> flat;
    for (const Json& row : rows.Array()) {
      for (const int32_t id : row.Numbers<int32_t>()) flat.push_back(id);
    }
    return flat;
  };
  fixture.check = {flatten(check["tokens"]), flatten(check["targets"])};
  fixture.check_loss = check["loss"].Number();
  fixture.check_count = check["count"].Size();
  for (const Json& item : json["undetermined"].Array()) {
    fixture.undetermined.push_back(item.String());
  }
  fixture.losses = json["losses"].Numbers<double>();
  fixture.gradient_norms = json["gradientNorms"].Numbers<double>();
  fixture.tensors = ReadSafetensors(path + ".safetensors");
  return fixture;
}

}  // namespace heed::test

#endif  // HEED_TESTS_SUPPORT_FIXTURE_H_
