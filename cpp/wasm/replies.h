// SPDX-License-Identifier: MIT
// What the bound functions return: a status code and, when it is kOk, numbers. The message of a
// failure is asked for separately.
#ifndef HEED_WASM_REPLIES_H_
#define HEED_WASM_REPLIES_H_

#include <cstdint>

#include "base/status.h"
#include "train/trainer.h"

namespace heed {

struct HandleReply {
  StatusCode status;
  double handle;
};
struct RunReply {
  StatusCode status;
  double model;
  double trainer;
};
struct BytesReply {
  StatusCode status;
  double pointer;
  double bytes;
};
struct LossReply {
  StatusCode status;
  bool done;
  double loss;    // mean, nats; 0 when nothing counts
  double tokens;  // counted
  double accuracy;   // share of the counted tokens predicted right; 0 when nothing counts
  double exact;      // share of the sequences with every counted token right
  double sequences;  // with at least one counted token
};
// Where a part of a step, or a replay, stands.
struct StageReply {
  StatusCode status;
  bool done;
  double value;  // when done: the step's loss, or its gradient norm
};
// What a trainer trains on.
struct DataReply {
  StatusCode status;
  uint32_t high;  // of the fingerprint
  uint32_t low;
  double time;    // tokens of an example
  bool generated;  // by a task, whose options lie in the scratch area
};
struct TimelineReply {
  StatusCode status;
  double first;
  double last;
};
struct StepReply {
  StatusCode status;
  Trainer::Progress progress;
  double step;
  double loss;
  double learning_rate;
  double gradient_norm;
  double tokens;       // since the run began
  double step_tokens;  // of one step
  double milliseconds;
};
struct TokenReply {
  StatusCode status;
  bool done;
  int32_t token;
};
struct HashReply {
  StatusCode status;
  uint32_t high;
  uint32_t low;
};
struct ForecastReply {
  StatusCode status;
  double parameters;
  double parameter_bytes;
  double gradient_bytes;
  double optimizer_bytes;
  double activation_bytes;
  double total_bytes;
  double flops_per_step;
  double tokens_per_step;
};
struct TraceReply {
  StatusCode status;
  double handle;
  double loss;     // mean over the counted targets, nats
  double counted;  // targets
};
struct MemoryReply {
  double live_handles;
  double bytes_in_use;
  double peak_bytes;
};

}  // namespace heed

#endif  // HEED_WASM_REPLIES_H_
