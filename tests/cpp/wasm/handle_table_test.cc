// SPDX-License-Identifier: MIT
#include "wasm/handle_table.h"

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <set>
#include <vector>

namespace heed {
namespace {

// Counts how many are alive, and writes down the order of their ends.
struct Tracked {
  Tracked(int name_in, std::vector<int>* ended_in) : name(name_in), ended(ended_in) {}
  Tracked(Tracked&& other) noexcept : name(other.name), ended(other.ended) {
    other.ended = nullptr;
  }
  ~Tracked() {
    if (ended != nullptr) ended->push_back(name);
  }
  int name;
  std::vector<int>* ended;
};

TEST_CASE("a handle finds its object until it is removed (K02 R009)", "[wasm][handles]") {
  std::vector<int> ended;
  HandleTable<Tracked> table;
  const Handle first = table.Add(Tracked(1, &ended), 0);
  const Handle second = table.Add(Tracked(2, &ended), 0);
  REQUIRE(first != 0);
  REQUIRE(table.Get(first)->name == 1);
  REQUIRE(table.Get(second)->name == 2);
  REQUIRE(table.live() == 2);
  REQUIRE(table.Remove(first));
  REQUIRE(ended == std::vector<int>{1});
  REQUIRE(table.Get(first) == nullptr);
  REQUIRE_FALSE(table.Remove(first));
  REQUIRE(table.Get(second)->name == 2);
  REQUIRE(table.live() == 1);
}

TEST_CASE("a reused index does not revive an old handle", "[wasm][handles]") {
  std::vector<int> ended;
  HandleTable<Tracked> table;
  std::set<Handle> seen;
  Handle last = 0;
  for (int i = 0; i < 1000; ++i) {
    const Handle handle = table.Add(Tracked(i, &ended), 0);
    REQUIRE(seen.insert(handle).second);
    REQUIRE(table.Get(last) == nullptr);
    REQUIRE(handle < (Handle{1} << 53));
    table.Remove(handle);
    last = handle;
  }
  REQUIRE(table.live() == 0);
  REQUIRE(ended.size() == 1000);
}

TEST_CASE("numbers that name nothing are found out", "[wasm][handles]") {
  std::vector<int> ended;
  HandleTable<Tracked> table;
  const Handle handle = table.Add(Tracked(1, &ended), 0);
  for (const Handle wrong : {Handle{0}, handle + 1, handle ^ (Handle{1} << 20), ~Handle{0},
                             Handle{1} << 52, handle | 0xFFFFF}) {
    CAPTURE(wrong);
    REQUIRE(table.Get(wrong) == nullptr);
    REQUIRE_FALSE(table.Remove(wrong));
  }
}

TEST_CASE("children go before their parent, grandchildren before them", "[wasm][handles]") {
  std::vector<int> ended;
  HandleTable<Tracked> table;
  const Handle parent = table.Add(Tracked(1, &ended), 0);
  const Handle child = table.Add(Tracked(2, &ended), parent);
  table.Add(Tracked(3, &ended), child);
  const Handle other = table.Add(Tracked(4, &ended), 0);
  int children = 0;
  table.ForEachChild(parent, [&](Tracked& object) {
    REQUIRE(object.name == 2);
    ++children;
  });
  REQUIRE(children == 1);
  REQUIRE(table.Remove(parent));
  REQUIRE(ended == std::vector<int>{3, 2, 1});
  REQUIRE(table.Get(other)->name == 4);
}

TEST_CASE("the table grows and frees everything at its end", "[wasm][handles]") {
  std::vector<int> ended;
  {
    HandleTable<Tracked> table;
    std::vector<Handle> handles;
    for (int i = 0; i < 100; ++i) handles.push_back(table.Add(Tracked(i, &ended), 0));
    for (int i = 0; i < 100; ++i) REQUIRE(table.Get(handles[static_cast<size_t>(i)])->name == i);
    REQUIRE(table.live() == 100);
    table.Remove(handles[50]);
  }
  REQUIRE(ended.size() == 100);
}

}  // namespace
}  // namespace heed
