// SPDX-License-Identifier: MIT
// Models as files; the format is described in model/checkpoint_format.h.
#ifndef HEED_MODEL_CHECKPOINT_H_
#define HEED_MODEL_CHECKPOINT_H_

#include <memory>

#include "base/span.h"
#include "base/status.h"
#include "io/safetensors_reader.h"
#include "io/safetensors_writer.h"
#include "model/checkpoint_reader.h"
#include "model/checkpoint_writer.h"
#include "model/model.h"

namespace heed {

// A file of the model's configuration and weights with the caller's own metadata; call Write on the
// result while model and metadata live. Errors: kInvalidArgument (metadata), kNonFinite (a weight),
// kOutOfMemory.
Result<CheckpointWriter> PlanModelCheckpoint(const Model& model,
                                             Span<const MetadataToWrite> metadata);

// The model of a file of either kind; what a run has beyond its model is left aside. Weights are
// allocated only once the file is known to hold them. Errors: kBadData, kOutOfMemory.
Result<std::unique_ptr<Model>> LoadModelCheckpoint(const SafetensorsFile& file);

// Whether an entry belongs to the caller: neither "format" nor under "heed.".
bool IsCallerMetadata(const JsonString& key);

// Parts shared with the checkpoints of runs.
size_t CountModelMetadata();
Status AddModel(const Model& model, CheckpointKind kind, CheckpointWriter* writer);
Result<std::unique_ptr<Model>> ReadModel(CheckpointReader* reader);

}  // namespace heed

#endif  // HEED_MODEL_CHECKPOINT_H_
