// SPDX-License-Identifier: MIT
#ifndef HEED_TRAIN_SPLIT_H_
#define HEED_TRAIN_SPLIT_H_

#include <cstdint>

namespace heed {

// Training steps see the one part of the data only, evaluations either.
enum class Split : uint8_t { kTrain, kValidation };

inline const char* SplitName(Split split) {
  return split == Split::kTrain ? "training" : "validation";
}

}  // namespace heed

#endif  // HEED_TRAIN_SPLIT_H_
