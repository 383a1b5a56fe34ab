// SPDX-License-Identifier: MIT
// Heed's own model and configurations made from a golden fixture.
#ifndef HEED_TESTS_SUPPORT_GOLDEN_MODEL_H_
#define HEED_TESTS_SUPPORT_GOLDEN_MODEL_H_

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "model/config.h"
#include "model/model.h"
#include "support/fixture.h"
#include "train/config.h"

namespace heed::test {

// Visitor for ForEachField and ForEachTrainField: sets each option from a JSON object. One that is
// younger than the fixture keeps its default, with which the fixture was made.
struct SetFromJson {
  const Json& json;
  template <typename Field>
  void operator()(const char* name, Field& field) const {
    if (!json.Has(name)) return;
    const Json& value = json[name];
    if constexpr (std::is_same_v<Field, bool>) {
      field = value.Bool();
    } else if constexpr (std::is_enum_v<Field>) {
      const std::string& text = value.String();
      if (!ParseEnum(text.c_str(), text.size(), &field)) {
        throw std::runtime_error(std::string(name) + ": no value is called " + text);
      }
    } else {
      field = static_cast<Field>(value.Number());
    }
  }
};

inline ModelConfig ModelConfigOf(const Fixture& fixture) {
  ModelConfig config;
  ForEachField(config, SetFromJson{fixture.config});
  return config;
}

inline TrainConfig TrainConfigOf(const Fixture& fixture) {
  TrainConfig config;
  ForEachTrainField(config, SetFromJson{fixture.train});
  return config;
}

// visit(name, entry) for every tensor of a model.
template <typename Visitor>
void ForEachNamedTensor(const Model& model, Visitor&& visit) {
  for (const TensorTable::Entry& entry : model.table().entries()) {
    char name[kMaxTensorName];
    TensorName(entry.spec, name);
    visit(std::string(name), entry);
  }
}

inline std::unique_ptr<Model> GoldenModel(const Fixture& fixture) {
  Result<std::unique_ptr<Model>> made = Model::Create(ModelConfigOf(fixture));
  if (!made.ok()) throw std::runtime_error(made.status().message());
  std::unique_ptr<Model> model = std::move(*made);
  ForEachNamedTensor(*model, [&](const std::string& name, const TensorTable::Entry& entry) {
    const StoredTensor& stored = fixture.tensors.at(name);
    if (stored.data.size() != entry.spec.size()) {
      throw std::runtime_error(name + ": the fixture has another size");
    }
    std::copy(stored.data.begin(), stored.data.end(),
              model->mutable_parameters().data + entry.offset);
  });
  return model;
}

// L2 norm of the difference to, and of, the stored tensor.
struct L2Error {
  double error = 0.0;
  double norm = 0.0;
};
inline L2Error CompareL2(const StoredTensor& expected, Span<const float> actual) {
  L2Error sums;
  for (size_t i = 0; i < expected.data.size(); ++i) {
    const double e = expected.data[i], d = double{actual[i]} - e;
    sums.error += d * d;
    sums.norm += e * e;
  }
  return {std::sqrt(sums.error), std::sqrt(sums.norm)};
}

}  // namespace heed::test

#endif  // HEED_TESTS_SUPPORT_GOLDEN_MODEL_H_
