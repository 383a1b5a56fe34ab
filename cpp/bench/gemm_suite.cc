// SPDX-License-Identifier: MIT
// Matrix products of one training step of a small transformer, packing included, against the
// register-only peak of the same engine.
#include <algorithm>
#include <cstdio>
#include <vector>

#include "base/arena.h"
#include "base/parallel.h"
#include "bench/json.h"
#include "bench/measure.h"
#include "bench/options.h"
#include "bench/peak.h"
#include "bench/report.h"
#include "kernels/gemm.h"

namespace heed::bench {
namespace {

// c (m x n) = op(a) op(b) over k.
struct Shape {
  size_t m, n, k;
  Transpose transpose_a, transpose_b;
  const char* op() const {
    if (transpose_a == Transpose::kYes) return "TN";
    return transpose_b == Transpose::kYes ? "NT" : "NN";
  }
  double operations() const {
    return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  }
};

// A cube, then for each weight matrix of a layer (batch 12 x context 64, width 128) the forward
// product Y = X W and its backward forms d_X = d_Y W^T and d_W = X^T d_Y.
std::vector<Shape> Shapes() {
  std::vector<Shape> shapes = {{384, 384, 384, Transpose::kNo, Transpose::kNo}};
  const size_t forward[][3] = {
      {768, 128, 128}, {768, 384, 128}, {768, 512, 128}, {768, 128, 512}, {768, 65, 128}};
  for (const auto& [m, n, k] : forward) {
    shapes.push_back({m, n, k, Transpose::kNo, Transpose::kNo});
    shapes.push_back({m, k, n, Transpose::kNo, Transpose::kYes});
    shapes.push_back({k, n, m, Transpose::kYes, Transpose::kNo});
  }
  return shapes;
}

// Operands of one shape in one block.
class Problem {
 public:
  explicit Problem(const Shape& shape) : shape_(shape) {
    ArenaPlan plan;
    const uint64_t a = plan.Add<float>(shape.m * shape.k);
    const uint64_t b = plan.Add<float>(shape.k * shape.n);
    const uint64_t c = plan.Add<float>(shape.m * shape.n);
    const size_t packed_floats = PackedBFloats(shape.k, shape.n);
    const uint64_t packed = plan.Add<float>(packed_floats);
    ok_ = arena_.Allocate(plan.bytes(), "operands of a matrix product").ok();
    if (!ok_) return;
    a_ = Fill(arena_.Slice<float>(a, shape.m * shape.k));
    b_ = Fill(arena_.Slice<float>(b, shape.k * shape.n));
    c_ = arena_.Slice<float>(c, shape.m * shape.n).data;
    packed_ = arena_.Slice<float>(packed, packed_floats);
  }

  bool ok() const { return ok_; }

  void Multiply() const {
    const bool ta = shape_.transpose_a == Transpose::kYes;
    const bool tb = shape_.transpose_b == Transpose::kYes;
    const ConstMatrix a(a_, ta ? shape_.k : shape_.m, ta ? shape_.m : shape_.k);
    const ConstMatrix b(b_, tb ? shape_.n : shape_.k, tb ? shape_.k : shape_.n);
    Gemm(a, shape_.transpose_a, b, shape_.transpose_b, Matrix<float>(c_, shape_.m, shape_.n), {},
         packed_);
  }

 private:
  static const float* Fill(Span<float> values) {
    for (size_t i = 0; i < values.size; ++i) {
      values.data[i] = static_cast<float>(i * 2654435761u % 2048) * (1.0f / 1024.0f) - 1.0f;
    }
    return values.data;
  }

  Shape shape_;
  Arena arena_;
  bool ok_ = false;
  const float* a_ = nullptr;
  const float* b_ = nullptr;
  float* c_ = nullptr;
  Span<float> packed_;
};

}  // namespace

int RunGemmSuite(const Options& options) {
  const double sample_ms = 1.0;  // shorter than a scheduler's time slice
  const double warm_ms = options.quick ? 30.0 : 150.0;
  const int blocks = options.quick ? 3 : 9;
  const int turns = options.quick ? 10 : 16;  // in a block

  const std::vector<Shape> shapes = Shapes();
  std::vector<Problem> problems;
  problems.reserve(shapes.size());
  std::vector<size_t> calls;
  for (const Shape& shape : shapes) {
    problems.emplace_back(shape);
    if (!problems.back().ok()) {
      std::fprintf(stderr, "gemm: no memory for the operands of %zu x %zu x %zu\n", shape.m,
                   shape.n, shape.k);
      return 1;
    }
    const Problem& problem = problems.back();
    calls.push_back(CallsFor(sample_ms, warm_ms, [&] { problem.Multiply(); }));
  }
  const Peak peak(sample_ms, warm_ms);

  std::vector<double> peaks;
  std::vector<std::vector<double>> rates(shapes.size());
  std::vector<std::vector<double>> ratios(shapes.size());
  for (int block = 0; block < blocks; ++block) {
    for (size_t i = 0; i < shapes.size(); ++i) {
      problems[i].Multiply();  // fetches the operands: the other shapes have evicted them
      double rate = 0.0;
      double peak_rate = 0.0;
      for (int turn = 0; turn < turns; ++turn) {
        const double ms = TimeMs(calls[i], [&] { problems[i].Multiply(); });
        const double operations = shapes[i].operations() * static_cast<double>(calls[i]);
        if (ms > 0.0) rate = std::max(rate, operations / ms * 1e-6);
        peak_rate = std::max(peak_rate, peak.Sample());
      }
      rates[i].push_back(rate);
      peaks.push_back(peak_rate);
      ratios[i].push_back(rate / peak_rate);
    }
  }

  JsonPrinter json;
  BeginReport(json, "gemm", options);
  json.Number("peakGflops", Median(peaks));
  json.Count("peakAccumulators", peak.accumulators());
  json.BeginArray("shapes");
  std::vector<double> of_peak;
  for (size_t i = 0; i < shapes.size(); ++i) {
    of_peak.push_back(Median(ratios[i]));
    json.BeginObject();
    json.Count("m", shapes[i].m);
    json.Count("n", shapes[i].n);
    json.Count("k", shapes[i].k);
    json.Text("op", shapes[i].op());
    json.Number("gflops", Median(rates[i]));
    json.Number("ofPeak", of_peak.back());
    json.EndObject();
  }
  json.EndArray();
  json.Number("ofPeak", GeometricMean(of_peak));
  json.EndObject();
  json.Finish();
  return 0;
}

}  // namespace heed::bench
