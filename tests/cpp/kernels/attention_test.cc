// SPDX-License-Identifier: MIT
#include "kernels/attention.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "base/arena.h"
#include "kernels/attention_plain.h"
#include "reference/attention.h"
#include "support/attention_case.h"
#include "support/gradient_check.h"
#include "support/guarded.h"
#include "support/near.h"
#include "support/random.h"

namespace heed::test {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST_CASE("attention: lengths, head widths and strides match double, forward and backward") {
  // Around one vector, one tile, one block of keys (128), one block of queries (64), one piece of a
  // head (128).
  const AttentionSizes sizes[] = {
      {1, 1, 1},     {2, 2, 3},     {3, 3, 8},      {4, 4, 5},    {5, 5, 16},    {6, 6, 7},
      {7, 7, 1},     {11, 11, 17},  {12, 12, 32},   {13, 13, 33}, {16, 16, 4},   {31, 31, 65},
      {33, 33, 2},   {64, 64, 32},  {65, 65, 64},   {97, 97, 31}, {127, 127, 9}, {128, 128, 16},
      {129, 129, 8}, {200, 200, 6}, {257, 257, 12}, {9, 9, 127},  {9, 9, 128},   {10, 10, 129},
      {8, 8, 256},   {7, 7, 300},   {1, 40, 32},    {2, 130, 16}, {3, 9, 5},     {5, 140, 24},
      {20, 150, 7},  {70, 300, 10}};
  ForEachTarget([&](const char* target) {
    size_t turn = 0;
    for (const AttentionSizes& size : sizes) {
      for (const float dropout : {0.0f, 0.25f}) {
        AttentionCase test(size, dropout, turn, 10 + turn);
        ++turn;
        INFO("target " << target << ", " << test.Describe());
        test.RunTiled();
        test.CheckForward();
        test.CheckBackward();
        CHECK(test.Intact());
      }
    }
  });
}

TEST_CASE("attention: without a mask every query sees every key, tiled and plain") {
  const AttentionSizes sizes[] = {{1, 1, 1},   {3, 3, 8},      {5, 5, 16},    {13, 13, 33},
                                  {65, 65, 8}, {129, 129, 12}, {200, 200, 6}, {2, 130, 16},
                                  {20, 150, 7}};
  ForEachTarget([&](const char* target) {
    size_t turn = 0;
    for (const AttentionSizes& size : sizes) {
      for (const float dropout : {0.0f, 0.25f}) {
        AttentionCase test(size, dropout, turn, 90 + turn);
        test.options.causal = false;
        ++turn;
        INFO("target " << target << ", " << test.Describe());
        test.RunTiled();
        test.CheckForward();
        test.CheckBackward();
        test.RunPlain();
        test.CheckWeights();
        test.CheckBackward();
        CHECK(test.Intact());
      }
    }
  });
}

TEST_CASE("attention: soft caps, slopes and windows match double, tiled and plain") {
  const AttentionSizes sizes[] = {{1, 1, 1},    {3, 3, 8},      {13, 13, 33},  {65, 65, 8},
                                  {129, 129, 12}, {300, 300, 5}, {2, 130, 16},  {1, 300, 6},
                                  {20, 150, 7}, {70, 300, 10},  {200, 400, 4}};
  const struct {
    float softcap, slope;
    size_t window;
    bool causal;
  } kinds[] = {{1.5f, 0.0f, 0, true},   {0.0f, 0.25f, 0, true}, {0.0f, 0.0f, 1, true},
               {0.0f, 0.0f, 5, true},   {0.0f, 0.0f, 64, true}, {0.0f, 0.0f, 150, true},
               {0.0f, 0.0f, 1000, true}, {2.0f, 0.5f, 37, true}, {0.0f, 0.125f, 0, false},
               {1.0f, 0.0625f, 0, false}};
  ForEachTarget([&](const char* target) {
    size_t turn = 0;
    for (const AttentionSizes& size : sizes) {
      for (const auto& kind : kinds) {
        AttentionCase test(size, turn % 3 == 0 ? 0.25f : 0.0f, turn, 130 + turn);
        test.options.softcap = kind.softcap;
        test.options.slope = kind.slope;
        test.options.window = kind.window;
        test.options.causal = kind.causal;
        ++turn;
        INFO("target " << target << ", " << test.Describe());
        test.RunTiled();
        test.CheckForward();
        test.CheckBackward();
        test.RunPlain();
        test.CheckWeights();
        test.CheckBackward();
        CHECK(test.Intact());
      }
    }
  });
}

TEST_CASE("attention: a query over a ring of keys sees what it would in order") {
  const size_t keys = 40, width = 8;
  ForEachTarget([&](const char* target) {
    for (const size_t window : {0, 1, 7, 40, 99}) {
      for (const float slope : {0.0f, 0.25f}) {
        AttentionCase ordered({1, keys, width}, 0.0f, 0, 5);
        ordered.options.window = window;
        ordered.options.slope = slope;
        ordered.RunForward();
        const std::vector<float> expected = ordered.out.Values();
        for (const size_t newest : {size_t{0}, size_t{3}, size_t{38}, keys - 1}) {
          INFO("target " << target << ", window " << window << ", slope " << slope << ", newest "
                         << newest);
          // Key j in order lies in row (newest + 1 + j) mod keys.
          AttentionCase ring({1, keys, width}, 0.0f, 0, 5);
          const auto turned = [&](const std::vector<float>& rows) {
            std::vector<float> result(rows.size());
            for (size_t j = 0; j < keys; ++j) {
              std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(j * width), width,
                          result.begin() +
                              static_cast<std::ptrdiff_t>((newest + 1 + j) % keys * width));
            }
            return result;
          };
          ring.k.Set(turned(ring.k.Values()));
          ring.v.Set(turned(ring.v.Values()));
          ring.options = ordered.options;
          ring.options.newest = newest;
          ring.RunForward();
          HEED_CHECK_NEAR(Near("out", expected, ring.out.Values(), {1e-6, 0.0}, {1, width}));
        }
      }
    }
  });
}

TEST_CASE("attention: the plain twin matches double and keeps exact zeros where masked") {
  ForEachTarget([&](const char* target) {
    size_t turn = 0;
    for (const AttentionSizes& size :
         {AttentionSizes{1, 1, 1}, {5, 5, 3}, {17, 17, 33}, {2, 5, 4}, {1, 9, 8}, {70, 70, 16}}) {
      for (const float dropout : {0.0f, 0.25f}) {
        AttentionCase test(size, dropout, turn, 50 + turn);
        ++turn;
        INFO("target " << target << ", " << test.Describe());
        test.RunPlain();
        test.CheckForward();
        test.CheckWeights();
        test.CheckBackward();
        CHECK(test.Intact());
      }
    }
  });
}

TEST_CASE("attention: gradients match the complex step") {
  ForEachTarget([&](const char* target) {
    for (const float dropout : {0.0f, 0.5f}) {
      AttentionCase test({9, 13, 5}, dropout, 0, 3);
      if (dropout > 0.0f) {
        test.options.softcap = 1.25f;
        test.options.slope = 0.25f;
        test.options.window = 6;
      }
      INFO("target " << target << ", " << test.Describe());
      test.RunTiled();
      test.CheckComplexStep();
    }
  });
}

TEST_CASE("attention: tiled and plain agree") {
  ForEachTarget([&](const char* target) {
    for (const AttentionSizes& size : {AttentionSizes{64, 64, 32}, {150, 150, 64}, {40, 170, 20}}) {
      AttentionCase tiled(size, 0.1f, 0, 7), plain(size, 0.1f, 0, 7);
      INFO("target " << target << ", " << tiled.Describe());
      tiled.RunTiled();
      plain.RunPlain();
      const Tolerance tolerance{1e-5, 1e-5};
      HEED_CHECK_NEAR(Near("out", plain.out.Values(), tiled.out.Values(), tolerance));
      HEED_CHECK_NEAR(Near("d_q", plain.d_q.Values(), tiled.d_q.Values(), tolerance));
      HEED_CHECK_NEAR(Near("d_k", plain.d_k.Values(), tiled.d_k.Values(), tolerance));
      HEED_CHECK_NEAR(Near("d_v", plain.d_v.Values(), tiled.d_v.Values(), tolerance));
    }
  });
}

TEST_CASE("attention: queries are the last positions of the keys (R068)") {
  // With equal scores every visible key weighs the same, so out counts them: value j is 1 at j.
  ForEachTarget([&](const char* target) {
    INFO("target " << target);
    for (const AttentionSizes& size : {AttentionSizes{2, 5, 9}, {1, 9, 9}, {6, 9, 9}}) {
      const std::vector<float> q(size.query_time * size.head_width),
          k(size.key_time * size.head_width, 1.0f);
      std::vector<float> v(size.key_time * size.head_width);
      for (size_t j = 0; j < size.key_time; ++j) v[j * size.head_width + j % 9] = 1.0f;
      std::vector<float> out(q.size()), lse(size.query_time);
      std::vector<float> scratch(
          AttentionScratchFloats(size.query_time, size.key_time, size.head_width));
      std::vector<float> weights(size.query_time * size.key_time), plain(q.size());
      const ConstMatrix q_view(q.data(), size.query_time, size.head_width);
      const ConstMatrix k_view(k.data(), size.key_time, size.head_width);
      const ConstMatrix v_view(v.data(), size.key_time, size.head_width);
      AttentionForward(q_view, k_view, v_view, {}, {out.data(), size.query_time, size.head_width},
                       {lse.data(), lse.size()}, {scratch.data(), scratch.size()});
      AttentionPlainForward(q_view, k_view, v_view, {},
                            {plain.data(), size.query_time, size.head_width},
                            {weights.data(), size.query_time, size.key_time});
      for (size_t i = 0; i < size.query_time; ++i) {
        const size_t allowed = size.key_time - size.query_time + i + 1;
        INFO("query " << i << " of " << size.query_time << ", keys " << size.key_time);
        size_t seen = 0, seen_plain = 0, weighted = 0;
        for (size_t c = 0; c < size.head_width; ++c) {
          seen += out[i * size.head_width + c] > 0.0f;
          seen_plain += plain[i * size.head_width + c] > 0.0f;
        }
        for (size_t j = 0; j < size.key_time; ++j)
          weighted += weights[i * size.key_time + j] > 0.0f;
        CHECK(seen == allowed);
        CHECK(seen_plain == allowed);
        CHECK(weighted == allowed);
        CHECK(std::abs(lse[i] - std::log(static_cast<float>(allowed))) <= 1e-6f);
      }
    }
  });
}

TEST_CASE("attention: decoding 64 tokens one by one equals the whole pass (R068)") {
  ForEachTarget([&](const char* target) {
    AttentionCase whole({64, 64, 32}, 0.0f, 0, 21);
    whole.RunTiled();
    const std::vector<float> expected = whole.out.Values();
    for (const size_t step : {1, 3, 5, 7}) {  // queries a call
      INFO("target " << target << ", " << step << " queries a call");
      std::vector<float> out(expected.size());
      for (size_t first = 0; first < 64; first += step) {
        const size_t queries = std::min<size_t>(step, 64 - first), keys = first + queries;
        std::vector<float> lse(queries), scratch(AttentionScratchFloats(queries, keys, 32));
        AttentionForward(whole.q.matrix().Rows(first, queries), whole.k.matrix().Rows(0, keys),
                         whole.v.matrix().Rows(0, keys), whole.options,
                         {out.data() + first * 32, queries, 32}, {lse.data(), queries},
                         {scratch.data(), scratch.size()});
      }
      HEED_CHECK_NEAR(Near("out", expected, out, {1e-5, 0.0}, {64, 32}));
    }
  });
}

TEST_CASE("attention: a later token changes no bit of an earlier row (R069)") {
  ForEachTarget([&](const char* target) {
    for (const size_t time : {64, 140}) {
      AttentionCase test({time, time, 16}, 0.0f, 0, 22);
      test.RunTiled();
      const std::vector<float> before = test.out.Values();
      const std::vector<float> k = test.k.Values(), v = test.v.Values();
      for (size_t changed = 1; changed < time; changed += time == 64 ? 1 : 13) {
        INFO("target " << target << ", length " << time << ", changed token " << changed);
        std::vector<float> k_new = k, v_new = v;
        for (size_t c = 0; c < 16; ++c) {
          k_new[changed * 16 + c] += 100.0f;
          v_new[changed * 16 + c] -= 50.0f;
        }
        test.k.Set(k_new);
        test.v.Set(v_new);
        test.RunTiled();
        const std::vector<float> after = test.out.Values();
        const auto rows = static_cast<std::ptrdiff_t>(changed * 16);
        CHECK(SameBits({before.begin(), before.begin() + rows},
                       {after.begin(), after.begin() + rows}));
        CHECK_FALSE(SameBits(before, after));
      }
    }
  });
}

TEST_CASE("attention: masked scores 1e6 above the visible ones weigh exactly 0 (R070)") {
  ForEachTarget([&](const char* target) {
    INFO("target " << target);
    const size_t time = 40, width = 4;
    // score_ij = q_i.k_j is 1e6 + small for j <= i and 2e6 for later keys, for the row tested.
    for (size_t row = 0; row < time; ++row) {
      std::vector<float> q(time * width, 0.0f), k(time * width, 0.0f), v(time * width, 1.0f);
      for (size_t i = 0; i < time; ++i) {
        q[i * width] = 1000.0f;
        k[i * width] = i <= row ? 1000.0f + 0.001f * static_cast<float>(i) : 2000.0f;
      }
      std::vector<float> out(time * width), plain(time * width), weights(time * time), lse(time);
      std::vector<float> scratch(AttentionScratchFloats(time, time, width));
      AttentionForward({q.data(), time, width}, {k.data(), time, width}, {v.data(), time, width},
                       {}, {out.data(), time, width}, {lse.data(), time},
                       {scratch.data(), scratch.size()});
      AttentionPlainForward({q.data(), time, width}, {k.data(), time, width},
                            {v.data(), time, width}, {}, {plain.data(), time, width},
                            {weights.data(), time, time});
      double sum = 0.0;
      size_t leaks = 0;
      for (size_t j = 0; j < time; ++j) {
        sum += double{weights[row * time + j]};
        leaks += j > row && weights[row * time + j] != 0.0f;
      }
      INFO("row " << row);
      CHECK(leaks == 0);
      CHECK(std::abs(sum - 1.0) <= 1e-6);
      for (size_t c = 0; c < width; ++c) {  // all values are 1: the tiled row's weights sum to 1
        CHECK(std::abs(out[row * width + c] - 1.0f) <= 1e-6f);
      }
    }
  });
}

TEST_CASE("attention: a row without a loss has gradient 0 and disturbs no other (R067)") {
  // A padded position gets no upstream gradient. Its own row must give exactly 0, and the others
  // what they give alone.
  ForEachTarget([&](const char* target) {
    INFO("target " << target);
    AttentionCase test({20, 20, 8}, 0.0f, 0, 23);
    std::vector<float> upstream(20 * 8, 0.0f);
    test.d_out.Set(upstream);
    test.RunTiled();
    for (const float value : test.d_q.Values()) CHECK(value == 0.0f);
    for (size_t c = 0; c < 8; ++c) upstream[5 * 8 + c] = 1.0f;
    test.d_out.Set(upstream);
    test.RunTiled();
    const auto d_q = test.d_q.Values(), d_v = test.d_v.Values();
    for (size_t i = 0; i < d_q.size(); ++i) {
      INFO("element " << i);
      CHECK(std::isfinite(d_q[i]));
      if (i / 8 != 5) CHECK(d_q[i] == 0.0f);
    }
    for (size_t i = 6 * 8; i < d_v.size(); ++i) CHECK(d_v[i] == test.start_d_v[i]);
  });
}

TEST_CASE("attention: a NaN in one query or key reaches every row that sees it (R059)") {
  ForEachTarget([&](const char* target) {
    for (const size_t time : {3, 30, 140}) {
      INFO("target " << target << ", length " << time);
      const size_t place = time / 2;
      AttentionCase query({time, time, 8}, 0.0f, 0, 24), key({time, time, 8}, 0.0f, 0, 24);
      query.q.data()[place * query.q.matrix().stride] = kNan;
      key.k.data()[place * key.k.matrix().stride + 7] = kNan;
      query.RunForward();
      key.RunForward();
      const auto by_query = query.out.Values(), by_key = key.out.Values();
      const auto lse = key.lse.Values();
      for (size_t i = 0; i < time * 8; ++i) {
        CHECK(std::isnan(by_query[i]) == (i / 8 == place));
        if (i / 8 >= place) CHECK(std::isnan(by_key[i]));
      }
      for (size_t i = place; i < time; ++i) CHECK(std::isnan(lse[i]));
    }
  });
}

TEST_CASE("attention: scratch grows with the length, not with its square") {
  const size_t at_1k = AttentionScratchFloats(1024, 1024, 64);
  const size_t at_8k = AttentionScratchFloats(8192, 8192, 64);
  CHECK(at_8k <= 8 * at_1k);
}

}  // namespace
}  // namespace heed::test
