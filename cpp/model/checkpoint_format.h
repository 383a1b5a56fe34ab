// SPDX-License-Identifier: MIT
// Names in a checkpoint: a safetensors file whose metadata say what the tensors are, so that
// nothing is guessed from their shapes.
//
//   heed.format             "1"
//   heed.kind               "model" | "run"
//   heed.model.<option>     every option of ModelConfig
//   <tensor>                every tensor of the table, under its canonical name
// and in a run
//   heed.train.<option>     every option of TrainConfig
//   heed.run.step           completed steps
//   heed.run.tokens         tokens seen
//   heed.run.data           fingerprint of tokens and mask, 16 hexadecimal digits; or, in its place,
//   heed.run.task.<option>  every option of TaskConfig
//   heed.run.state          fingerprint of weights and moments, likewise
//   heed.run.frozen.<group>    true, for each group that is frozen
//   heed.run.updates.<tensor>  how many updates it had, where that is not the number of steps
//   optimizer.<slot>.<tensor>  the optimizer's arrays (m and v, or velocity)
//
// Other metadata are the caller's and are carried along; keys that start with "heed." are not for
// callers.
#ifndef HEED_MODEL_CHECKPOINT_FORMAT_H_
#define HEED_MODEL_CHECKPOINT_FORMAT_H_

#include <cstddef>
#include <cstdint>
#include <cstdio>

#include "base/enum_names.h"

namespace heed {

enum class CheckpointKind : uint8_t { kModel, kRun };
template <>
inline constexpr const char* kEnumNames<CheckpointKind>[] = {"model", "run"};

inline constexpr const char* kCheckpointFormat = "1";

inline constexpr const char* kHeedPrefix = "heed.";
inline constexpr const char* kModelPrefix = "heed.model.";
inline constexpr const char* kTrainPrefix = "heed.train.";
inline constexpr const char* kRunPrefix = "heed.run.";
inline constexpr const char* kTaskPrefix = "heed.run.task.";
inline constexpr const char* kFrozenPrefix = "heed.run.frozen.";
inline constexpr const char* kUpdatesPrefix = "heed.run.updates.";
inline constexpr const char* kOptimizerPrefix = "optimizer.";

// A prefix and a name, joined: metadata keys and tensor names.
class CheckpointName {
 public:
  CheckpointName(const char* prefix, const char* name) {
    std::snprintf(text_, sizeof(text_), "%s%s", prefix, name);
  }
  const char* c_str() const { return text_; }

  // The longest is optimizer.velocity. with the longest tensor name.
  static constexpr size_t kCapacity = 96;

 private:
  char text_[kCapacity];
};

}  // namespace heed

#endif  // HEED_MODEL_CHECKPOINT_FORMAT_H_
