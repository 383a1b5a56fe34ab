// SPDX-License-Identifier: MIT
// The functions that JavaScript calls: handles and numbers in, a status and numbers out. Strings,
// configurations and names pass through a scratch area, larger data through buffers.
#ifndef HEED_WASM_CALLS_H_
#define HEED_WASM_CALLS_H_

#include <cstdint>

#include "base/status.h"
#include "train/dataset.h"
#include "wasm/replies.h"

namespace heed::calls {

BytesReply Scratch();
// The sentence of the last call that failed, UTF-8.
BytesReply LastMessage();
// Both leave their text in the scratch area and return its length.
uint32_t DescribeModel();
uint32_t DescribeTrain();

HandleReply CreateBuffer(double bytes);
BytesReply BufferBytes(double buffer);
// False when the handle is dead already.
bool Dispose(double handle);
MemoryReply Memory();
// Leaves the answers of known_answer.h in the scratch area.
BytesReply RunKnownAnswer();

// The configuration's values lie in the scratch area.
HandleReply CreateModel(double seed);
// Leaves the configuration's values in the scratch area.
StatusCode ReadModelConfig(double model);
double ParameterCount(double model);
HandleReply ListTensors(double model);
// The name lies in the scratch area; the reply's bytes are the tensor itself.
BytesReply ReadTensor(double model, uint32_t name_length);
StatusCode WriteTensor(double model, uint32_t name_length, double values);
HashReply WeightsHash(double model);
HandleReply Forward(double model, double tokens);
LossReply Loss(double model, double tokens, double targets);
HandleReply Attention(double model, double tokens);
HandleReply SaveModel(double model, double metadata);
HandleReply LoadModel(double file);
HandleReply ReadMetadata(double file);
HandleReply CreateGenerator(double model, double prompt, double temperature, double top_k,
                            double top_p, double seed);
TokenReply AdvanceGenerator(double generator, double budget_ms);

// The configuration's values lie in the scratch area.
HandleReply CreateTrainer(double model, double tokens, double mask);
HandleReply SaveTrainer(double trainer, double metadata);
// The model's values lie in the scratch area, the training's behind them.
RunReply CreateRun(double tokens, double mask);
RunReply ResumeTrainer(double file, double tokens, double mask);
// Leaves the configuration's values in the scratch area.
StatusCode ReadTrainConfig(double trainer);
// Where the trainer stands; runs nothing.
StepReply ReadProgress(double trainer);
StepReply AdvanceTrainer(double trainer, double budget_ms);
// Forgets an unfinished step or evaluation.
StatusCode AbandonTrainer(double trainer);
StatusCode ResetTrainer(double trainer);
StatusCode BeginEvaluation(double trainer, Dataset::Split split, double max_windows);
LossReply AdvanceEvaluation(double trainer, double budget_ms);
// The model's values lie in the scratch area, the training's behind them.
ForecastReply Forecast();

}  // namespace heed::calls

#endif  // HEED_WASM_CALLS_H_
