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
  OpTracker tracker(tree, {{"all", 0, 3}});
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
  OpTracker tracker(tree, {{"all", 0, 3}});
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

TEST_CASE("an outcome that no operation had is counted and has no latency") {
  const auto tree = small_tree();
  OpTracker tracker(tree, {{"all", 0, 1}});
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
