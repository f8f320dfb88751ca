#include "workloads/cached_paths.h"

#include <set>

#include "catch.h"
#include "sim/error.h"
#include "workloads/file_ops.h"

namespace recirc::workloads {
namespace {

struct World {
  ComputedTree tree{TreeShape{3, 4, 5'000, 60}};
  RankPlacement placement{tree, Placement::shuffled, 1};
  sim::RngFactory rng{1, 0};

  [[nodiscard]] CachedPathsSource source(unsigned depth, std::uint64_t files = 50) const {
    OpWeights weights{};
    weights[static_cast<std::size_t>(OpKind::stat)] = 1;
    return {std::make_shared<MixSource>(tree, placement, weights, 0.9, 2'000, rng), tree, depth,
            files, rng};
  }
};

TEST_CASE(
    "every operation is on a cached path at the depth asked for, and all such are asked for") {
  const World world;
  for (unsigned depth = 1; depth <= 5; ++depth) {
    const CachedPathsSource source = world.source(depth);
    std::set<PathId> cached;
    for (PathId path : source.hottest(50)) {
      for (; world.tree.depth(path) > 0; path = world.tree.parent(path)) cached.insert(path);
    }
    std::size_t at_depth = 0;
    for (const PathId path : cached) at_depth += world.tree.depth(path) == depth ? 1 : 0;
    std::set<PathId> seen;
    for (std::uint64_t i = 0; i < source.size(); ++i) {
      const Operation operation = source.at(i);
      CHECK(operation.index == i);
      CHECK(world.tree.depth(operation.path) == depth);
      CHECK(cached.count(operation.path) == 1);
      CHECK((operation.kind == OpKind::statdir) == world.tree.is_directory(operation.path));
      seen.insert(operation.path);
    }
    CHECK(seen.size() == at_depth);
  }
}

TEST_CASE("a depth that no cached path has is refused") {
  const World world;
  CHECK_THROWS_AS(world.source(6), sim::ConfigError);
}

}  // namespace
}  // namespace recirc::workloads
