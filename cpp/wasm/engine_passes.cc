// SPDX-License-Identifier: MIT
// What reads a model's weights. Each pass has memory of its own, so it may run between the stages
// of a training step and sees the weights of the last completed one.
#include <utility>

#include "kernels/reduce.h"
#include "kernels/softmax.h"
#include "model/attention_maps.h"
#include "model/evaluation.h"
#include "model/transformer.h"
#include "wasm/engine.h"

namespace heed {
namespace {

Status NotFinite(const char* what) {
  return Status::Error(StatusCode::kNonFinite,
                       "%s: a value is not finite; a weight is, or a product of weights leaves "
                       "the range of 32-bit floats. Load weights that are finite",
                       what);
}

Result<Transformer> StartPass(const Model& model, Span<const int32_t> tokens) {
  Transformer transformer;
  HEED_RETURN_IF_ERROR(transformer.Init(&model, 1, tokens.size, PassKind::kInference));
  transformer.Forward(tokens, 1, tokens.size, PassDropout());
  return transformer;
}

}  // namespace

Result<Span<const int32_t>> Engine::SequenceTokens(const Model& model, Handle tokens) {
  Result<Span<int32_t>> ids = Elements<int32_t>(tokens, "the tokens");
  if (!ids.ok()) return ids.status();
  const Span<const int32_t> sequence(*ids);
  HEED_RETURN_IF_ERROR(model.CheckTokens(sequence));
  return sequence;
}

Result<Handle> Engine::FinishPass(Handle buffer, const Status& status, const char* what) {
  if (status.ok()) {
    const Span<uint8_t> bytes = *Buffer(buffer);
    if (AllFinite(ConstSpan(reinterpret_cast<const float*>(bytes.data),
                            bytes.size / sizeof(float)))) {
      return buffer;
    }
  }
  Dispose(buffer);
  if (!status.ok()) return status;
  return NotFinite(what);
}

Result<Handle> Engine::Forward(Handle model, Handle tokens) {
  Result<Model*> found = FindModel(model);
  if (!found.ok()) return found.status();
  Result<Span<const int32_t>> sequence = SequenceTokens(**found, tokens);
  if (!sequence.ok()) return sequence.status();
  const uint64_t vocab = (*found)->config().vocab;
  Result<Handle> buffer =
      CreateBuffer(CheckedMul(CheckedMul(sequence->size, vocab), sizeof(float)));
  if (!buffer.ok()) return buffer;
  Result<Transformer> transformer = StartPass(**found, *sequence);
  if (transformer.ok()) {
    float* const logits = reinterpret_cast<float*>(Buffer(*buffer)->data);
    transformer->Logits(Matrix<float>(logits, sequence->size, static_cast<size_t>(vocab)));
  }
  return FinishPass(*buffer, transformer.status(), "the logits");
}

Result<Evaluation> Engine::Loss(Handle model, Handle tokens, Handle targets) {
  return BatchLoss(model, tokens, targets, 1);
}

Result<Evaluation> Engine::BatchLoss(Handle model, Handle tokens, Handle targets,
                                     uint64_t sequences) {
  Result<Model*> found = FindModel(model);
  if (!found.ok()) return found.status();
  Result<Span<int32_t>> ids = Elements<int32_t>(tokens, "the tokens");
  if (!ids.ok()) return ids.status();
  Result<Span<int32_t>> wanted = Elements<int32_t>(targets, "the targets");
  if (!wanted.ok()) return wanted.status();
  if (wanted->size != ids->size) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "there are %zu targets for %zu tokens; give one for each, -1 where none "
                         "counts",
                         wanted->size, ids->size);
  }
  return heed::BatchLoss(**found, static_cast<size_t>(sequences), *ids, *wanted);
}

Result<Handle> Engine::Attention(Handle model, Handle tokens) {
  Result<Model*> found = FindModel(model);
  if (!found.ok()) return found.status();
  Result<Span<const int32_t>> sequence = SequenceTokens(**found, tokens);
  if (!sequence.ok()) return sequence.status();
  const ModelConfig& config = (*found)->config();
  const uint64_t map = CheckedMul(sequence->size, sequence->size);
  const uint64_t floats = CheckedMul(uint64_t{config.layers} * config.heads, map);
  Result<Handle> buffer = CreateBuffer(CheckedMul(floats, sizeof(float)));
  if (!buffer.ok()) return buffer;
  const Span<float> weights(reinterpret_cast<float*>(Buffer(*buffer)->data),
                            static_cast<size_t>(floats));
  return FinishPass(*buffer, AttentionMaps(**found, *sequence, weights), "the attention weights");
}

Result<Handle> Engine::CreateGenerator(Handle model, const SamplingConfig& sampling, Handle text,
                                       uint64_t index) {
  Result<Model*> found = FindModel(model);
  if (!found.ok()) return found.status();
  Result<Span<int32_t>> ids = Elements<int32_t>(text, "the prompt");
  if (!ids.ok()) return ids.status();
  Result<std::unique_ptr<Generator>> generator = Generator::Create(*found, sampling, *ids, index);
  if (!generator.ok()) return generator.status();
  return Add(std::move(*generator), model, "the generator");
}

Result<Generator*> Engine::FindGenerator(Handle generator) {
  Result<std::unique_ptr<Generator>*> found =
      Find<std::unique_ptr<Generator>>(generator, "generator");
  if (!found.ok()) return found.status();
  return (*found)->get();
}

Result<Handle> Engine::ReadPool(Handle generator) {
  Result<Generator*> found = FindGenerator(generator);
  if (!found.ok()) return found.status();
  const Generator& chosen = **found;
  if (chosen.token() < 0) {
    return Status::Error(StatusCode::kBadState,
                         "the generator has not chosen a token yet; advance it first");
  }
  const auto share = [&](int32_t id) {
    return static_cast<float>(double{chosen.probabilities()[static_cast<size_t>(id)]} /
                              chosen.pool().total);
  };
  Span<const int32_t> ids = chosen.pool_ids();
  while (ids.size > 0 && share(ids[ids.size - 1]) == 0.0f) --ids.size;
  Arena arena;
  HEED_RETURN_IF_ERROR(
      arena.Allocate(CheckedMul(chosen.logits().size, sizeof(float)), "the probabilities"));
  const Span<float> softmax = arena.Slice<float>(0, chosen.logits().size);
  Softmax(chosen.logits(), softmax);
  Result<Handle> buffer = CreateBuffer(uint64_t{ids.size} * 3 * sizeof(float));
  if (!buffer.ok()) return buffer;
  auto* const reply_ids = reinterpret_cast<int32_t*>(Buffer(*buffer)->data);
  float* const shares = reinterpret_cast<float*>(reply_ids + ids.size);
  for (size_t i = 0; i < ids.size; ++i) {
    reply_ids[i] = ids[i];
    shares[i] = share(ids[i]);
    shares[ids.size + i] = softmax[static_cast<size_t>(ids[i])];
  }
  return buffer;
}

}  // namespace heed
