#include <string>
#include <unordered_map>

#include "catch.h"
#include "sim/rng.h"
#include "workloads/interned_tree.h"
#include "workloads/path_key.h"

using namespace recirc::workloads;

TEST_CASE("A path and its ancestors are interned once, with their keys") {
  InternedTree tree;
  const PathId c = tree.intern("/a/bb/c");
  CHECK(tree.size() == 4);
  CHECK(tree.intern("/a/bb/c") == c);
  CHECK(tree.find("/a/bb/c") == c);
  CHECK(tree.find("/a/c").is_none());
  CHECK(tree.find("/") == PathId{0});
  CHECK(tree.path(c) == "/a/bb/c");
  CHECK(tree.path(PathId{0}) == "/");
  CHECK(tree.depth(c) == 3);
  CHECK(tree.path_length(c) == 7);
  CHECK(tree.path(tree.parent(c)) == "/a/bb");
  CHECK(tree.parent(PathId{0}) == PathId{0});
  LevelKeys keys;
  tree.level_keys(c, keys);
  CHECK(keys.depth == 3);
  CHECK(keys.keys[0] == key_of("/"));
  CHECK(keys.keys[1] == key_of("/a"));
  CHECK(keys.keys[2] == key_of("/a/bb"));
  CHECK(keys.keys[3] == key_of("/a/bb/c"));
  CHECK(tree.key(c) == keys.keys[3]);
  CHECK(tree.key(c) == 0xb1be'a790'36f3'6d9cU);
}

TEST_CASE("A large tree finds every path again") {
  InternedTree tree;
  recirc::sim::CounterRng rng{7};
  std::unordered_map<std::string, PathId> known;
  for (int i = 0; i < 50'000; ++i) {
    std::string path;
    for (std::uint64_t level = 0; level <= rng.next() % 6; ++level) {
      path += "/" + std::to_string(rng.next() % 20);
    }
    const PathId id = tree.intern(path);
    const auto [entry, added] = known.emplace(path, id);
    if (!added && entry->second != id) FAIL(path);
  }
  for (const auto& [path, id] : known) {
    if (tree.path(id) != path || tree.find(path) != id || tree.key(id) != key_of(path)) FAIL(path);
  }
  CHECK(tree.size() > known.size());
}

TEST_CASE("What was used before it was created existed, as did all above it") {
  InternedTree tree;
  tree.note_use(tree.intern("/old/dir/file"));
  for (const char* path : {"/", "/old", "/old/dir", "/old/dir/file"}) {
    CHECK(tree.exists_at_start(tree.find(path)));
  }
  tree.note_creation(tree.intern("/old/dir/file"));  // too late to matter
  CHECK(tree.exists_at_start(tree.find("/old/dir/file")));
  CHECK(tree.has_children(tree.find("/old")));
}

TEST_CASE("What was created first did not exist, but what it was created in did") {
  InternedTree tree;
  tree.note_creation(tree.intern("/d/new"));
  tree.note_use(tree.find("/d/new"));
  CHECK(!tree.exists_at_start(tree.find("/d/new")));
  CHECK(tree.exists_at_start(tree.find("/d")));
  CHECK(!tree.has_children(tree.find("/d")));
  CHECK(tree.is_directory(tree.find("/d")));
}

TEST_CASE("What is created in a directory made by the trace leaves that absent") {
  InternedTree tree;
  tree.note_creation(tree.intern("/d/made"));
  tree.note_creation(tree.intern("/d/made/sub/file"));
  CHECK(!tree.exists_at_start(tree.find("/d/made")));
  CHECK(!tree.exists_at_start(tree.find("/d/made/sub/file")));
  CHECK(!tree.exists_at_start(tree.find("/d/made/sub")));  // made with its file
  // What is used in it without having been created was there, and so was the directory.
  tree.note_use(tree.intern("/d/made/was/there"));
  CHECK(tree.exists_at_start(tree.find("/d/made")));
  CHECK(!tree.exists_at_start(tree.find("/d/made/sub")));
}

TEST_CASE("No path exists at the start below one that does not") {
  recirc::sim::CounterRng rng{11};
  InternedTree tree;
  for (int i = 0; i < 20'000; ++i) {
    std::string path;
    for (std::uint64_t level = 0; level <= rng.next() % 5; ++level) {
      path += "/" + std::to_string(rng.next() % 8);
    }
    const PathId id = tree.intern(path);
    switch (rng.next() % 8) {
      case 0:
        tree.note_use(id);
        break;
      case 1:
        tree.note_denied(id);
        break;
      default:
        tree.note_creation(id);
    }
  }
  std::size_t absent = 0;
  for (std::uint32_t i = 0; i < tree.size(); ++i) {
    const PathId path{i};
    if (!tree.exists_at_start(path)) ++absent;
    const bool above = tree.exists_at_start(tree.parent(path));
    if (tree.exists_at_start(path) && !above) FAIL(tree.path(path));
  }
  CHECK(absent > 100);
}

TEST_CASE("A refused creation creates nothing and decides nothing") {
  InternedTree tree;
  tree.note_denied(tree.intern("/d/x"));
  CHECK(tree.exists_at_start(tree.find("/d")));
  CHECK(!tree.exists_at_start(tree.find("/d/x")));
  tree.note_use(tree.find("/d/x"));
  CHECK(tree.exists_at_start(tree.find("/d/x")));
}

TEST_CASE("Directories are told by children, mkdir, listing or their rename") {
  using Evidence = InternedTree::Evidence;
  InternedTree tree;
  const auto evident = [&](const char* path, Evidence evidence) {
    const PathId id = tree.intern(path);
    tree.note_evidence(id, evidence);
    return id;
  };
  CHECK(!tree.is_directory(evident("/unknown", Evidence::none)));
  CHECK(tree.is_directory(evident("/listed", Evidence::listed)));
  CHECK(!tree.is_directory(evident("/opened", Evidence::file)));
  CHECK(tree.is_directory(evident("/made", Evidence::directory)));
  CHECK(!tree.is_directory(evident("/listed", Evidence::file)));
  CHECK(!tree.is_directory(evident("/opened", Evidence::listed)));
  tree.intern("/opened/child");
  CHECK(tree.is_directory(tree.find("/opened")));
  tree.note_same_kind(tree.find("/made"), evident("/moved", Evidence::none));
  CHECK(tree.is_directory(tree.find("/moved")));
  tree.note_same_kind(tree.find("/made"), evident("/file", Evidence::file));
  CHECK(!tree.is_directory(tree.find("/file")));
}

TEST_CASE("What is used below a renamed directory was below its old name at the start") {
  InternedTree tree;
  const auto rename = [&](const char* from, const char* to) {
    const PathId source = tree.intern(from);
    tree.note_use(source);
    const PathId destination = tree.intern(to);
    tree.note_creation(destination);
    tree.note_rename(source, destination);
  };
  const auto at_start = [&](const char* path) {
    const PathId id = tree.find(path);
    return !id.is_none() && tree.exists_at_start(id);
  };
  tree.note_creation(tree.intern("/d/own"));
  rename("/d", "/x");
  rename("/x", "/y");
  rename("/y", "/d");
  tree.note_use(tree.intern("/d/s/f"));
  CHECK(at_start("/d/s/f"));  // it was there, whatever it was called meanwhile
  rename("/d", "/z");
  tree.note_use(tree.intern("/z/s/g"));
  CHECK(at_start("/d/s/g"));
  CHECK(!at_start("/z/s/g"));
  CHECK(!at_start("/z/s"));
  tree.note_use(tree.intern("/z/own"));
  CHECK(!at_start("/d/own"));  // made there
  CHECK(!at_start("/z/own"));
}
