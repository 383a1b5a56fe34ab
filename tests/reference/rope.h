// SPDX-License-Identifier: MIT
#ifndef HEED_TESTS_REFERENCE_ROPE_H_
#define HEED_TESTS_REFERENCE_ROPE_H_

#include <cmath>
#include <complex>
#include <cstddef>

namespace heed::reference {

enum class RopeLayout { kHalves, kInterleaved };
enum class RopeDirection { kForward, kBackward };

struct RopeOptions {
  RopeLayout layout = RopeLayout::kHalves;
  double base = 10000.0;
  size_t first_position = 0;
  size_t period = 1;  // row n has position first_position + n % period
};

// Turns pair i of each head of x (rows, heads, D), in place, by position * base^(-2i/D). The
// Jacobian is a rotation, so the backward pass turns the gradient by the negative angle.
template <class T>
void RopeRotate(const RopeOptions& options, RopeDirection direction, size_t rows, size_t heads,
                size_t D, T* x) {
  const double sign = direction == RopeDirection::kForward ? 1.0 : -1.0;
  for (size_t n = 0; n < rows; ++n) {
    const double position = static_cast<double>(options.first_position + n % options.period);
    for (size_t i = 0; i < D / 2; ++i) {
      const double exponent = -2.0 * static_cast<double>(i) / static_cast<double>(D);
      const double angle = sign * position * std::pow(options.base, exponent);
      const double cosine = std::cos(angle), sine = std::sin(angle);
      const bool halves = options.layout == RopeLayout::kHalves;
      for (size_t h = 0; h < heads; ++h) {
        T* head = x + (n * heads + h) * D;
        T& first = head[halves ? i : 2 * i];
        T& second = head[halves ? i + D / 2 : 2 * i + 1];
        const T a = first, b = second;
        first = a * cosine - b * sine;
        second = a * sine + b * cosine;
      }
    }
  }
}

}  // namespace heed::reference

#endif  // HEED_TESTS_REFERENCE_ROPE_H_
