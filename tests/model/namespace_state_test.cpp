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
};

TEST_CASE("reads change nothing and store nothing") {
  SmallWorld world;
  const auto applied = world.apply(OpKind::stat, world.file);
  CHECK(applied.outcome == Outcome::miss);
  CHECK(applied.metadata.version == 0);
  CHECK(world.state.changed_paths() == 0);
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
  CHECK(world.state.changed_paths() == 0);
}

TEST_CASE("metadata survives the switch's slots") {
  Metadata m = initial_metadata(false);
  m.version = 123456;
  m.owner = 7;
  m.group = 9;
  m.size = 1ULL << 40;
  m.access_time = 99;
  CHECK(from_slots(to_slots(m)) == m);
}

}  // namespace
}  // namespace recirc::model
