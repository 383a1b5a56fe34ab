// SPDX-License-Identifier: MIT
#include "model/generator.h"

#include <algorithm>
#include <new>

#include "base/clock.h"
#include "kernels/elementwise.h"
#include "layers/embedding.h"
#include "layers/head.h"
#include "model/attention_shape.h"
#include "model/parameter_views.h"

namespace heed {
namespace {

using enum TensorRole;

// Prompt tokens read at a time: enough rows for full GEMM tiles, few enough to stop between chunks.
constexpr uint32_t kChunk = 64;

// Without a mask every token changes what the others see: all are read at once.
uint64_t ChunkRows(const ModelConfig& c) {
  return c.mask == MaskKind::kNone ? c.context : std::min(c.context, kChunk);
}

uint64_t ScratchFloats(const ModelConfig& c, uint64_t chunk) {
  uint64_t floats =
      std::max(AttentionLayerScratchFloats(1, c.context, c.width, c.heads, c.kv_heads,
                                           c.head_width),
               HeadScratchFloats(1, c.width, c.vocab));
  if (c.ffn > 0) {
    floats = std::max({floats, LinearScratchFloats(chunk, c.width, c.ffn),
                       LinearScratchFloats(chunk, c.ffn, c.width)});
  }
  return floats;
}

}  // namespace

Generator::Buffers Generator::Plan(const ModelConfig& c, uint64_t given, Planner* planner) {
  const uint64_t chunk = ChunkRows(c);
  const uint64_t queries = uint64_t{c.heads} * c.head_width;
  const uint64_t keys = uint64_t{c.kv_heads} * c.head_width;
  Buffers b;
  b.caches = planner->Take<KeyValueCache>(c.layers);
  for (uint32_t layer = 0; layer < c.layers; ++layer) {
    const KeyValueCache cache = {planner->Floats(c.context, keys),
                                 planner->Floats(c.context, keys)};
    if (!planner->measuring()) b.caches[layer] = cache;
  }
  b.history = planner->Take<int32_t>(c.context);
  b.given = planner->Take<int32_t>(given);
  b.x = planner->Floats(chunk, c.width);
  b.normed = planner->Floats(chunk, c.width);
  b.branch = planner->Floats(chunk, c.width);
  b.q = planner->Floats(chunk, queries);
  b.mixed = planner->Floats(chunk, queries);
  if (c.ffn > 0) {
    b.ffn.in = planner->Floats(chunk, c.ffn);
    if (c.gated()) b.ffn.gate = planner->Floats(chunk, c.ffn);
    b.ffn.hidden = planner->Floats(chunk, c.ffn);
  }
  b.norm.mean = planner->Floats(chunk);
  b.norm.rstd = planner->Floats(chunk);
  if (c.position == PositionKind::kRope) {
    b.rope_cosines = planner->Floats(chunk, c.head_width / 2);
    b.rope_sines = planner->Floats(chunk, c.head_width / 2);
  } else if (c.position == PositionKind::kSinusoidal) {
    b.sinusoids = planner->Floats(c.context, c.width);
  }
  b.logits = planner->Floats(c.vocab);
  b.probabilities = planner->Floats(c.vocab);
  b.order = planner->Take<int32_t>(c.vocab);
  b.scratch = planner->Floats(ScratchFloats(c, chunk));
  return b;
}

Result<std::unique_ptr<Generator>> Generator::Create(const Model* model,
                                                     const SamplingConfig& sampling,
                                                     Span<const int32_t> text,
                                                     uint64_t index) {
  HEED_RETURN_IF_ERROR(CheckSampling(sampling));
  if (text.empty()) {
    return Status::Error(StatusCode::kBadData,
                         "the prompt is empty; give at least one token to continue from");
  }
  const ModelConfig& config = model->config();
  const auto chosen = static_cast<size_t>(std::min<uint64_t>(index, text.size - 1));
  const size_t kept = std::min<size_t>(text.size - chosen, config.context);
  text = text.Slice(text.size - chosen - kept, kept + chosen);
  HEED_RETURN_IF_ERROR(model->CheckVocabulary(text));
  const Span<const int32_t> prompt = text.Slice(0, kept), given = text.Slice(kept, chosen);

  std::unique_ptr<Generator> generator(new (std::nothrow) Generator());
  if (generator == nullptr) {
    return Status::Error(StatusCode::kOutOfMemory,
                         "the generator: no memory left; dispose something");
  }
  Planner measure;
  Plan(config, chosen, &measure);
  HEED_RETURN_IF_ERROR(
      generator->arena_.Allocate(measure.bytes(), "the keys and values of generation"));
  Planner planner(&generator->arena_);
  generator->buffers_ = Plan(config, chosen, &planner);
  generator->model_ = model;
  generator->sampling_ = sampling;
  const Matrix<float> sinusoids = generator->buffers_.sinusoids;
  if (sinusoids.rows > 0) FillSinusoidalPositions(sinusoids);
  std::copy(prompt.begin(), prompt.end(), generator->buffers_.history.begin());
  std::copy(given.begin(), given.end(), generator->buffers_.given.begin());
  generator->length_ = kept;
  generator->draws_ = index;
  return generator;
}

bool Generator::slides() const {
  const PositionKind position = model_->config().position;
  return position == PositionKind::kRope || position == PositionKind::kAlibi ||
         position == PositionKind::kNone;
}

Result<bool> Generator::Advance(double budget_ms) {
  const double start = NowMs();
  for (;;) {
    while (read_ < length_ && !WillReadAnew()) {
      ReadChunk();
      const bool ready = read_ == length_ && given_ == buffers_.given.size;
      if (!ready && NowMs() - start >= budget_ms) return false;
    }
    if (given_ == buffers_.given.size) break;
    Append(buffers_.given[given_++]);
  }
  const Result<SamplingPool> pool =
      PoolOf(sampling_, buffers_.logits, buffers_.probabilities, buffers_.order);
  if (!pool.ok()) return pool.status();
  pool_ = *pool;
  token_ = DrawToken(sampling_, draws_, pool_, buffers_.probabilities, buffers_.order);
  ++draws_;
  Append(token_);
  return true;
}

bool Generator::WillReadAnew() const {
  const ModelConfig& config = model_->config();
  const size_t left = buffers_.given.size - given_;
  if (config.mask == MaskKind::kNone) return left > 0;
  return !slides() && left > config.context - length_;
}

void Generator::Append(int32_t token) {
  const size_t context = model_->config().context;
  const Span<int32_t> history = buffers_.history;
  if (length_ == context) {
    // A sliding cache forgets one token; positions that end with the context are given up down to
    // their last half, which is then read anew. With a context of 1 nothing is kept.
    const size_t kept = slides() ? context - 1 : context / 2;
    std::copy(history.end() - kept, history.end(), history.begin());
    length_ = kept;
    read_ = slides() ? kept : 0;
    if (!slides()) position_ = 0;
  }
  history[length_++] = token;
  if (model_->config().mask == MaskKind::kNone) {
    read_ = 0;
    position_ = 0;
  }
}

void Generator::ReadChunk() {
  const ModelConfig& config = model_->config();
  const ModelTensors<const float> weights = model_->tensors();
  const size_t context = config.context;
  // Once the ring is full a chunk would overwrite keys its first rows still need: one at a time.
  const size_t rows =
      position_ >= context ? 1 : std::min<size_t>(length_ - read_, buffers_.x.rows);
  const Span<const int32_t> tokens = buffers_.history.Slice(read_, rows);
  const auto cache_row = static_cast<size_t>(position_ % context);
  const auto keys = static_cast<size_t>(std::min<uint64_t>(position_ + rows, context));

  ConstMatrix positions;
  if (config.position == PositionKind::kLearned) {
    positions = weights.matrix(kPositions).Rows(cache_row, rows);
  } else if (config.position == PositionKind::kSinusoidal) {
    positions = buffers_.sinusoids.Rows(cache_row, rows);
  } else if (config.position == PositionKind::kRope) {
    FillRopeTables(config.rope_base, buffers_.rope_cosines.Rows(0, rows),
                   buffers_.rope_sines.Rows(0, rows), position_);
  }
  EmbeddingLayerForward(tokens, rows, weights.matrix(kEmbed), positions, buffers_.x.Rows(0, rows));
  for (size_t layer = 0; layer < config.layers; ++layer) ReadBlock(layer, rows, cache_row, keys);
  read_ += rows;
  position_ += rows;
  if (read_ == length_ && given_ == buffers_.given.size) ReadLogits(rows - 1);
}

void Generator::ReadBlock(size_t layer, size_t rows, size_t cache_row, size_t keys) {
  const ModelConfig& config = model_->config();
  const ModelTensors<const float> weights = model_->tensors();
  const auto l = static_cast<int32_t>(layer);
  const bool norms = config.norm != NormKind::kNone;
  const bool pre = norms && config.norm_position == NormPosition::kPre;
  const Matrix<float> x = buffers_.x.Rows(0, rows), normed = buffers_.normed.Rows(0, rows);
  const Matrix<float> branch = buffers_.branch.Rows(0, rows);
  const NormSaved saved = {buffers_.norm.mean.Slice(0, rows), buffers_.norm.rstd.Slice(0, rows)};
  const auto norm = [&](TensorRole weight, TensorRole bias, Matrix<float> out) {
    NormForward(config.norm, x, NormOf(weights, weight, bias, l), out, saved);
  };

  AttentionShape shape = AttentionShapeOf(config);
  if (config.position == PositionKind::kRope) {
    shape.rope = {config.rope_layout, buffers_.rope_cosines.Rows(0, rows),
                  buffers_.rope_sines.Rows(0, rows)};
  }
  if (pre) norm(kNorm1Weight, kNorm1Bias, normed);
  AttentionLayerDecode(shape, pre ? normed : x, AttentionOf(weights, l), buffers_.caches[layer],
                       cache_row, keys, buffers_.q.Rows(0, rows), buffers_.mixed.Rows(0, rows),
                       branch, buffers_.scratch);
  AddTo(branch.Flat(), x.Flat());
  if (norms && !pre) norm(kNorm1Weight, kNorm1Bias, x);
  if (config.ffn == 0) return;

  if (pre) norm(kNorm2Weight, kNorm2Bias, normed);
  FeedForwardSaved ffn;
  ffn.in = buffers_.ffn.in.Rows(0, rows);
  if (config.gated()) ffn.gate = buffers_.ffn.gate.Rows(0, rows);
  ffn.hidden = buffers_.ffn.hidden.Rows(0, rows);
  FeedForwardForward({config.pointwise(), config.gated()}, pre ? normed : x,
                     FeedForwardOf(weights, l), ffn, branch, buffers_.scratch);
  AddTo(branch.Flat(), x.Flat());
  if (norms && !pre) norm(kNorm2Weight, kNorm2Bias, x);
}

void Generator::ReadLogits(size_t last_row) {
  const ModelConfig& config = model_->config();
  const ModelTensors<const float> weights = model_->tensors();
  const Matrix<float> x = buffers_.x.Rows(last_row, 1);
  if (config.norm != NormKind::kNone && config.norm_position == NormPosition::kPre) {
    NormForward(config.norm, x, NormOf(weights, kNormWeight, kNormBias, -1), x,
                {buffers_.norm.mean.Slice(0, 1), buffers_.norm.rstd.Slice(0, 1)});
  }
  HeadLogits(x, HeadOf(config, weights), Matrix<float>(buffers_.logits.data, 1, config.vocab),
             buffers_.scratch);
}

}  // namespace heed
