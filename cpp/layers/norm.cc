// SPDX-License-Identifier: MIT
#include "layers/norm.h"

#include "kernels/layer_norm.h"
#include "kernels/rms_norm.h"

namespace heed {

void NormForward(NormKind kind, ConstMatrix x, const NormParams<const float>& params,
                 Matrix<float> y, const NormSaved& saved) {
  HEED_DCHECK(kind != NormKind::kNone);
  if (kind == NormKind::kLayer) {
    LayerNormForward(x, params.weight, params.bias, kNormEpsilon, y, saved.mean, saved.rstd);
  } else {
    RmsNormForward(x, params.weight, kNormEpsilon, y, saved.rstd);
  }
}

void NormBackward(NormKind kind, ConstMatrix d_y, ConstMatrix x,
                  const NormParams<const float>& params, const NormSaved& saved,
                  Matrix<float> d_x, const NormParams<float>& d_params) {
  HEED_DCHECK(kind != NormKind::kNone);
  if (kind == NormKind::kLayer) {
    LayerNormBackward(d_y, x, params.weight, saved.mean, saved.rstd, d_x, d_params.weight,
                      d_params.bias);
  } else {
    RmsNormBackward(d_y, x, params.weight, saved.rstd, d_x, d_params.weight);
  }
}

}  // namespace heed
