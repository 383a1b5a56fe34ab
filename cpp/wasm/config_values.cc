// SPDX-License-Identifier: MIT
#include "wasm/config_values.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "wasm/text.h"

namespace heed {
namespace {

template <typename Field>
Status FieldFromValue(const char* name, double value, Field* field) {
  if constexpr (std::is_same_v<Field, double> || std::is_same_v<Field, float>) {
    *field = static_cast<Field>(value);
    return Status();
  } else {
    double high = 0.0;
    if constexpr (std::is_same_v<Field, bool>) {
      high = 1.0;
    } else if constexpr (std::is_enum_v<Field>) {
      high = static_cast<double>(EnumCount<Field>() - 1);
    } else {
      high = std::is_same_v<Field, uint32_t> ? std::numeric_limits<uint32_t>::max() : kExactNumber;
    }
    Result<uint64_t> whole = WholeNumber(name, value, high);
    if (!whole.ok()) return whole.status();
    *field = static_cast<Field>(*whole);
    return Status();
  }
}

// Calls visit(name, field) for each field of any configuration.
template <typename Visitor>
void ForEach(ModelConfig& config, Visitor&& visit) {
  ForEachField(config, visit);
}
template <typename Visitor>
void ForEach(const ModelConfig& config, Visitor&& visit) {
  ForEachField(config, visit);
}
template <typename Visitor>
void ForEach(TrainConfig& config, Visitor&& visit) {
  ForEachTrainField(config, visit);
}
template <typename Visitor>
void ForEach(const TrainConfig& config, Visitor&& visit) {
  ForEachTrainField(config, visit);
}
template <typename Visitor>
void ForEach(TaskConfig& config, Visitor&& visit) {
  ForEachTaskField(config, visit);
}
template <typename Visitor>
void ForEach(const TaskConfig& config, Visitor&& visit) {
  ForEachTaskField(config, visit);
}

template <typename Config>
size_t Count() {
  size_t count = 0;
  const Config config;
  ForEach(config, [&](const char*, const auto&) { ++count; });
  return count;
}

template <typename Config>
Status FromValues(Span<const double> values, Config* config) {
  if (values.size != Count<Config>()) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "a configuration has %zu values, not %zu; use the field list of this "
                         "very build",
                         Count<Config>(), values.size);
  }
  Status status;
  size_t i = 0;
  ForEach(*config, [&](const char* name, auto& field) {
    if (status.ok()) status = FieldFromValue(name, values[i++], &field);
  });
  return status;
}

template <typename Config>
void ToValues(const Config& config, Span<double> values) {
  size_t i = 0;
  ForEach(config, [&](const char*, const auto& field) {
    using Field = std::remove_cvref_t<decltype(field)>;
    if constexpr (std::is_enum_v<Field>) {
      values[i++] = static_cast<double>(static_cast<unsigned>(field));
    } else {
      values[i++] = static_cast<double>(field);
    }
  });
}

template <typename Config>
size_t Describe(Span<char> text) {
  TextWriter writer(text);
  const Config config;
  ForEach(config, [&](const char* name, const auto& field) {
    using Field = std::remove_cvref_t<decltype(field)>;
    writer.Append(name);
    if constexpr (std::is_enum_v<Field>) {
      for (size_t i = 0; i < EnumCount<Field>(); ++i) {
        writer.Append(" ");
        writer.Append(kEnumNames<Field>[i]);
      }
    } else if constexpr (std::is_same_v<Field, bool>) {
      writer.Append(" flag");
    } else {
      writer.Append(std::is_same_v<Field, float> ? " float" : " number");
    }
    writer.Append("\n");
  });
  return writer.length();
}

}  // namespace

Result<uint64_t> WholeNumber(const char* name, double value, double high) {
  if (!(value >= 0.0 && value <= high && value == std::floor(value))) {  // a NaN fails
    return Status::Error(StatusCode::kInvalidArgument,
                         "%s is %.17g; it must be a whole number from 0 to %.0f", name, value,
                         high);
  }
  return static_cast<uint64_t>(value);
}

Status ConfigFromValues(Span<const double> values, ModelConfig* config) {
  return FromValues(values, config);
}
Status ConfigFromValues(Span<const double> values, TrainConfig* config) {
  return FromValues(values, config);
}
Status ConfigFromValues(Span<const double> values, TaskConfig* config) {
  return FromValues(values, config);
}
void ValuesFromConfig(const ModelConfig& config, Span<double> values) { ToValues(config, values); }
void ValuesFromConfig(const TrainConfig& config, Span<double> values) { ToValues(config, values); }
void ValuesFromConfig(const TaskConfig& config, Span<double> values) { ToValues(config, values); }
size_t ModelFieldCount() { return Count<ModelConfig>(); }
size_t TrainFieldCount() { return Count<TrainConfig>(); }
size_t TaskFieldCount() { return Count<TaskConfig>(); }
size_t DescribeModelFields(Span<char> text) { return Describe<ModelConfig>(text); }
size_t DescribeTrainFields(Span<char> text) { return Describe<TrainConfig>(text); }
size_t DescribeTaskFields(Span<char> text) { return Describe<TaskConfig>(text); }

}  // namespace heed
