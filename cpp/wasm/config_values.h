// SPDX-License-Identifier: MIT
// Configurations as plain numbers: one double a field, in the order of the field list; a named
// value is its index, a flag 0 or 1. The list itself goes out as text, so that nobody keeps a second one.
#ifndef HEED_WASM_CONFIG_VALUES_H_
#define HEED_WASM_CONFIG_VALUES_H_

#include <cstddef>
#include <cstdint>

#include "base/span.h"
#include "base/status.h"
#include "model/config.h"
#include "train/config.h"
#include "train/task.h"

namespace heed {

// The largest number up to which JavaScript numbers are exact integers.
inline constexpr double kExactNumber = 9007199254740991.0;


// A whole number from 0 to `high`, or kInvalidArgument naming it and what was found.
Result<uint64_t> WholeNumber(const char* name, double value, double high);

// A number that a field's type cannot hold (a fraction, a negative, 1e300) is kInvalidArgument; the
// ranges proper are CheckConfig's. `values` has exactly the number of fields.
Status ConfigFromValues(Span<const double> values, ModelConfig* config);
Status ConfigFromValues(Span<const double> values, TrainConfig* config);
Status ConfigFromValues(Span<const double> values, TaskConfig* config);

// values.size is the number of fields.
void ValuesFromConfig(const ModelConfig& config, Span<double> values);
void ValuesFromConfig(const TrainConfig& config, Span<double> values);
void ValuesFromConfig(const TaskConfig& config, Span<double> values);

size_t ModelFieldCount();
size_t TrainFieldCount();
size_t TaskFieldCount();

// One line a field: its name, then "number", "float", "flag", or the names of its values, separated
// by spaces. Returns the length; writes what fits into `text`.
size_t DescribeModelFields(Span<char> text);
size_t DescribeTrainFields(Span<char> text);
size_t DescribeTaskFields(Span<char> text);

}  // namespace heed

#endif  // HEED_WASM_CONFIG_VALUES_H_
