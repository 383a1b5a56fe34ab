// SPDX-License-Identifier: MIT
#include "wasm/calls.h"

#include "wasm/call_support.h"
#include "wasm/config_values.h"

namespace heed::calls {

HandleReply CreateModel(double seed) {
  ModelConfig config;
  const Status status = ScratchConfig(0, ModelFieldCount(), &config);
  if (!status.ok()) return Reply(Result<Handle>(status));
  const Result<uint64_t> whole = WholeNumber("seed", seed, kExactNumber);
  if (!whole.ok()) return Reply(Result<Handle>(whole.status()));
  return Reply(TheEngine().CreateModel(config, *whole));
}

StatusCode ReadModelConfig(double model) {
  const Result<Model*> found = TheEngine().FindModel(ToHandle(model));
  if (found.ok()) {
    ValuesFromConfig((*found)->config(), ScratchDoubles(0, ModelFieldCount()));
  }
  return Keep(found.status());
}

double ParameterCount(double model) {
  const Result<Model*> found = TheEngine().FindModel(ToHandle(model));
  return found.ok() ? static_cast<double>((*found)->parameter_count()) : 0.0;
}

HandleReply ListTensors(double model) { return Reply(TheEngine().ListTensors(ToHandle(model))); }

BytesReply ReadTensor(double model, uint32_t name_length) {
  return Reply(TheEngine().ReadTensor(ToHandle(model), ScratchText(name_length)));
}

StatusCode WriteTensor(double model, uint32_t name_length, double values) {
  return Keep(TheEngine().WriteTensor(ToHandle(model), ScratchText(name_length),
                                      ToHandle(values)));
}

HashReply WeightsHash(double model) {
  const Result<Model*> found = TheEngine().FindModel(ToHandle(model));
  const StatusCode code = Keep(found.status());
  if (!found.ok()) return {code, 0, 0};
  const uint64_t hash = (*found)->WeightsHash();
  return {code, static_cast<uint32_t>(hash >> 32), static_cast<uint32_t>(hash)};
}

HandleReply Forward(double model, double tokens) {
  return Reply(TheEngine().Forward(ToHandle(model), ToHandle(tokens)));
}

LossReply Loss(double model, double tokens, double targets) {
  return Reply(TheEngine().Loss(ToHandle(model), ToHandle(tokens), ToHandle(targets)), true);
}

LossReply BatchLoss(double model, double tokens, double targets, double sequences) {
  const Result<uint64_t> count = WholeNumber("the number of sequences", sequences, UINT32_MAX);
  if (!count.ok()) return Reply(Result<Evaluation>(count.status()), false);
  return Reply(TheEngine().BatchLoss(ToHandle(model), ToHandle(tokens), ToHandle(targets), *count),
               true);
}

HandleReply Attention(double model, double tokens) {
  return Reply(TheEngine().Attention(ToHandle(model), ToHandle(tokens)));
}

HandleReply SaveModel(double model, double metadata) {
  return Reply(TheEngine().SaveModel(ToHandle(model), ToHandle(metadata)));
}

HandleReply LoadModel(double file) { return Reply(TheEngine().LoadModel(ToHandle(file))); }

HandleReply ReadMetadata(double file) { return Reply(TheEngine().ReadMetadata(ToHandle(file))); }

HandleReply CreateGenerator(double model, double text, double temperature, double top_k,
                            double top_p, double seed, double index) {
  const Result<uint64_t> kept = WholeNumber("topK", top_k, UINT32_MAX);
  if (!kept.ok()) return Reply(Result<Handle>(kept.status()));
  const Result<uint64_t> whole = WholeNumber("seed", seed, kExactNumber);
  if (!whole.ok()) return Reply(Result<Handle>(whole.status()));
  const Result<uint64_t> number = WholeNumber("index", index, kExactNumber);
  if (!number.ok()) return Reply(Result<Handle>(number.status()));
  const SamplingConfig sampling = {temperature, static_cast<uint32_t>(*kept), top_p, *whole};
  return Reply(TheEngine().CreateGenerator(ToHandle(model), sampling, ToHandle(text), *number));
}

TokenReply AdvanceGenerator(double generator, double budget_ms) {
  const Result<Generator*> found = TheEngine().FindGenerator(ToHandle(generator));
  if (!found.ok()) return {Keep(found.status()), false, 0};
  const Result<bool> done = (*found)->Advance(budget_ms);
  if (!done.ok()) return {Keep(done.status()), false, 0};
  return {StatusCode::kOk, *done, *done ? (*found)->token() : 0};
}

HandleReply ReadPool(double generator) { return Reply(TheEngine().ReadPool(ToHandle(generator))); }

}  // namespace heed::calls
