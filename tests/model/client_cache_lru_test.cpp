#include <algorithm>
#include <list>
#include <vector>

#include "catch.h"
#include "model/client_cache/lru_cache.h"
#include "sim/rng.h"
#include "workloads/computed_tree.h"

namespace recirc::model::client_cache {
namespace {

using workloads::ComputedTree;
using workloads::PathId;

ComputedTree small_tree() {
  workloads::TreeShape shape;
  shape.branching = 3;
  shape.directory_levels = 5;
  shape.files = 1'000;
  return ComputedTree(shape);
}

/// The directories of a path, from level 1 down.
std::vector<PathId> path_to(const ComputedTree& tree, PathId directory) {
  std::vector<PathId> path;
  for (; tree.depth(directory) > 0; directory = tree.parent(directory)) path.push_back(directory);
  std::reverse(path.begin(), path.end());
  return path;
}

/// A list in the order of use that moves every directory of a path, the deepest first.
class PlainLru {
 public:
  PlainLru(const EntrySize& size, std::uint64_t capacity) : size_(size), capacity_(capacity) {}

  bool contains(PathId directory) const {
    return std::find(order_.begin(), order_.end(), directory) != order_.end();
  }
  void use(const std::vector<PathId>& path) {
    for (std::size_t i = path.size(); i-- > 0;) {
      if (!contains(path[i])) continue;
      order_.remove(path[i]);
      order_.push_front(path[i]);
    }
  }
  void add(const std::vector<PathId>& path, std::size_t level) {
    order_.push_front(path[level]);
    bytes_ += size_.of(path[level]);
    use({path.begin(), path.begin() + static_cast<std::ptrdiff_t>(level) + 1});
    while (bytes_ > capacity_) {
      bytes_ -= size_.of(order_.back());
      order_.pop_back();
    }
  }
  std::uint64_t bytes() const { return bytes_; }

 private:
  EntrySize size_;
  std::uint64_t capacity_;
  std::uint64_t bytes_ = 0;
  std::list<PathId> order_;
};

TEST_CASE("a client's cache holds what an LRU list that moves whole paths would hold",
          "[client_cache]") {
  const ComputedTree tree = small_tree();
  const EntrySize size{tree, 40};
  for (const std::uint64_t capacity : {0U, 150U, 700U, 3'000U, 20'000U, 1'000'000U}) {
    LruCache cache;
    PlainLru plain(size, capacity);
    sim::CounterRng rng = sim::RngFactory{capacity, 0}.stream("uses");
    for (int i = 0; i < 3'000; ++i) {
      // Half of the uses go to the first few directories.
      const std::uint64_t among = rng.next() % 2 == 0 ? 20 : tree.directories();
      const auto path = path_to(tree, PathId{static_cast<std::uint32_t>(rng.next() % among)});
      std::size_t cached = path.size();
      while (cached > 0 && !cache.contains(path[cached - 1])) --cached;
      if (cached > 0) cache.use(path[cached - 1]);
      plain.use(path);
      for (std::size_t level = cached; level < path.size(); ++level) {
        if (level > 0 && !cache.contains(path[level - 1])) break;
        cache.add(path[level], size);
        plain.add(path, level);
        while (cache.bytes() > capacity) cache.evict(size);
      }
      REQUIRE(cache.bytes() == plain.bytes());
      REQUIRE(cache.bytes() <= capacity);
      for (const PathId directory : path) {
        REQUIRE(cache.contains(directory) == plain.contains(directory));
      }
    }
    std::uint64_t bytes = 0;
    std::size_t entries = 0;
    for (std::uint32_t d = 1; d < tree.directories(); ++d) {
      const bool held = cache.contains(PathId{d});
      REQUIRE(held == plain.contains(PathId{d}));
      if (!held) continue;
      ++entries;
      bytes += size.of(PathId{d});
      const PathId parent = tree.parent(PathId{d});
      REQUIRE((parent.value() == 0 || cache.contains(parent)));
    }
    CHECK(bytes == cache.bytes());
    CHECK(entries == cache.size());
  }
}

TEST_CASE("a directory is not evicted before what is below it", "[client_cache]") {
  const ComputedTree tree = small_tree();
  const EntrySize size{tree, 40};
  LruCache cache;
  const auto deep = path_to(tree, PathId{tree.directories() - 1});
  for (const PathId directory : deep) cache.add(directory, size);
  cache.use(deep.front());
  for (std::size_t i = deep.size(); i-- > 0;) CHECK(cache.evict(size) == deep[i]);
  CHECK(cache.size() == 0);
  CHECK(cache.bytes() == 0);
}

}  // namespace
}  // namespace recirc::model::client_cache
