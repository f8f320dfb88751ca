#include <bit>
#include <set>

#include "catch.h"
#include "model/fletch/cache_directory.h"
#include "model/fletch/leaves.h"
#include "sim/error.h"
#include "sim/rng.h"
#include "workloads/computed_tree.h"

namespace recirc::model::fletch {
namespace {

using workloads::ComputedTree;
using workloads::PathId;

TEST_CASE("a row takes records until what is left is too small", "[fletch]") {
  RowAllocator rows(2);
  for (int i = 0; i < 3; ++i) CHECK(rows.allocate(5)->row == 0);
  CHECK(rows.allocate(3)->row == 1);  // one slot of row 0 is left
  CHECK(rows.allocate(1)->row == 0);
  CHECK(rows.allocate(5)->row == 1);
  CHECK(rows.allocate(5)->row == 1);
  CHECK(rows.allocate(3)->row == 1);
  CHECK(!rows.allocate(1));
  CHECK(rows.slots_used() == 32);
}

TEST_CASE("rows never give a slot twice, whatever the order of releases", "[fletch]") {
  RowAllocator rows(50);
  sim::CounterRng rng = sim::RngFactory{7, 0}.stream("rows");
  std::vector<RowAllocator::Place> held;
  std::vector<std::uint16_t> used(50);
  for (int i = 0; i < 5'000; ++i) {
    if (rng.next() % 5 < 3) {
      const unsigned slots = rng.next() % 2 == 0 ? 3 : 5;
      const auto place = rows.allocate(slots);
      if (!place) continue;
      REQUIRE(std::popcount(place->slots) == static_cast<int>(slots));
      REQUIRE((used[place->row] & place->slots) == 0);
      used[place->row] = static_cast<std::uint16_t>(used[place->row] | place->slots);
      held.push_back(*place);
    } else if (!held.empty()) {
      const std::size_t at = rng.next() % held.size();
      used[held[at].row] = static_cast<std::uint16_t>(used[held[at].row] & ~held[at].slots);
      rows.release(held[at]);
      held[at] = held.back();
      held.pop_back();
    }
  }
  for (const auto& place : held) rows.release(place);
  CHECK(rows.rows_used() == 0);
  CHECK(rows.slots_used() == 0);
  CHECK_THROWS_AS(rows.release({0, 1}), sim::InvariantBroken);
}

TEST_CASE("paths with the same key get tokens of their own and keep them", "[fletch]") {
  TokenMap tokens;
  CHECK(tokens.assign(PathId{10}, 99) == 1);
  CHECK(tokens.assign(PathId{11}, 99) == 2);
  CHECK(tokens.assign(PathId{12}, 98) == 1);
  CHECK(tokens.assign(PathId{10}, 99) == 1);
  CHECK(tokens.assign(PathId{11}, 99) == 2);
  CHECK(tokens.of(PathId{11}) == 2);
  CHECK(tokens.of(PathId{77}) == 1);
  for (unsigned i = 3; i <= 255; ++i) CHECK(tokens.assign(PathId{100 + i}, 99) == i);
  CHECK(!tokens.assign(PathId{1'000}, 99));
  CHECK(tokens.assign(PathId{355}, 99) == 255);
}

struct Cached {
  ComputedTree tree{{.branching = 2, .directory_levels = 2, .files = 70, .longest_path = 60}};
  CacheDirectory directory{tree, 100, 1'000};
  Leaves leaves{directory, true};

  CacheEntry::Index add(PathId path) {
    CacheEntry::Index index = CacheEntry::none;
    REQUIRE(directory.add(path, 0, 3, index) == CacheDirectory::Failure::none);
    leaves.added(index);
    return index;
  }
};

TEST_CASE("the directory hangs paths under their parents and gives room back", "[fletch]") {
  Cached c;
  const auto root = c.add(PathId{0});
  const auto top = c.add(PathId{1});
  const auto low = c.add(PathId{3});
  const auto file = c.add(c.tree.file(3));
  CHECK(c.directory[file].parent == low);
  CHECK(c.directory[low].parent == top);
  CHECK(c.directory[top].parent == root);
  CHECK(c.directory.entries() == 4);
  CHECK(c.leaves.size() == 1);
  CHECK_THROWS_AS(c.directory.remove(top), sim::InvariantBroken);

  c.leaves.removing(file);
  const CacheEntry gone = c.directory.remove(file);
  CHECK(!c.directory.contains(gone.path, 0));
  CHECK(c.directory.rows(0).slots_used() == 12);
  c.directory.release(gone);
  CHECK(c.directory.rows(0).slots_used() == 9);
  CHECK(c.leaves.coldest(5, {}) == std::vector{low});
}

TEST_CASE("the coldest leaves come first and a newcomer's ancestors are spared", "[fletch]") {
  Cached c;
  c.add(PathId{0});
  c.add(PathId{1});
  const auto a = c.add(c.tree.file(1));
  const auto b = c.add(c.tree.file(8));
  const auto d = c.add(PathId{2});
  CHECK(c.leaves.coldest(9, {}) == std::vector{a, b, d});
  c.leaves.set_frequency(a, 7);
  CHECK(c.leaves.coldest(2, {}) == std::vector{b, d});
  CHECK(c.leaves.coldest(9, {PathId{2}}) == std::vector{b, a});
  c.leaves.reset();
  CHECK(c.leaves.coldest(1, {}) == std::vector{a});
}

TEST_CASE("the directory holds no more paths than it may", "[fletch]") {
  ComputedTree tree({.branching = 2, .directory_levels = 2, .files = 70, .longest_path = 60});
  CacheDirectory directory(tree, 100, 2);
  CacheEntry::Index index = CacheEntry::none;
  CHECK(directory.add(PathId{0}, 0, 3, index) == CacheDirectory::Failure::none);
  CHECK(directory.add(PathId{1}, 0, 3, index) == CacheDirectory::Failure::none);
  CHECK(directory.add(PathId{2}, 0, 3, index) == CacheDirectory::Failure::no_entry);
}

}  // namespace
}  // namespace recirc::model::fletch
