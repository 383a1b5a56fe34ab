// SPDX-License-Identifier: MIT
#include "kernels/embedding.h"

#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "support/guarded.h"
#include "support/random.h"

namespace heed::test {
namespace {

TEST_CASE("embedding: rows are copied, gradients added in token order") {
  Random random(1);
  constexpr size_t kVocab = 7, kTokens = 12;
  ForEachLength([&](size_t width, size_t offset) {
    const auto tokens = random.Tokens(kTokens, kVocab);
    const auto table = random.NormalVector(kVocab * width);
    const auto d_out = random.NormalVector(kTokens * width);
    std::vector<float> expected(kTokens * width), d_expected = table;
    for (size_t i = 0; i < expected.size(); ++i) {
      const size_t at = static_cast<size_t>(tokens[i / width]) * width + i % width;
      expected[i] = table[at];
      d_expected[at] += d_out[i];
    }
    const Span<const int32_t> ids(tokens.data(), tokens.size());
    Guarded weights(kVocab, width, width + 2, offset, table);
    Guarded out(kTokens, width, width + 3, offset + 1);
    EmbeddingForward(ids, weights.matrix(), out.matrix());
    CHECK(SameBits(out.Values(), expected));
    out.Set(d_out);
    EmbeddingBackward(ids, out.matrix(), weights.matrix());
    CHECK(SameBits(weights.Values(), d_expected));
    CHECK((weights.Intact() && out.Intact()));
  });
}

TEST_CASE("R098 embedding: the gradient of a repeated token is the sum") {
  ForEachTarget([](const char* target) {
    INFO(target);
    const int32_t tokens[] = {0, 0};
    const float d_out[] = {0.2f, 0.3f};
    float d_table[] = {0.0f, 0.0f};
    EmbeddingBackward({tokens, 2}, {d_out, 2, 1}, {d_table, 2, 1});
    CHECK(d_table[0] == 0.5f);
    CHECK(d_table[1] == 0.0f);
  });
}

TEST_CASE("embedding: no tokens touch nothing") {
  float table[] = {1.0f, 2.0f};
  EmbeddingBackward({}, {nullptr, 0, 2}, {table, 1, 2});
  EmbeddingForward({}, {table, 1, 2}, {nullptr, 0, 2});
  CHECK(table[0] == 1.0f);
  CHECK(table[1] == 2.0f);
}

}  // namespace
}  // namespace heed::test
