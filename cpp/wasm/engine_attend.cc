// SPDX-License-Identifier: MIT
// Attention of the caller's own matrices.
#include "base/matrix_copies.h"
#include "wasm/engine.h"

namespace heed {
namespace {

// Takes matrices off a run of floats.
class MatrixCursor {
 public:
  explicit MatrixCursor(Span<const float> floats) : floats_(floats) {}
  ConstMatrix Take(uint64_t rows, uint64_t cols) {
    const uint64_t count = CheckedMul(rows, cols);
    if (count > floats_.size) {
      short_ = true;
      return ConstMatrix();
    }
    const ConstMatrix matrix(floats_.data, static_cast<size_t>(rows), static_cast<size_t>(cols));
    floats_ = floats_.Slice(static_cast<size_t>(count), floats_.size - static_cast<size_t>(count));
    return matrix;
  }
  bool used_up() const { return !short_ && floats_.size == 0; }

 private:
  Span<const float> floats_;
  bool short_ = false;
};

uint64_t TotalFloats(std::initializer_list<Matrix<float>> matrices) {
  uint64_t floats = 0;
  for (const Matrix<float>& m : matrices) floats += m.rows * m.cols;
  return floats;
}

void Concatenate(std::initializer_list<Matrix<float>> matrices, float* out) {
  for (const Matrix<float>& m : matrices) {
    Copy(m, Matrix<float>(out, m.rows, m.cols));
    out += m.rows * m.cols;
  }
}

}  // namespace

Result<AttentionArguments> Engine::AttendArguments(const AttentionSizes& sizes, Handle matrices,
                                                   Handle visible) {
  Result<Span<float>> floats = Elements<float>(matrices, "the matrices");
  if (!floats.ok()) return floats.status();
  Result<Span<uint8_t>> mask = Buffer(visible);
  if (!mask.ok()) return mask.status();
  MatrixCursor cursor(*floats);
  AttentionArguments arguments;
  arguments.x = cursor.Take(sizes.time, sizes.width);
  arguments.w_q = cursor.Take(sizes.width, sizes.head_width);
  arguments.w_k = cursor.Take(sizes.width, sizes.head_width);
  if (sizes.value_width > 0) arguments.w_v = cursor.Take(sizes.width, sizes.value_width);
  if (!cursor.used_up()) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "the matrices have %zu elements, which is not what their shapes say",
                         floats->size);
  }
  arguments.visible = *mask;
  arguments.scale = sizes.scale;
  HEED_RETURN_IF_ERROR(CheckAttentionArguments(arguments));
  return arguments;
}

Result<Handle> Engine::Attend(const AttentionSizes& sizes, Handle matrices, Handle visible) {
  const Result<AttentionArguments> arguments = AttendArguments(sizes, matrices, visible);
  if (!arguments.ok()) return arguments.status();
  Planner measure;
  PlanAttentionResults(*arguments, &measure);
  Arena arena;
  HEED_RETURN_IF_ERROR(arena.Allocate(measure.bytes(), "the results of attention"));
  Planner planner(&arena);
  const AttentionResults r = PlanAttentionResults(*arguments, &planner);
  HEED_RETURN_IF_ERROR(AttentionFunction(*arguments, r));
  const auto all = {r.q, r.k, r.v, r.scores, r.weights, r.out};
  Result<Handle> buffer = CreateBuffer(TotalFloats(all) * sizeof(float));
  if (buffer.ok()) Concatenate(all, reinterpret_cast<float*>(Buffer(*buffer)->data));
  return buffer;
}

Result<Handle> Engine::AttendBackward(const AttentionSizes& sizes, Handle matrices, Handle visible,
                                      Handle d_out) {
  const Result<AttentionArguments> arguments = AttendArguments(sizes, matrices, visible);
  if (!arguments.ok()) return arguments.status();
  Result<Span<float>> upstream = Elements<float>(d_out, "dOut");
  if (!upstream.ok()) return upstream.status();
  const size_t rows = arguments->x.rows;
  const size_t columns = sizes.value_width > 0 ? arguments->w_v.cols : arguments->x.cols;
  if (upstream->size != rows * columns) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "the matrix dOut has %zu elements; the output is %zu x %zu", upstream->size, rows,
                         columns);
  }
  Planner measure;
  PlanAttentionResults(*arguments, &measure);
  PlanAttentionGradients(*arguments, &measure);
  Arena arena;
  HEED_RETURN_IF_ERROR(arena.Allocate(measure.bytes(), "the gradients of attention"));
  Planner planner(&arena);
  const AttentionResults r = PlanAttentionResults(*arguments, &planner);
  const AttentionResultGradients g = PlanAttentionGradients(*arguments, &planner);
  HEED_RETURN_IF_ERROR(AttentionFunction(*arguments, r));
  HEED_RETURN_IF_ERROR(AttentionFunctionBackward(
      *arguments, r, ConstMatrix(upstream->data, rows, columns), g));
  const auto all = {g.q, g.k, g.v, g.scores, g.weights, g.x, g.w_q, g.w_k, g.w_v};
  Result<Handle> buffer = CreateBuffer(TotalFloats(all) * sizeof(float));
  if (buffer.ok()) Concatenate(all, reinterpret_cast<float*>(Buffer(*buffer)->data));
  return buffer;
}

}  // namespace heed
