// SPDX-License-Identifier: MIT
// The functions that JavaScript calls: handles and numbers in, a status and numbers out. Strings,
// configurations and names pass through a scratch area, larger data through buffers.
#ifndef HEED_WASM_CALLS_H_
#define HEED_WASM_CALLS_H_

#include <cstdint>

#include "base/status.h"
#include "train/split.h"
#include "wasm/replies.h"

namespace heed::calls {

BytesReply Scratch();
// The sentence of the last call that failed, UTF-8.
BytesReply LastMessage();
// These leave their text in the scratch area and return its length.
uint32_t DescribeModel();
uint32_t DescribeTrain();
uint32_t DescribeTask();

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
LossReply BatchLoss(double model, double tokens, double targets, double sequences);
HandleReply Attention(double model, double tokens);
HandleReply SaveModel(double model, double metadata);
HandleReply LoadModel(double file);
HandleReply ReadMetadata(double file);
HandleReply CreateGenerator(double model, double text, double temperature, double top_k,
                            double top_p, double seed, double index);
TokenReply AdvanceGenerator(double generator, double budget_ms);
HandleReply ReadPool(double generator);

// The configuration's values lie in the scratch area.
HandleReply CreateTrainer(double model, double tokens, double mask);
StatusCode ChangeTrainer(double trainer);
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
StatusCode BeginEvaluation(double trainer, Split split, double max_windows);
LossReply AdvanceEvaluation(double trainer, double budget_ms);
// The model's values lie in the scratch area, the training's behind them.
ForecastReply Forecast();

// The training's values lie in the scratch area, the task's behind them.
HandleReply CreateTaskTrainer(double model);
// The model's, the training's and the task's.
RunReply CreateTaskRun();
// `named`: the task's values lie in the scratch area; otherwise the file's own are taken.
RunReply ResumeTaskTrainer(double file, bool named);
DataReply ReadData(double trainer);
// Rows of tokens and targets, as Engine's.
HandleReply ReadExample(double trainer, Split split, double number);
HandleReply ReadBatch(double trainer, double step);

HandleReply ListGroups(double trainer);
// names: a buffer of text, one group a line; 0 stands for all groups in the two below.
StatusCode SetFrozen(double trainer, double names);
StepReply UpdateGroups(double trainer, double names);
LossReply TryUpdate(double trainer, double names);
StageReply AdvanceForward(double trainer, double budget_ms);
StageReply AdvanceBackward(double trainer, double budget_ms);
StatusCode KeepUndo(double trainer);
StatusCode Undo(double trainer);
HandleReply ReadReports(double trainer);
HandleReply ReadNorms(double trainer);

HandleReply CreateTimeline(double trainer, double every, double max_bytes);
TimelineReply ReadTimeline(double timeline);
HandleReply ListSnapshots(double timeline);
RunReply CreateReplay(double timeline);
StageReply AdvanceReplay(double timeline, double replay, double step, double budget_ms);
// The training's values lie in the scratch area.
RunReply Branch(double timeline, double replay);

}  // namespace heed::calls

#endif  // HEED_WASM_CALLS_H_
