// SPDX-License-Identifier: MIT
// Whole training steps against the register-only peak of the same engine.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

#include "base/arena.h"
#include "base/philox.h"
#include "bench/json.h"
#include "bench/measure.h"
#include "bench/options.h"
#include "bench/peak.h"
#include "bench/report.h"
#include "train/trainer.h"

namespace heed::bench {
namespace {

// Tokens do not change the amount of work, so any will do.
std::vector<int32_t> RandomTokens(uint32_t vocab, size_t count) {
  std::vector<int32_t> tokens(count);
  for (size_t i = 0; i < count; ++i) {
    const uint32_t bits = RandomBits(1, RandomStream::kBatch, static_cast<uint32_t>(i), 0)[0];
    tokens[i] = static_cast<int32_t>(UniformBelow(bits, vocab));
  }
  return tokens;
}

// Says what went wrong; the exit status.
int Fail(const Status& status) {
  std::fprintf(stderr, "train: %s\n", status.message());
  return 1;
}

}  // namespace

int RunTrainSuite(const Options& options) {
  if (std::strcmp(options.preset, "nanogpt-cpu") != 0) {
    std::fprintf(stderr, "train: unknown preset '%s'; there is: nanogpt-cpu\n", options.preset);
    return 2;
  }
  // The preset is what the configurations start from; only the vocabulary comes from data
  // (tinyshakespeare has 65 characters).
  ModelConfig model_config;
  TrainConfig train_config;
  model_config.vocab = 65;
  if (options.width != 0) {
    model_config.width = options.width;
    model_config.head_width = options.width / model_config.heads;
    model_config.ffn = 4 * options.width;
  }
  if (options.context != 0) model_config.context = options.context;
  if (options.batch != 0) train_config.batch = options.batch;
  // Far enough that no measured step is past the schedule's end.
  train_config.steps = 1000000;

  Result<std::unique_ptr<Model>> model = Model::Create(model_config);
  if (!model.ok()) return Fail(model.status());
  model.value()->Initialize(train_config.seed);
  const size_t window = size_t{model_config.context} + 1;
  const std::vector<int32_t> tokens =
      RandomTokens(model_config.vocab, std::max<size_t>(100000, 4 * window));
  Result<std::unique_ptr<Trainer>> made = Trainer::Create(
      model.value().get(), train_config, {tokens.data(), tokens.size()}, Span<const uint8_t>());
  if (!made.ok()) return Fail(made.status());
  Trainer& trainer = *made.value();

  // A step is long enough to be preempted on any busy machine, its stages hardly are: of the steps
  // of a block each stage's best time counts. A machine of its own gives the same, within 2 %.
  Status failure;
  std::vector<double> best_ms;  // by stage
  const auto step = [&] {
    for (size_t stage = 0; failure.ok(); ++stage) {
      Trainer::Progress progress = Trainer::Progress::kWorking;
      const double ms = TimeMs(1, [&] {
        const auto advanced = trainer.Advance(0.0);
        if (advanced.ok()) {
          progress = advanced.value();
        } else {
          failure = advanced.status();
        }
      });
      if (stage == best_ms.size()) best_ms.push_back(ms);
      best_ms[stage] = std::min(best_ms[stage], ms);
      if (progress != Trainer::Progress::kWorking) return;
    }
  };
  const double warm_ms = options.quick ? 500.0 : 2000.0;
  const double peak_ms = 1.0;
  const size_t peak_samples = 8;  // around each step
  const int blocks = options.quick ? 3 : 5;
  const int turns = options.quick ? 3 : 8;  // steps in a block

  for (const double end = NowMs() + warm_ms; NowMs() < end && failure.ok();) step();
  const Peak peak(peak_ms, warm_ms / 10.0);
  const double tokens_per_step =
      static_cast<double>(train_config.batch) * train_config.accumulation * model_config.context;
  const double operations =
      TrainingFlops(model_config, tokens_per_step, static_cast<double>(model_config.context));
  std::vector<double> rates, peaks, ratios;
  for (int block = 0; block < blocks && failure.ok(); ++block) {
    best_ms.clear();
    double peak_rate = 0.0;
    for (int turn = 0; turn < turns; ++turn) {
      step();
      for (size_t i = 0; i < peak_samples; ++i) peak_rate = std::max(peak_rate, peak.Sample());
    }
    double ms = 0.0;
    for (const double stage_ms : best_ms) ms += stage_ms;
    const double rate = operations / ms * 1e-6;
    rates.push_back(rate);
    peaks.push_back(peak_rate);
    ratios.push_back(rate / peak_rate);
  }
  if (!failure.ok()) return Fail(failure);

  const double rate = Median(rates);
  JsonPrinter json;
  BeginReport(json, "train", options);
  json.Text("preset", options.preset);
  json.Count("width", model_config.width);
  json.Count("context", model_config.context);
  json.Count("batch", train_config.batch);
  json.Number("tokensPerSecond", rate * 1e9 * tokens_per_step / operations);
  json.Number("gflops", rate);
  json.Number("peakGflops", Median(peaks));
  json.Number("ofPeak", Median(ratios));
  json.EndObject();
  json.Finish();
  return 0;
}

}  // namespace heed::bench
