// SPDX-License-Identifier: MIT
// Runs as files: a model's checkpoint plus all that a bit-for-bit continuation needs. Random
// numbers are functions of (seed, step, place), so there is no generator to save; the batch of a
// step is drawn from its number. The format is described in model/checkpoint_format.h.
#ifndef HEED_TRAIN_RUN_CHECKPOINT_H_
#define HEED_TRAIN_RUN_CHECKPOINT_H_

#include <cstdint>
#include <memory>

#include "base/span.h"
#include "base/status.h"
#include "io/safetensors_reader.h"
#include "io/safetensors_writer.h"
#include "model/checkpoint_writer.h"
#include "model/model.h"
#include "train/trainer.h"

namespace heed {

// A file of the run as of its last completed step; a step under way is neither saved nor disturbed.
// Call Write on the result while trainer and metadata live and before the next Advance. Errors:
// kInvalidArgument (metadata), kNonFinite (a weight or moment), kOutOfMemory.
Result<CheckpointWriter> PlanRunCheckpoint(const Trainer& trainer,
                                           Span<const MetadataToWrite> metadata);

// The trainer points to the model, and goes first.
struct LoadedRun {
  std::unique_ptr<Model> model;
  std::unique_ptr<Trainer> trainer;
};

// The saved run, ready for its next step. `data` must be what it was trained on; nullptr will do for
// a task, which the file names. Errors: kBadData (a file of another kind, other data, damage),
// kInvalidArgument (no data for a run on a text), kOutOfMemory.
Result<LoadedRun> LoadRunCheckpoint(const SafetensorsFile& file, const TrainingData* data);
inline Result<LoadedRun> LoadRunCheckpoint(const SafetensorsFile& file,
                                           Span<const int32_t> tokens, Span<const uint8_t> mask) {
  const TrainingData data = TextData{tokens, mask};
  return LoadRunCheckpoint(file, &data);
}

}  // namespace heed

#endif  // HEED_TRAIN_RUN_CHECKPOINT_H_
