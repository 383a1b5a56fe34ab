// SPDX-License-Identifier: MIT
// Deterministic test data. A generator of its own (SplitMix64, Steele, Lea and Flood 2014), so that
// a fault in the library's generator cannot hide in the data that tests it.
#ifndef HEED_TESTS_SUPPORT_RANDOM_H_
#define HEED_TESTS_SUPPORT_RANDOM_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heed::test {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    state_ += 0x9E3779B97F4A7C15ull;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }

  // In [0, n); n > 0. The modulo bias is below 2^-32 for every n a test uses.
  size_t Below(size_t n) { return static_cast<size_t>(Next() % n); }

  // In [low, high).
  double Uniform(double low = 0.0, double high = 1.0) {
    return low + (high - low) * (static_cast<double>(Next() >> 11) * 0x1.0p-53);
  }

  // Standard normal (Box and Muller 1958).
  double Normal() {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - Uniform()));
    return radius * std::cos(6.283185307179586 * Uniform());
  }

  // n normal values mean + std * N(0, 1), rounded to float first when T is float; the double
  // version rounds too, so that float and double copies of one seed are equal.
  template <class T = float>
  std::vector<T> NormalVector(size_t n, double std = 1.0, double mean = 0.0) {
    std::vector<T> values(n);
    for (T& value : values) value = static_cast<T>(static_cast<float>(mean + std * Normal()));
    return values;
  }

  template <class T = float>
  std::vector<T> UniformVector(size_t n, double low, double high) {
    std::vector<T> values(n);
    for (T& value : values) value = static_cast<T>(static_cast<float>(Uniform(low, high)));
    return values;
  }

  // Token ids in [0, vocab).
  std::vector<int32_t> Tokens(size_t n, size_t vocab) {
    std::vector<int32_t> tokens(n);
    for (int32_t& token : tokens) token = static_cast<int32_t>(Below(vocab));
    return tokens;
  }

 private:
  uint64_t state_;
};

// Element-wise conversion, e.g. a float tensor to double for the reference.
template <class To, class From>
std::vector<To> Convert(const std::vector<From>& from) {
  std::vector<To> to;
  to.reserve(from.size());
  for (const From& value : from) to.push_back(static_cast<To>(value));
  return to;
}

}  // namespace heed::test

#endif  // HEED_TESTS_SUPPORT_RANDOM_H_
