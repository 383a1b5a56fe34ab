// SPDX-License-Identifier: MIT
#include "explain/lens.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "kernels/reduce.h"

namespace heed {
namespace {

ConstMatrix StreamAt(const Trace& trace, size_t place) {
  const ModelConfig& config = trace.model().config();
  const TraceMatrices& values = trace.values();
  if (place + 1 == LensPlaces(config)) return values.last;
  if (config.ffn == 0) return values.layers[place].r;
  const TraceLayer& layer = values.layers[place / 2];
  return place % 2 == 0 ? layer.r : layer.m;
}

// By logit: probabilities that rounding has made equal keep their order.
class Likelier {
 public:
  explicit Likelier(ConstSpan logits) : logits_(logits) {}
  bool operator()(int32_t a, int32_t b) const {
    const float la = logits_[static_cast<size_t>(a)], lb = logits_[static_cast<size_t>(b)];
    return la != lb ? la > lb : a < b;
  }

 private:
  ConstSpan logits_;
};

// Keeps the best so far in a heap with the least likely of them in front.
void Likeliest(ConstSpan logits, Span<int32_t> ids) {
  const Likelier likelier(logits);
  std::iota(ids.begin(), ids.end(), 0);
  std::make_heap(ids.begin(), ids.end(), likelier);
  for (size_t id = ids.size; id < logits.size; ++id) {
    const auto candidate = static_cast<int32_t>(id);
    if (!likelier(candidate, ids[0])) continue;
    std::pop_heap(ids.begin(), ids.end(), likelier);
    ids[ids.size - 1] = candidate;
    std::push_heap(ids.begin(), ids.end(), likelier);
  }
  std::sort_heap(ids.begin(), ids.end(), likelier);
}

int32_t RankOf(ConstSpan logits, int32_t target) {
  const Likelier likelier(logits);
  int32_t rank = 1;
  for (size_t id = 0; id < logits.size; ++id) {
    if (likelier(static_cast<int32_t>(id), target)) ++rank;
  }
  return rank;
}

double Entropy(ConstSpan probabilities) {
  double sum = 0.0;
  for (const float p : probabilities) {
    if (p > 0.0f) sum -= p * std::log(double{p});
  }
  return sum;
}

void ReadRow(const Trace& trace, size_t row, size_t top, const LensRows& rows) {
  const ConstSpan logits = trace.values().logits.RowSpan(row);
  const ConstSpan probs = trace.values().probs.RowSpan(row);
  const Span<int32_t> ids = rows.ids.Slice(row * top, top);
  Likeliest(logits, ids);
  for (size_t n = 0; n < top; ++n) {
    rows.probabilities[row * top + n] = probs[static_cast<size_t>(ids[n])];
  }
  const int32_t target = trace.targets()[row];
  const bool counts = target >= 0;
  rows.target[row] = counts ? double{probs[static_cast<size_t>(target)]}
                            : std::numeric_limits<double>::quiet_NaN();
  rows.rank[row] = counts ? RankOf(logits, target) : 0;
  rows.entropy[row] = Entropy(probs);
}

}  // namespace

size_t LensPlaces(const ModelConfig& config) {
  return size_t{config.layers} * (config.ffn > 0 ? 2 : 1) + 1;
}

Status ReadLens(Trace* trace, size_t place, size_t top, const LensRows& rows) {
  const ModelConfig& config = trace->model().config();
  if (place >= LensPlaces(config) || top < 1 || top > config.vocab) {
    return Status::Error(StatusCode::kInvalidArgument,
                         "place %zu, top %zu: the stream has %zu places, counted from 0, and top "
                         "is 1 to %u (the vocabulary)",
                         place, top, LensPlaces(config), config.vocab);
  }
  trace->RunHead(StreamAt(*trace, place));
  const bool finite = AllFinite(trace->values().logits.Flat());
  for (size_t row = 0; finite && row < trace->time(); ++row) ReadRow(*trace, row, top, rows);
  trace->RunHead(trace->values().last);
  if (!finite) {
    return Status::Error(StatusCode::kNonFinite,
                         "place %zu of the stream: a logit that the head makes of it is not "
                         "finite; the stream or the weights are too large for it",
                         place);
  }
  return Status();
}

}  // namespace heed
