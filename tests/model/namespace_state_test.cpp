#include "model/namespace_state.h"

#include "catch.h"
#include "workloads/computed_tree.h"

namespace recirc::model {
namespace {

using workloads::OpKind;
using workloads::PathId;

struct SmallWorld {
  workloads::ComputedTree tree{workloads::TreeShape{2, 2, 100, 198}};
  NamespaceState state{tree};
  PathId file = tree.file(0);
  PathId deep = tree.file(3);
  PathId directory = tree.parent(tree.file(3));

  NamespaceState::Applied apply(OpKind kind, PathId path, UserClass user = UserClass::owner,
                                PathId destination = PathId::none()) {
    workloads::Operation operation;
    operation.kind = kind;
    operation.path = path;
    operation.destination = destination;
    return state.apply(operation, user);
  }
  NamespaceState::Applied chmod(PathId path, std::uint16_t mode, bool recursive = false) {
    workloads::Operation operation;
    operation.kind = OpKind::chmod;
    operation.path = path;
    operation.set.mode = mode;
    operation.recursive = recursive;
    return state.apply(operation, UserClass::owner);
  }
  NamespaceState::Applied chown(PathId path, workloads::Caller owner, std::uint16_t group) {
    workloads::Operation operation;
    operation.kind = OpKind::chown;
    operation.path = path;
    operation.set.owner = static_cast<std::uint16_t>(owner);
    operation.set.group = group;
    return state.apply(operation, UserClass::owner);
  }
  Outcome read(PathId path, UserClass user = UserClass::owner) {
    return apply(OpKind::stat, path, user).outcome;
  }
};

TEST_CASE("reads change nothing and store nothing") {
  SmallWorld world;
  const auto applied = world.apply(OpKind::stat, world.file);
  CHECK(applied.outcome == Outcome::miss);
  CHECK(applied.metadata.version == 0);
  CHECK(world.state.changes() == 0);
}

TEST_CASE("each committed write raises the version of its path") {
  SmallWorld world;
  CHECK(world.apply(OpKind::chmod, world.file).metadata.version == 1);
  CHECK(world.apply(OpKind::utime, world.file).metadata.version == 2);
  CHECK(world.apply(OpKind::stat, world.file).metadata.version == 2);
  CHECK(world.apply(OpKind::stat, world.deep).metadata.version == 0);
}

TEST_CASE("create of what exists is an error and is counted") {
  SmallWorld world;
  CHECK(world.apply(OpKind::create, world.file).outcome == Outcome::error);
  CHECK(world.state.existing() == 1);
}

TEST_CASE("a deleted file is missing until it is created again") {
  SmallWorld world;
  const auto gone = world.apply(OpKind::remove, world.file);
  CHECK(gone.outcome == Outcome::written);
  CHECK(gone.path_is_gone);
  CHECK(world.apply(OpKind::stat, world.file).outcome == Outcome::error);
  CHECK(world.apply(OpKind::remove, world.file).outcome == Outcome::error);
  CHECK(world.state.missing() == 2);
  CHECK(world.apply(OpKind::create, world.file).outcome == Outcome::written);
  CHECK(world.apply(OpKind::stat, world.file).outcome == Outcome::miss);
  CHECK(world.apply(OpKind::stat, world.file).metadata.version == 2);
}

TEST_CASE("what lies below a deleted directory goes with it and does not come back with it") {
  SmallWorld world;
  REQUIRE(world.directory.value() != 0);
  CHECK(world.apply(OpKind::remove, world.directory).outcome == Outcome::written);
  CHECK_FALSE(world.state.exists(world.deep));
  CHECK(world.apply(OpKind::mkdir, world.directory).outcome == Outcome::written);
  CHECK(world.state.exists(world.directory));
  CHECK_FALSE(world.state.exists(world.deep));
}

TEST_CASE("creating a file makes the directories above it that are missing") {
  SmallWorld world;
  world.apply(OpKind::remove, world.directory);
  CHECK(world.apply(OpKind::create, world.deep).outcome == Outcome::written);
  CHECK(world.state.exists(world.directory));
}

TEST_CASE("rename takes the path away and makes its destination") {
  SmallWorld world;
  world.apply(OpKind::remove, world.deep);
  CHECK(world.apply(OpKind::rename, world.file, UserClass::owner, world.deep).outcome ==
        Outcome::written);
  CHECK_FALSE(world.state.exists(world.file));
  CHECK(world.state.exists(world.deep));
}

TEST_CASE("a rename to itself changes nothing, one below itself or into what is gone is refused") {
  SmallWorld world;
  const auto rename = [&](PathId from, PathId to) {
    return world.apply(OpKind::rename, from, UserClass::owner, to);
  };
  const auto same = rename(world.directory, world.directory);
  CHECK(same.outcome == Outcome::written);
  CHECK_FALSE(same.changed);
  CHECK_FALSE(same.path_is_gone);
  CHECK(world.state.exists(world.deep));
  CHECK(rename(world.directory, world.deep).outcome == Outcome::error);
  CHECK(world.state.exists(world.directory));
  world.apply(OpKind::remove, world.directory);
  CHECK(rename(world.file, world.deep).outcome == Outcome::error);
  CHECK(world.state.exists(world.file));
  CHECK_FALSE(world.state.exists(world.deep));
  CHECK(world.state.missing() == 1);
}

TEST_CASE("a directory that is renamed takes along what is below it, changes included") {
  // Directories: 1 and 2 below the root, 3 and 4 below 1, 5 and 6 below 2. File n is in n mod 7.
  SmallWorld world;
  const PathId from{3};
  const PathId to{5};
  const PathId moved = world.tree.file(7 + 3);
  const PathId gone = world.tree.file(3);
  world.chmod(moved, 0604);
  world.apply(OpKind::remove, gone);
  CHECK(world.apply(OpKind::rename, from, UserClass::owner, to).outcome == Outcome::error);
  world.apply(OpKind::remove, to);
  const auto applied = world.apply(OpKind::rename, from, UserClass::owner, to);
  CHECK(applied.outcome == Outcome::written);
  CHECK(applied.path_is_gone);
  CHECK(world.read(moved) == Outcome::error);
  const PathId arrived = world.tree.file(7 + 5);  // the same name in the other directory
  CHECK(world.read(arrived, UserClass::stranger) == Outcome::miss);
  CHECK(world.state.metadata(arrived).permissions.mode == 0604);
  CHECK(world.state.metadata(arrived).version == applied.destination);
  CHECK(world.read(world.tree.file(5)) == Outcome::error);  // the name of what was deleted
  CHECK(world.read(world.tree.file(14 + 5)) == Outcome::miss);
  // Back again: the number of what the overlay holds does not grow with what moves.
  const std::size_t changes = world.state.changes();
  world.apply(OpKind::rename, to, UserClass::owner, from);
  CHECK(world.read(moved, UserClass::stranger) == Outcome::miss);
  CHECK(world.read(arrived) == Outcome::error);
  CHECK(world.state.changes() == changes);
}

TEST_CASE("a directory that is made where one has moved away is empty") {
  SmallWorld world;
  world.apply(OpKind::remove, PathId{5});
  world.apply(OpKind::rename, PathId{3}, UserClass::owner, PathId{5});
  CHECK(world.apply(OpKind::mkdir, PathId{3}).outcome == Outcome::written);
  CHECK(world.read(world.tree.file(3)) == Outcome::error);
  CHECK(world.apply(OpKind::create, world.tree.file(3)).outcome == Outcome::written);
  CHECK(world.read(world.tree.file(3)) == Outcome::miss);
  CHECK(world.read(world.tree.file(5)) == Outcome::miss);  // what moved there, not the new file
  CHECK(world.state.metadata(world.tree.file(5)).version <
        world.state.metadata(world.tree.file(3)).version);
}

TEST_CASE("a rename over a directory that is not empty, or over the other kind, is refused") {
  SmallWorld world;
  const auto rename = [&](PathId from, PathId to) {
    return world.apply(OpKind::rename, from, UserClass::owner, to).outcome;
  };
  CHECK(rename(PathId{3}, PathId{4}) == Outcome::error);
  CHECK(rename(world.file, PathId{4}) == Outcome::error);
  CHECK(rename(PathId{3}, world.file) == Outcome::error);
  CHECK(world.state.not_empty() == 1);
  CHECK(rename(world.file, world.deep) == Outcome::written);
}

TEST_CASE("rmdir takes a directory away when all that it held is gone") {
  SmallWorld world;
  const PathId directory{6};
  for (std::uint32_t n = 6; n < 100; n += 7) {
    CHECK(world.apply(OpKind::rmdir, directory).outcome == Outcome::error);
    world.apply(OpKind::remove, world.tree.file(n));
  }
  CHECK(world.apply(OpKind::rmdir, directory).outcome == Outcome::written);
  CHECK(world.read(directory) == Outcome::error);
}

TEST_CASE("a directory that may not be searched denies everything below it") {
  SmallWorld world;
  const PathId top{1};
  const PathId below = world.tree.file(3);
  CHECK(world.read(below, UserClass::member) == Outcome::denied);  // the file itself
  world.chmod(below, 0644);
  CHECK(world.read(below, UserClass::member) == Outcome::miss);
  CHECK(world.read(below, UserClass::stranger) == Outcome::miss);
  world.chmod(top, 0710);
  CHECK(world.read(below, UserClass::member) == Outcome::miss);
  CHECK(world.read(below, UserClass::stranger) == Outcome::denied);
  world.chmod(top, 0000);
  CHECK(world.read(below) == Outcome::denied);
  CHECK(world.apply(OpKind::create, below).outcome == Outcome::denied);
  CHECK(world.apply(OpKind::remove, below).outcome == Outcome::denied);
  CHECK(world.apply(OpKind::rename, world.file, UserClass::owner, below).outcome ==
        Outcome::denied);
  world.chmod(top, 0700);
  CHECK(world.read(below) == Outcome::miss);
}

TEST_CASE("chown changes who may, and who may change it again") {
  SmallWorld world;
  world.chown(world.file, workloads::Caller::stranger, 1);
  CHECK(world.read(world.file, UserClass::stranger) == Outcome::miss);
  CHECK(world.read(world.file) == Outcome::denied);
  CHECK(world.chmod(world.file, 0666).outcome == Outcome::denied);
}

TEST_CASE("a recursive chmod reaches what is below the directory at that time") {
  SmallWorld world;
  const PathId inside = world.tree.file(3);
  const PathId outside = world.tree.file(5);
  const auto applied = world.chmod(PathId{1}, 0755, true);
  CHECK(applied.below);
  CHECK(world.state.metadata(inside).permissions.mode == 0755);
  CHECK(world.state.metadata(inside).version == applied.metadata.version);
  CHECK(world.state.metadata(outside).permissions.mode == 0600);
  // What is made later does not inherit it, what leaves keeps it, what comes keeps its own.
  world.apply(OpKind::remove, inside);
  world.apply(OpKind::create, inside);
  CHECK(world.state.metadata(inside).permissions.mode == 0600);
  const PathId leaves = world.tree.file(7 + 3);
  world.apply(OpKind::rename, leaves, UserClass::owner, outside);
  CHECK(world.state.metadata(outside).permissions.mode == 0755);
  world.apply(OpKind::rename, world.tree.file(7 + 5), UserClass::owner, leaves);
  CHECK(world.state.metadata(leaves).permissions.mode == 0600);
  // The later of a file's own and its directory's counts.
  world.chmod(leaves, 0640);
  CHECK(world.state.metadata(leaves).permissions.mode == 0640);
  world.chmod(PathId{3}, 0711, true);
  CHECK(world.state.metadata(leaves).permissions.mode == 0711);
}

TEST_CASE("the version of what is below a directory that nobody may pass does not fall") {
  SmallWorld world;
  const Version before = world.chmod(world.deep, 0640).metadata.version;
  world.chmod(world.directory, 0000);
  CHECK(world.read(world.deep) == Outcome::denied);
  CHECK(world.state.metadata(world.deep).version == before);
  CHECK(world.state.metadata(world.deep).permissions.mode == 0640);
  CHECK(world.state.exists(world.deep));
}

TEST_CASE("rmdir refuses a directory that is not empty") {
  SmallWorld world;
  CHECK(world.apply(OpKind::rmdir, world.directory).outcome == Outcome::error);
  CHECK(world.state.not_empty() == 1);
  CHECK(world.state.exists(world.directory));
}

TEST_CASE("a stranger is denied and changes nothing") {
  SmallWorld world;
  CHECK(world.apply(OpKind::stat, world.file, UserClass::stranger).outcome == Outcome::denied);
  CHECK(world.apply(OpKind::create, world.file, UserClass::stranger).outcome == Outcome::denied);
  CHECK(world.apply(OpKind::chmod, world.file, UserClass::stranger).outcome == Outcome::denied);
  CHECK(world.state.changes() == 0);
}

TEST_CASE("metadata survives the switch's slots") {
  Metadata m = initial_metadata(false);
  m.version = 123456;
  m.permissions = {0751, 7, 9};
  m.size = 1ULL << 40;
  m.access_time = 99;
  CHECK(from_slots(to_slots(m)) == m);
}

}  // namespace
}  // namespace recirc::model
