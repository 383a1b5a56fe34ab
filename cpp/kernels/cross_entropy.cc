// SPDX-License-Identifier: MIT
#include "kernels/cross_entropy.h"

#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cross_entropy.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After foreach_target:
#include "hwy/highway.h"
#include "kernels/cross_entropy-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heed {
namespace HWY_NAMESPACE {
namespace {

LossSum CrossEntropyForward(ConstMatrix logits, Span<const int32_t> targets,
                            Span<float> losses) {
  LossSum result;
  for (size_t row = 0; row < logits.rows; ++row) {
    double loss = 0.0;
    if (targets[row] >= 0) {
      loss = RowLoss(hn::ScalableTag<float>(), logits.Row(row), logits.cols,
                     static_cast<size_t>(targets[row]));
      result.sum += loss;
      ++result.count;
    }
    if (!losses.empty()) losses[row] = static_cast<float>(loss);
  }
  return result;
}

LossSum CrossEntropyForwardBackward(Matrix<float> logits, Span<const int32_t> targets,
                                    float scale, float smoothing, Span<float> losses) {
  const hn::ScalableTag<float> d;
  LossSum result;
  for (size_t row = 0; row < logits.rows; ++row) {
    double loss = 0.0;
    if (targets[row] >= 0) {
      const auto target = static_cast<size_t>(targets[row]);
      float* x = logits.Row(row);
      loss = smoothing == 0.0f
                 ? RowLossAndGradient(d, x, logits.cols, target, scale)
                 : SmoothedLossAndGradient(d, x, logits.cols, target, scale, smoothing);
      result.sum += loss;
      ++result.count;
    } else {
      std::memset(logits.Row(row), 0, logits.cols * sizeof(float));
    }
    if (!losses.empty()) losses[row] = static_cast<float>(loss);
  }
  return result;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace heed
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heed {
namespace {

bool TargetsInRange(Span<const int32_t> targets, size_t vocab) {
  for (const int32_t target : targets) {
    if (target < -1 || (target >= 0 && static_cast<size_t>(target) >= vocab)) return false;
  }
  return true;
}

}  // namespace

HWY_EXPORT(CrossEntropyForward);
HWY_EXPORT(CrossEntropyForwardBackward);

LossSum CrossEntropyForward(ConstMatrix logits, Span<const int32_t> targets,
                            Span<float> losses) {
  HEED_DCHECK(targets.size == logits.rows && TargetsInRange(targets, logits.cols));
  HEED_DCHECK(losses.empty() || losses.size == logits.rows);
  return HWY_DYNAMIC_DISPATCH(CrossEntropyForward)(logits, targets, losses);
}

LossSum CrossEntropyForwardBackward(Matrix<float> logits, Span<const int32_t> targets,
                                    float scale, float smoothing, Span<float> losses) {
  HEED_DCHECK(smoothing >= 0.0f && smoothing < 1.0f);
  HEED_DCHECK(targets.size == logits.rows && TargetsInRange(targets, logits.cols));
  HEED_DCHECK(losses.empty() || losses.size == logits.rows);
  return HWY_DYNAMIC_DISPATCH(CrossEntropyForwardBackward)(logits, targets, scale, smoothing, losses);
}

}  // namespace heed
#endif  // HWY_ONCE
