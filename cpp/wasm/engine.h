// SPDX-License-Identifier: MIT
// The core behind numbers: models, trainers and buffers on handles, every failure a Status. Knows
// nothing of JavaScript, so it is tested natively; bindings.cc adds the names.
#ifndef HEED_WASM_ENGINE_H_
#define HEED_WASM_ENGINE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <variant>

#include "base/arena.h"
#include "base/span.h"
#include "base/status.h"
#include "explain/attention_function.h"
#include "explain/contributions.h"
#include "explain/lens.h"
#include "explain/logit_parts.h"
#include "explain/patch.h"
#include "explain/sweep.h"
#include "explain/trace.h"
#include "io/safetensors_reader.h"
#include "model/checkpoint_writer.h"
#include "model/config.h"
#include "model/generator.h"
#include "model/model.h"
#include "train/config.h"
#include "train/timeline.h"
#include "train/trainer.h"
#include "wasm/handle_table.h"
#include "wasm/metadata_list.h"

namespace heed {

struct EngineForecast {
  TrainerBytes bytes;
  uint64_t parameters = 0;
  double flops_per_step = 0.0;
  double tokens_per_step = 0.0;
};

// Parts of a trace's memory.
enum class TracePart : uint8_t { kValues, kGradients, kParameters, kParameterGradients };

// A run's trainer and the model under it.
struct RunHandles {
  Handle model = 0;
  Handle trainer = 0;
};

// A handle that is dead or names something else is kDisposed or kInvalidArgument in every call.
// Pointers and spans that calls return are good until the next call.
class Engine {
 public:
  // Memory through which arrays come in and go out.
  Result<Handle> CreateBuffer(uint64_t bytes);
  Result<Span<uint8_t>> Buffer(Handle buffer);

  // Frees the object and what depends on it: a model takes its trainers along. False when dead.
  bool Dispose(Handle handle) { return objects_.Remove(handle); }
  size_t live_handles() const { return objects_.live(); }

  // Weights drawn from `seed`.
  Result<Handle> CreateModel(const ModelConfig& config, uint64_t seed);
  Result<Model*> FindModel(Handle model);
  // One line a tensor in canonical order, in a new buffer: name, rank, rows, columns, 1 when it
  // decays or 0, separated by spaces.
  Result<Handle> ListTensors(Handle model);
  // kInvalidArgument when there is no tensor of that name.
  Result<Span<const float>> ReadTensor(Handle model, std::string_view name);
  // values: floats of the tensor's size. A step under way starts anew.
  Status WriteTensor(Handle model, std::string_view name, Handle values);

  // tokens, targets: buffers of int32. kNonFinite when a weight or a value on the way is.
  // Logits (T, V) of one sequence, in a new buffer.
  Result<Handle> Forward(Handle model, Handle tokens);
  // Targets -1 are ignored; the others are in [0, V).
  Result<Evaluation> Loss(Handle model, Handle tokens, Handle targets);
  // The same for `sequences` of equal length in one pass.
  Result<Evaluation> BatchLoss(Handle model, Handle tokens, Handle targets, uint64_t sequences);
  // Attention weights (L, H, T, T) of one sequence, in a new buffer.
  Result<Handle> Attention(Handle model, Handle tokens);

  // Continues a text, a buffer of int32, with token number `index`. The generator dies with its model.
  Result<Handle> CreateGenerator(Handle model, const SamplingConfig& sampling, Handle text,
                                 uint64_t index);
  Result<Generator*> FindGenerator(Handle generator);
  // What the last token was drawn from, in a new buffer, as many of each: ids as int32, likeliest
  // first, their shares of the draw as floats, and their softmax probabilities as floats. Ids whose
  // share is 0 are left out. kBadState before the first token.
  Result<Handle> ReadPool(Handle generator);

  // what_ifs: a buffer of doubles, six each: kind, layer, head, row, column, value. The trace has its
  // own copy of the weights and dies with the model.
  Result<Handle> CreateTrace(Handle model, Handle tokens, Handle targets, Handle what_ifs,
                             bool gradients);
  Result<Trace*> FindTrace(Handle trace);
  // Empty for the gradients of a trace without them.
  Result<Span<const float>> TraceFloats(Handle trace, TracePart part);
  // In a new buffer, a line each, separated by spaces. Matrices: "matrix", layer + 1 (0: of the
  // model), name, rows, columns, number of the HeadLayout, offset in the values, 1 + offset in the
  // gradients or 0. Tensors: "tensor", name, rank, rows, columns, offset. Offsets in floats.
  Result<Handle> ListTrace(Handle trace);
  // New buffers of doubles: squared norm, meaningful (0 or 1), token shares, pair shares;
  Result<Handle> TraceContributions(Handle trace, Projection projection, size_t layer, size_t head);
  // difference, embedding, bias, edges (H T), attention (L), feed-forward (L);
  Result<Handle> TraceLogitParts(Handle trace, const LogitQuestion& question);
  // losses. by: a buffer of doubles.
  Result<Handle> SweepTrace(Handle trace, const WhatIf& score, Handle by);
  Result<Handle> CutTraceEdges(Handle trace, const EdgeRow& at, bool renormalise);
  Result<Handle> CutTraceHeads(Handle trace, size_t layer, bool mean);
  // own difference, the other trace's, those of `count` places from `first` on.
  Result<Handle> PatchTrace(Handle trace, Handle from, const PatchQuestion& question, size_t layer,
                            size_t first, size_t count);
  // A new buffer: probability of the target and entropy as doubles (T each), probabilities as floats
  // and ids as int32 (T top each), ranks as int32 (T).
  Result<Handle> ReadTraceLens(Handle trace, size_t place, size_t top);

  // Attention of the caller's matrices. shape: time, width, head width, value width or 0 for V = X.
  // matrices: a buffer of floats with x, W_Q, W_K and W_V one after the other; visible: a buffer of
  // bytes. The results (q, k, v, scores, weights, out), or with d_out their gradients (q, k, v,
  // scores, weights, x, W_Q, W_K, W_V), in a new buffer of floats, one after the other.
  struct AttentionSizes {
    uint64_t time, width, head_width, value_width;
    float scale;
  };
  Result<Handle> Attend(const AttentionSizes& sizes, Handle matrices, Handle visible);
  Result<Handle> AttendBackward(const AttentionSizes& sizes, Handle matrices, Handle visible,
                                Handle d_out);

  // tokens: a buffer of int32; mask: a buffer of bytes, or 0 when every token counts. Both are
  // copied. The model keeps its weights.
  Result<Handle> CreateTrainer(Handle model, const TrainConfig& config, Handle tokens, Handle mask);
  Result<Handle> CreateTrainer(Handle model, const TrainConfig& config, const TrainingData& data);
  // The same with a new model, whose weights are drawn from config.seed once all memory is there.
  Result<RunHandles> CreateRun(const ModelConfig& model, const TrainConfig& config, Handle tokens,
                               Handle mask);
  Result<RunHandles> CreateRun(const ModelConfig& model, const TrainConfig& config,
                               const TrainingData& data);
  Result<Trainer*> FindTrainer(Handle trainer);
  // Trainer::Continue; the handle stays.
  Status ChangeTrainer(Handle trainer, const TrainConfig& config);

  // Examples as a buffer of int32: for each row its T tokens, then its T targets. A numbered one,
  // and the rows of a step (from 1). kInvalidArgument for a number that there is none of.
  Result<Handle> ReadExample(Handle trainer, Split split, uint64_t number);
  Result<Handle> ReadBatch(Handle trainer, uint64_t step);
  // One line a group in a new buffer: name, parameters, 1 when it is frozen or 0.
  Result<Handle> ListGroups(Handle trainer);
  // names: a buffer of group names as in GroupTable::Mark; 0: all groups, where that is allowed.
  Status SetFrozen(Handle trainer, Handle names);
  Status UpdateGroups(Handle trainer, Handle names);
  Result<Evaluation> TryUpdate(Handle trainer, Handle names);
  // Doubles in a new buffer, three a group: gradient norm, change, predicted change of the loss.
  Result<Handle> ReadReports(Handle trainer);
  Result<Handle> ReadNorms(Handle trainer);

  // A trainer's past; dies with the trainer.
  Result<Handle> CreateTimeline(Handle trainer, uint64_t every, uint64_t max_bytes);
  Result<Timeline*> FindTimeline(Handle timeline);
  // Steps of the snapshots as doubles, in a new buffer.
  Result<Handle> ListSnapshots(Handle timeline);
  // The pair on which the timeline runs steps again; dies with the timeline.
  Result<RunHandles> CreateReplay(Handle timeline);
  Result<RunHandles> Branch(Handle timeline, Handle replay, const TrainConfig& config);
  // Files are buffers, new ones where they are returned; metadata is a buffer with a MetadataList.
  Result<Handle> SaveModel(Handle model, Handle metadata);
  Result<Handle> LoadModel(Handle file);
  Result<Handle> SaveTrainer(Handle trainer, Handle metadata);
  // tokens and mask as for CreateTrainer, and the same as when the run was saved.
  Result<RunHandles> ResumeTrainer(Handle file, Handle tokens, Handle mask);
  // nullptr: a run on a task, which the file names.
  Result<RunHandles> ResumeTrainer(Handle file, const TrainingData* data);
  // The caller's own entries of a file.
  Result<Handle> ReadMetadata(Handle file);

  static Result<EngineForecast> Forecast(const ModelConfig& model, const TrainConfig& config);

 private:
  struct BufferObject {
    Arena arena;
  };
  using Object = std::variant<BufferObject, std::unique_ptr<Model>, std::unique_ptr<Generator>,
                              std::unique_ptr<Trainer>, std::unique_ptr<Timeline>,
                              std::unique_ptr<Trace>>;

  Result<Handle> Add(Object object, Handle parent, const char* what);
  template <typename T>
  Result<T*> Find(Handle handle, const char* what);
  // The buffer's bytes as T, whole elements only.
  template <typename T>
  Result<Span<T>> Elements(Handle buffer, const char* what);
  Result<Span<const int32_t>> SequenceTokens(const Model& model, Handle tokens);
  // The buffer when the pass that filled it with floats went well; frees it otherwise.
  Result<Handle> FinishPass(Handle buffer, const Status& status, const char* what);

  Result<Handle> DoublesBuffer(uint64_t count);
  Span<double> Doubles(Handle buffer);
  Result<AttentionArguments> AttendArguments(const AttentionSizes& sizes, Handle matrices,
                                             Handle visible);

  Result<TrainingData> FindData(Handle tokens, Handle mask);
  Result<RunHandles> AddRun(std::unique_ptr<Model> model, std::unique_ptr<Trainer> trainer,
                            Handle parent = 0);
  Result<Handle> WriteFile(const Result<CheckpointWriter>& plan);
  Result<MetadataList> CallerMetadata(Handle metadata);
  Result<SafetensorsFile> ParseFile(Handle file);

  HandleTable<Object> objects_;
};

template <typename T>
Result<T*> Engine::Find(Handle handle, const char* what) {
  Object* object = objects_.Get(handle);
  if (object == nullptr) {
    return Status::Error(StatusCode::kDisposed,
                         "the %s was disposed; create a new one, or dispose later", what);
  }
  T* found = std::get_if<T>(object);
  if (found == nullptr) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "the handle does not name a %s; pass the one that its creation returned",
                         what);
  }
  return found;
}

template <typename T>
Result<Span<T>> Engine::Elements(Handle buffer, const char* what) {
  Result<Span<uint8_t>> bytes = Buffer(buffer);
  if (!bytes.ok()) return bytes.status();
  if (bytes->size % sizeof(T) != 0) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "%s: %zu bytes are not whole elements of %zu bytes", what, bytes->size,
                         sizeof(T));
  }
  return Span<T>(reinterpret_cast<T*>(bytes->data), bytes->size / sizeof(T));
}

}  // namespace heed

#endif  // HEED_WASM_ENGINE_H_
