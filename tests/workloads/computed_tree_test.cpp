#include "workloads/computed_tree.h"

#include <map>
#include <set>
#include <string>

#include "catch.h"
#include "sim/error.h"

using namespace recirc::workloads;

namespace {

const ComputedTree& paper_tree() {
  static const ComputedTree tree{TreeShape{}};
  return tree;
}

/// The slow truth: the key of every prefix of the path string that ends before a slash.
void check_level_keys(const ComputedTree& tree, PathId path) {
  LevelKeys keys;
  tree.level_keys(path, keys);
  const std::string text = tree.path(path);
  REQUIRE(keys.depth == tree.depth(path));
  CHECK(keys.keys[0] == key_of("/"));
  unsigned level = 0;
  for (std::size_t end = 1; path.value() != 0 && end <= text.size(); ++end) {
    if (end != text.size() && text[end] != '/') continue;
    ++level;
    CHECK(keys.keys[level] == key_of(text.substr(0, end)));
  }
  CHECK(level == keys.depth);
  CHECK(tree.key(path) == key_of(text));
  CHECK(tree.path_length(path) == text.size());
}

}  // namespace

TEST_CASE("the paper's tree has 87,381 directories and a mean file depth of 8.667") {
  const ComputedTree& tree = paper_tree();
  CHECK(tree.directories() == 87'381);
  CHECK(tree.size() == 87'381 + 31'981'446ULL);
  CHECK(tree.mean_file_depth() == Approx(8.66669).epsilon(1e-5));
  std::map<unsigned, int> by_depth;
  for (std::uint64_t i = 0; i < tree.directories(); ++i) ++by_depth[tree.depth(tree.file(i))];
  CHECK(by_depth[9] == 65'536);
  CHECK(by_depth[8] == 16'384);
  CHECK(by_depth[1] == 1);
}

TEST_CASE("depths hardly change with the number of files") {
  const ComputedTree small{{.files = 1'000'000}};
  CHECK(small.directories() == 87'381);
  CHECK(small.mean_file_depth() == Approx(8.667).margin(0.02));
  std::uint64_t all = 0;
  for (unsigned level = 0; level <= 8; ++level) all += small.files_on_level(level);
  CHECK(all == 1'000'000);
}

TEST_CASE("the deepest paths have 198 bytes and parents are prefixes") {
  const ComputedTree& tree = paper_tree();
  const PathId deepest = tree.file(tree.directories() - 1);
  CHECK(tree.path_length(deepest) == 198);
  for (PathId path = deepest; path.value() != 0; path = tree.parent(path)) {
    const PathId parent = tree.parent(path);
    CHECK(tree.depth(parent) + 1 == tree.depth(path));
    CHECK(tree.is_directory(parent));
    if (parent.value() == 0) break;
    CHECK(tree.path(path).substr(0, tree.path_length(parent) + 1) == tree.path(parent) + '/');
  }
  CHECK(tree.path(PathId{0}) == "/");
  CHECK(tree.parent(PathId{0}) == PathId{0});
  CHECK(tree.depth(PathId{0}) == 0);
}

TEST_CASE("every level's key is the MD5 of its path") {
  const ComputedTree& tree = paper_tree();
  for (const std::uint64_t i :
       {0ULL, 1ULL, 4ULL, 20ULL, 12'345ULL, 87'380ULL, 87'381ULL, 1'000'000ULL, 31'981'445ULL}) {
    check_level_keys(tree, tree.file(i));
  }
  for (const std::uint32_t d : {0U, 1U, 5U, 87'380U}) check_level_keys(tree, PathId{d});
}

TEST_CASE("other trees keep their paths at 198 bytes") {
  struct Shape {
    std::uint32_t branching, levels, directories;
  };
  // the paper's trees of depth 4, 6 and 8, counted with the root
  for (const Shape s : {Shape{296, 2, 87'913}, {17, 4, 88'741}, {7, 6, 137'257}, {1, 5, 6}}) {
    const ComputedTree tree{{s.branching, s.levels, 1'000'000, 198}};
    CHECK(tree.directories() == s.directories);
    const PathId deepest = tree.file(tree.directories() - 1);
    CHECK(tree.path(deepest).size() == 198);
    CHECK(tree.depth(deepest) == s.levels + 1);
    check_level_keys(tree, deepest);
    check_level_keys(tree, tree.file(999'999));
  }
}

TEST_CASE("paths of a small tree are all different") {
  const ComputedTree tree{{.branching = 3, .directory_levels = 2, .files = 100}};
  std::set<std::string> paths;
  std::set<Key> keys;
  for (std::uint32_t p = 0; p < tree.size(); ++p) {
    paths.insert(tree.path(PathId{p}));
    keys.insert(tree.key(PathId{p}));
    CHECK(tree.exists_at_start(PathId{p}));
  }
  CHECK(paths.size() == 13 + 100);
  CHECK(keys.size() == paths.size());
}

TEST_CASE("a directory without files has children only above the last level") {
  const ComputedTree tree{{.branching = 2, .directory_levels = 2, .files = 5}};
  CHECK(tree.has_children(PathId{2}));        // a directory above
  CHECK(tree.has_children(PathId{4}));        // file 4
  CHECK_FALSE(tree.has_children(PathId{5}));  // no file left
  CHECK_FALSE(tree.has_children(tree.file(0)));
}

TEST_CASE("a billion files fit, and what does not fit is explained") {
  const ComputedTree large{{.files = 1'000'000'000}};
  check_level_keys(large, large.file(999'999'999));
  CHECK_THROWS_AS(ComputedTree({.files = 4'294'967'295}), recirc::sim::ConfigError);
  CHECK_THROWS_AS(ComputedTree({.files = 0}), recirc::sim::ConfigError);
  CHECK_THROWS_AS(ComputedTree({.branching = 2'000'000, .directory_levels = 1}),
                  recirc::sim::ConfigError);
  CHECK_THROWS_AS(ComputedTree({.branching = 1'000'000, .directory_levels = 60}),
                  recirc::sim::ConfigError);
  CHECK_THROWS_AS(ComputedTree({.branching = 1, .directory_levels = 64}), recirc::sim::ConfigError);
  const auto issues = problems_of({.longest_path = 60});
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].pointer == "/tree/longest_path");
}
