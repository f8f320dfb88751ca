#include "model/op_tracker.h"

#include <algorithm>

#include "catch.h"
#include "workloads/computed_tree.h"

namespace recirc::model {
namespace {

using workloads::OpKind;
using workloads::PathId;

Request request_of(OpKind kind, PathId path) {
  Request request;
  request.operation.kind = kind;
  request.operation.path = path;
  return request;
}

sim::Time at(std::int64_t us) { return sim::Time{sim::microseconds(us)}; }

bool has(const std::vector<Figure>& figures, const std::string& name) {
  return std::any_of(figures.begin(), figures.end(),
                     [&](const Figure& figure) { return figure.name == name; });
}

workloads::ComputedTree small_tree() {
  return workloads::ComputedTree{workloads::TreeShape{2, 2, 100, 198}};
}

TEST_CASE("a read of a renamed path's new name must not be older than the rename") {
  const auto tree = small_tree();
  const NamespaceState state(tree);
  OpTracker tracker(state, {{"all", 0, 3}});
  Request rename = request_of(OpKind::rename, PathId{5});
  rename.operation.destination = PathId{6};
  tracker.begin(rename, at(0));
  rename.outcome = Outcome::written;
  rename.version = 1;
  rename.destination_version = 4;
  tracker.complete(rename, at(1));
  for (const Version version : {Version{4}, Version{3}}) {
    Request read = request_of(OpKind::stat, PathId{6});
    tracker.begin(read, at(2));
    read.outcome = Outcome::hit;
    read.version = version;
    tracker.complete(read, at(3));
    CHECK(tracker.stale_reads() == (version == 4 ? 0 : 1));
  }
}

TEST_CASE("a read below a directory whose subtree was written must not be older than that") {
  const auto tree = small_tree();
  const NamespaceState state(tree);
  OpTracker tracker(state, {{"all", 0, 3}});
  const PathId file = tree.file(6);
  Request write = request_of(OpKind::chmod, PathId{tree.parent(tree.parent(file))});
  REQUIRE(write.operation.path == PathId{2});
  tracker.begin(write, at(0));
  write.outcome = Outcome::written;
  write.version = 4;
  write.below = true;
  tracker.complete(write, at(1));
  for (const Version version : {Version{4}, Version{3}}) {
    Request read = request_of(OpKind::stat, file);
    tracker.begin(read, at(2));
    read.outcome = Outcome::hit;
    read.version = version;
    tracker.complete(read, at(3));
    CHECK(tracker.stale_reads() == (version == 4 ? 0 : 1));
  }
}

/// Completes a write and returns what the namespace says of it.
NamespaceState::Applied carry_out(OpTracker& tracker, NamespaceState& state, Request write) {
  tracker.begin(write, at(0));
  const NamespaceState::Applied applied = state.apply(write.operation, write.user);
  write.outcome = applied.outcome;
  write.version = applied.metadata.version;
  write.destination_version = applied.destination;
  write.below = applied.below;
  tracker.complete(write, at(1));
  return applied;
}

TEST_CASE("a read must not tell of what was below a directory that was deleted or moved") {
  const auto tree = small_tree();
  const PathId directory{2};
  for (const bool moved : {false, true}) {
    NamespaceState state(tree);
    OpTracker tracker(state, {{"all", 0, 9}});
    Request write = request_of(OpKind::remove, directory);
    const auto read = [&](PathId path, Version version) {
      Request request = request_of(OpKind::stat, path);
      tracker.begin(request, at(2));
      request.outcome = Outcome::hit;
      request.version = version;
      tracker.complete(request, at(3));
    };
    // To itself: nothing has changed below it, though it has a version of its own.
    carry_out(tracker, state, request_of(OpKind::chmod, directory));
    Request to_itself = request_of(OpKind::rename, directory);
    to_itself.operation.destination = directory;
    CHECK(carry_out(tracker, state, to_itself).metadata.version == 1);
    read(tree.file(6), 0);
    read(tree.file(5), 0);
    CHECK(tracker.stale_reads() == 0);
    if (moved) {
      carry_out(tracker, state, request_of(OpKind::remove, PathId{1}));
      write.operation.kind = OpKind::rename;
      write.operation.destination = PathId{1};
    }
    CHECK(carry_out(tracker, state, write).outcome == Outcome::written);
    REQUIRE(tree.parent(tree.parent(tree.file(6))) == directory);
    REQUIRE(tree.parent(tree.parent(tree.file(4))) == PathId{1});
    read(tree.file(6), state.metadata(tree.file(6)).version);
    read(tree.file(4), state.metadata(tree.file(4)).version);
    CHECK(tracker.stale_reads() == 0);
    read(tree.file(6), 0);
    CHECK(tracker.stale_reads() == 1);
    read(tree.file(4), 0);
    CHECK(tracker.stale_reads() == (moved ? 2 : 1));
  }
}

TEST_CASE("a read must not pass a directory that keeps its user out since before its issue") {
  const auto tree = small_tree();
  NamespaceState state(tree);
  OpTracker tracker(state, {{"all", 0, 9}});
  const PathId file = tree.file(6);
  Request closing = request_of(OpKind::chmod, PathId{2});
  closing.operation.set.mode = 0700;
  Request opening = closing;
  opening.operation.set.mode = 0711;
  const auto read_as = [&](UserClass user, Request* meanwhile = nullptr) {
    Request read = request_of(OpKind::stat, file);
    read.user = user;
    tracker.begin(read, at(2));
    if (meanwhile != nullptr) carry_out(tracker, state, *meanwhile);
    read.outcome = Outcome::hit;
    tracker.complete(read, at(3));
    return tracker.stale_reads();
  };
  CHECK(read_as(UserClass::stranger, &closing) == 0);  // it was issued before
  CHECK(read_as(UserClass::owner) == 0);
  CHECK(read_as(UserClass::stranger) == 1);
  CHECK(read_as(UserClass::stranger, &opening) == 1);  // it may have passed since
  CHECK(read_as(UserClass::stranger) == 1);
  state.apply(closing.operation, UserClass::owner);  // nobody has been told
  CHECK(read_as(UserClass::stranger) == 1);
}

TEST_CASE("an outcome that no operation had is counted and has no latency") {
  const auto tree = small_tree();
  const NamespaceState state(tree);
  OpTracker tracker(state, {{"all", 0, 1}});
  Request read = request_of(OpKind::stat, PathId{5});
  tracker.begin(read, at(0));
  read.outcome = Outcome::miss;
  tracker.complete(read, at(7));
  ReplicationResult result;
  tracker.report(result);
  CHECK(has(result.summary, "outcomes/miss/latency_mean_us"));
  CHECK(has(result.summary, "outcomes/invalid/count"));
  CHECK_FALSE(has(result.summary, "outcomes/invalid/latency_mean_us"));
}

}  // namespace
}  // namespace recirc::model
