// SPDX-License-Identifier: MIT
#include "layers/attention.h"

#include <algorithm>

#include "base/arena.h"
#include "base/matrix_copies.h"
#include "base/parallel.h"
#include "kernels/attention.h"
#include "kernels/attention_plain.h"
#include "kernels/elementwise.h"
#include "layers/alibi.h"

namespace heed {
namespace {

// Each worker's part of the scratch starts at an aligned place.
size_t ScratchPerWorker(size_t query_time, size_t key_time, size_t head_width) {
  constexpr size_t kLine = kAlignment / sizeof(float);
  return (AttentionScratchFloats(query_time, key_time, head_width) + kLine - 1) / kLine * kLine;
}

// Decoding lends the kernel a place for each row's lse out of the scratch.
size_t PaddedLse(size_t query_time) {
  constexpr size_t kLine = kAlignment / sizeof(float);
  return (query_time + kLine - 1) / kLine * kLine;
}

// The (T, D) block of sequence b and head h in a (B T, heads D) matrix.
template <typename T>
Matrix<T> Head(Matrix<T> m, const AttentionShape& s, size_t b, size_t h) {
  return m.Rows(b * s.time, s.time).Cols(h * s.head_width, s.head_width);
}

AttentionOptions Options(const AttentionShape& shape, size_t h) {
  AttentionOptions options;
  options.scale = shape.scale;
  options.softcap = shape.softcap;
  options.slope = shape.alibi ? AlibiSlope(h, shape.heads) : 0.0f;
  options.causal = shape.causal;
  options.window = shape.window;
  return options;
}

AttentionOptions Options(const AttentionShape& shape, const AttentionDropout& dropout, size_t b,
                         size_t h) {
  AttentionOptions options = Options(shape, h);
  options.dropout.probability = dropout.probability;
  options.dropout.key = dropout.key;
  options.dropout.site = dropout.first_site + static_cast<uint32_t>(b * shape.heads + h);
  return options;
}

}  // namespace

void ProjectToHeads(ConstMatrix x, const AttentionParams<const float>& params, Matrix<float> q,
                    Matrix<float> k, Matrix<float> v, Span<float> scratch) {
  if (params.query.weight.data != nullptr) {
    LinearForward(x, params.query, q, scratch);
    LinearForward(x, params.key, k, scratch);
  } else {
    // Scores of zero: exactly equal weights, and no gradient behind them.
    Zero(q);
    Zero(k);
  }
  if (params.value.weight.data != nullptr) {
    LinearForward(x, params.value, v, scratch);
  } else {
    Copy(x, v);
  }
}

void ProjectToHeadsBackward(ConstMatrix x, const AttentionParams<const float>& params,
                            Matrix<float> d_q, Matrix<float> d_k, Matrix<float> d_v,
                            Matrix<float> d_x, const AttentionParams<float>& d_params,
                            Span<float> scratch) {
  if (params.query.weight.data != nullptr) {
    LinearBackward(d_q, x, params.query, d_x, Join::kOverwrite, d_params.query, scratch);
    LinearBackward(d_k, x, params.key, d_x, Join::kAdd, d_params.key, scratch);
  } else {
    Zero(d_x);
  }
  if (params.value.weight.data != nullptr) {
    LinearBackward(d_v, x, params.value, d_x, Join::kAdd, d_params.value, scratch);
  } else {
    AddTo(d_v.Flat(), d_x.Flat());
  }
}

void ProjectFromHeads(ConstMatrix mixed, const LinearParams<const float>& output, Matrix<float> y,
                      Span<float> scratch) {
  if (output.weight.data != nullptr) {
    LinearForward(mixed, output, y, scratch);
  } else {
    Copy(mixed, y);
  }
}

void ProjectFromHeadsBackward(ConstMatrix d_y, ConstMatrix mixed,
                              const LinearParams<const float>& output, Matrix<float> d_mixed,
                              const LinearParams<float>& d_output, Span<float> scratch) {
  if (output.weight.data != nullptr) {
    LinearBackward(d_y, mixed, output, d_mixed, Join::kOverwrite, d_output, scratch);
  } else {
    Copy(d_y, d_mixed);
  }
}

void RotateQueriesKeys(const AttentionShape& shape, RopeDirection direction, Matrix<float> q,
                       Matrix<float> k) {
  const RopeTables& rope = shape.rope;
  if (!rope.active()) return;
  RopeRotate(rope.layout, direction, rope.cosines, rope.sines, 0, shape.time, q);
  RopeRotate(rope.layout, direction, rope.cosines, rope.sines, 0, shape.time, k);
}

uint64_t AttentionLayerScratchFloats(uint64_t batch, uint64_t time, uint64_t width, uint64_t heads,
                                     uint64_t kv_heads, uint64_t head_width) {
  const uint64_t rows = CheckedMul(batch, time);
  const uint64_t linear =
      std::max({LinearScratchFloats(rows, width, heads * head_width),
                LinearScratchFloats(rows, width, kv_heads * head_width),
                LinearScratchFloats(rows, heads * head_width, width)});
  const auto t = static_cast<size_t>(time);
  const size_t attention = ScratchPerWorker(t, t, static_cast<size_t>(head_width));
  return std::max({linear, uint64_t{ParallelWorkers()} * (attention + PaddedLse(t)),
                   CheckedMul(rows, heads)});
}

void AttentionLayerForward(const AttentionShape& shape, ConstMatrix x,
                           const AttentionParams<const float>& params,
                           const AttentionDropout& dropout, const AttentionSaved& saved,
                           Matrix<float> y, Matrix<float> weights, Span<float> scratch) {
  if (params.norm.active()) {
    ProjectToHeads(x, params, saved.norm.q, saved.norm.k, saved.v, scratch);
    QueryKeyNormForward(params.norm, shape.head_width, saved.norm, saved.q, saved.k);
  } else {
    ProjectToHeads(x, params, saved.q, saved.k, saved.v, scratch);
  }
  RotateQueriesKeys(shape, RopeDirection::kForward, saved.q, saved.k);

  const size_t per_worker = ScratchPerWorker(shape.time, shape.time, shape.head_width);
  const size_t queries_per_key = shape.heads / shape.kv_heads;
  ParallelFor(shape.batch * shape.heads, [&](size_t task, size_t worker) {
    const size_t b = task / shape.heads, h = task % shape.heads;
    const Matrix<float> q = Head(saved.q, shape, b, h);
    const Matrix<float> k = Head(saved.k, shape, b, h / queries_per_key);
    const Matrix<float> v = Head(saved.v, shape, b, h / queries_per_key);
    const Matrix<float> out = Head(saved.mixed, shape, b, h);
    const AttentionOptions options = Options(shape, dropout, b, h);
    if (weights.rows > 0) {
      AttentionPlainForward(q, k, v, options, out, weights.Rows(task * shape.time, shape.time));
    } else {
      AttentionForward(q, k, v, options, out, saved.lse.Slice(task * shape.time, shape.time),
                       scratch.Slice(worker * per_worker, per_worker));
    }
  });

  ProjectFromHeads(saved.mixed, params.output, y, scratch);
}

void AttentionLayerBackward(const AttentionShape& shape, ConstMatrix d_y, ConstMatrix x,
                            const AttentionParams<const float>& params,
                            const AttentionDropout& dropout, const AttentionSaved& saved,
                            const AttentionSaved& d_saved, Matrix<float> d_x,
                            const AttentionParams<float>& d_params, Span<float> scratch) {
  // y = mixed W_O + b_O
  ProjectFromHeadsBackward(d_y, saved.mixed, params.output, d_saved.mixed, d_params.output,
                           scratch);

  // mixed = softmax(scores) v, head by head. The query heads that share a key head add to the
  // same d_k and d_v, so they belong to one task.
  std::fill_n(d_saved.k.data, d_saved.k.rows * d_saved.k.cols, 0.0f);
  std::fill_n(d_saved.v.data, d_saved.v.rows * d_saved.v.cols, 0.0f);
  const size_t per_worker = ScratchPerWorker(shape.time, shape.time, shape.head_width);
  const size_t queries_per_key = shape.heads / shape.kv_heads;
  ParallelFor(shape.batch * shape.kv_heads, [&](size_t task, size_t worker) {
    const size_t b = task / shape.kv_heads, kv_head = task % shape.kv_heads;
    for (size_t i = 0; i < queries_per_key; ++i) {
      const size_t h = kv_head * queries_per_key + i;
      AttentionBackward(
          Head(d_saved.mixed, shape, b, h), Head(saved.q, shape, b, h),
          Head(saved.k, shape, b, kv_head), Head(saved.v, shape, b, kv_head),
          Head(saved.mixed, shape, b, h),
          saved.lse.Slice((b * shape.heads + h) * shape.time, shape.time),
          Options(shape, dropout, b, h), Head(d_saved.q, shape, b, h),
          Head(d_saved.k, shape, b, kv_head), Head(d_saved.v, shape, b, kv_head),
          scratch.Slice(worker * per_worker, per_worker));
    }
  });

  // q, k = turned norms of x W_Q + b_Q, x W_K + b_K;  v = x W_V + b_V
  RotateQueriesKeys(shape, RopeDirection::kBackward, d_saved.q, d_saved.k);
  if (params.norm.active()) {
    QueryKeyNormBackward(params.norm, shape.head_width, saved.norm, d_saved.q, d_saved.k,
                         d_params.norm);
  }
  ProjectToHeadsBackward(x, params, d_saved.q, d_saved.k, d_saved.v, d_x, d_params, scratch);
}

void AttentionLayerDecode(const AttentionShape& shape, ConstMatrix x,
                          const AttentionParams<const float>& params, const KeyValueCache& cache,
                          size_t first_row, size_t keys, Matrix<float> q, Matrix<float> mixed,
                          Matrix<float> y, Span<float> scratch) {
  const size_t n = x.rows;
  HEED_DCHECK(n == 1 || first_row + n == keys);
  const Matrix<float> k = cache.k.Rows(first_row, n), v = cache.v.Rows(first_row, n);
  ProjectToHeads(x, params, q, k, v, scratch);
  if (params.norm.active()) {
    // In place, and nobody asks for the deviations: they lie in the scratch for a moment.
    const QueryKeyNormSaved saved = {q, k, scratch.Slice(0, n * shape.heads),
                                     scratch.Slice(0, n * shape.kv_heads)};
    QueryKeyNormForward(params.norm, shape.head_width, saved, q, k);
  }
  if (shape.rope.active()) {
    RopeRotate(shape.rope.layout, RopeDirection::kForward, shape.rope.cosines, shape.rope.sines, 0,
               n, q);
    RopeRotate(shape.rope.layout, RopeDirection::kForward, shape.rope.cosines, shape.rope.sines, 0,
               n, k);
  }
  const size_t lse_floats = PaddedLse(n);
  const size_t per_worker = lse_floats + ScratchPerWorker(n, keys, shape.head_width);
  const size_t queries_per_key = shape.heads / shape.kv_heads;
  ParallelFor(shape.heads, [&](size_t h, size_t worker) {
    AttentionOptions options = Options(shape, h);
    if (n == 1) options.newest = first_row;
    const size_t d = shape.head_width, kv = h / queries_per_key * d;
    const Span<float> mine = scratch.Slice(worker * per_worker, per_worker);
    AttentionForward(q.Cols(h * d, d), cache.k.Rows(0, keys).Cols(kv, d),
                     cache.v.Rows(0, keys).Cols(kv, d), options, mixed.Cols(h * d, d),
                     mine.Slice(0, n), mine.Slice(lse_floats, per_worker - lse_floats));
  });
  ProjectFromHeads(mixed, params.output, y, scratch);
}

}  // namespace heed
