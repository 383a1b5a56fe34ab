// SPDX-License-Identifier: MIT
#ifndef HEED_BASE_MATRIX_COPIES_H_
#define HEED_BASE_MATRIX_COPIES_H_

#include <algorithm>

#include "base/span.h"

namespace heed {

// Same shape, any strides.
inline void Copy(ConstMatrix from, Matrix<float> to) {
  HEED_DCHECK(from.rows == to.rows && from.cols == to.cols);
  for (size_t i = 0; i < from.rows; ++i) std::copy_n(from.Row(i), from.cols, to.Row(i));
}

inline void Zero(Matrix<float> m) {
  for (size_t i = 0; i < m.rows; ++i) std::fill_n(m.Row(i), m.cols, 0.0f);
}

}  // namespace heed

#endif  // HEED_BASE_MATRIX_COPIES_H_
