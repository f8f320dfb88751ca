#include <algorithm>

#include "catch.h"
#include "fletch_under_test.h"
#include "history_check.h"
#include "model/fletch/cache_directory.h"
#include "model/fletch/leaves.h"
#include "model/walk.h"
#include "permission_check.h"
#include "several_pipes.h"
#include "sim/error.h"
#include "workloads/computed_tree.h"

// Servers on several pipes: each has its own copies of the directories above (decision 61).
namespace recirc::model {
namespace {

using fletch::CacheDirectory;
using fletch::CacheEntry;
using testing::FletchRun;
using testing::PermissionCheck;
using testing::small_fletch;
using testing::TraceFile;
using workloads::PathId;

std::unique_ptr<Scheme> forgetful(const Config& config, const Topology& topology) {
  fletch::Mutants mutants;
  mutants.forget_a_copy = true;
  return testing::fletch_with(config, topology, mutants);
}

std::unique_ptr<Scheme> with_free_copies(const Config& config, const Topology& topology) {
  fletch::Mutants mutants;
  mutants.free_copies = true;
  return testing::fletch_with(config, topology, mutants);
}

/// A directory that is closed and opened again, and files of many servers below it.
std::string closing_directory() {
  std::string text = "time,op,path,dst,mode,user\n";
  for (int f = 0; f < 24; ++f) text += "0,chmod,/d/f" + std::to_string(f) + ",,0644,\n";
  for (int round = 0; round < 6; ++round) {
    text += round % 2 == 0 ? "0,chmod,/d,,0700,\n" : "0,chmod,/d,,0711,\n";
    for (int f = 0; f < 24; ++f) text += "0,stat,/d/f" + std::to_string(f) + ",,,stranger\n";
  }
  return text;
}

TEST_CASE("a closed directory denies in every pipe; a copy that a write forgets lets strangers in",
          "[fletch][pipes][mutant]") {
  TraceFile trace(closing_directory());
  for (const unsigned pipes : {2U, 4U}) {
    for (const bool broken : {false, true}) {
      Config config = trace.config();
      config.cluster.clients = 1;
      testing::spread_over_pipes(config, pipes);
      FletchRun run(config, broken ? &forgetful : &make_scheme);
      PermissionCheck check(run.simulation);
      run.simulation.observe(&check);
      if (broken) {
        CHECK_THROWS_AS(run.go(), sim::InvariantBroken);  // the copy is not what its server holds
        run.read();
      } else {
        run.go();
      }
      CHECK((check.wrong > 0) == broken);
      if (broken) continue;
      CHECK(run["ops_denied"] == 3 * 24);
      CHECK(run["outcomes/hit/count"] == 3 * 24);
      CHECK(run["cache/further_copies"] == 2 * (pipes - 1));  // of / and /d
      CHECK(run["cache/record_updates"] == 24 + 6);
    }
  }
}

TEST_CASE("copies take lookup entries; where they are not counted the tables overflow",
          "[fletch][pipes][mutant]") {
  Config config = small_fletch();
  config.workload.requests = 10;
  config.workload.files = 1'000'000;
  config.cache.files = 40'000;
  testing::spread_over_pipes(config, 4);
  FletchRun run(config);
  run.go();
  CHECK(run["cache/preloaded_entries"] == 49'152);
  CHECK(run["cache/left_out_files"] > 0);
  CHECK_THROWS_AS(FletchRun(config, &with_free_copies), sim::InvariantBroken);
}

TEST_CASE("what is cached in a pipe has its ancestors there, whatever leaves", "[fletch][pipes]") {
  const workloads::ComputedTree tree({.files = 2'000});
  CacheDirectory directory(tree, 200, 300, 3);
  fletch::Leaves leaves(directory, true);
  sim::CounterRng rng = sim::RngFactory{5, 0}.stream("pipes");
  const auto admit = [&](PathId path, std::uint8_t pipe) {
    std::vector<PathId> chain{path};
    while (tree.depth(chain.back()) > 0) chain.push_back(tree.parent(chain.back()));
    for (; !chain.empty(); chain.pop_back()) {
      CacheEntry::Index index = CacheEntry::none;
      if (directory.contains(chain.back(), pipe)) continue;
      if (directory.add(chain.back(), pipe, 3, index) != CacheDirectory::Failure::none) return;
      leaves.added(index);
    }
  };
  unsigned evicted = 0;
  for (int step = 0; step < 3'000; ++step) {
    const auto pipe = static_cast<std::uint8_t>(rng.next() % 3);
    if (rng.next() % 3 != 0) {
      admit(PathId{static_cast<PathId::rep>(rng.next() % tree.size())}, pipe);
    } else {
      for (const CacheEntry::Index index : leaves.coldest(3, {}, pipe)) {
        REQUIRE(directory[index].pipe == pipe);
        leaves.removing(index);
        directory.release(directory.remove(index));
        ++evicted;
      }
    }
    REQUIRE(directory.entries() <= 300);
  }
  CHECK(evicted > 500);
  std::uint64_t copies = 0;
  for (PathId::rep i = 0; i < tree.size(); ++i) {
    for (std::uint8_t pipe = 0; pipe < 3; ++pipe) {
      const bool is_here = directory.contains(PathId{i}, pipe);
      CHECK(is_here == ((directory.copies(PathId{i}) >> pipe & 1U) != 0));
      if (!is_here) continue;
      ++copies;
      if (i != 0) CHECK(directory.contains(tree.parent(PathId{i}), pipe));
    }
  }
  CHECK(copies == directory.entries());
  CHECK(directory.paths() < directory.entries());
}

TEST_CASE("the walk of a write of a directory names the pipes of its passes", "[fletch][pipes]") {
  TraceFile trace("time,op,path,dst,mode,user\n" + std::string("0,stat,/d/f0,,,\n") +
                  "0,stat,/d/f1,,,\n0,stat,/d/f2,,,\n0,stat,/d/f3,,,\n0,stat,/d/f4,,,\n" +
                  "0,chmod,/d,,0700,\n");
  Config config = trace.config();
  config.cluster.clients = 1;
  testing::spread_over_pipes(config, 2);
  FletchRun run(config);
  Walk walk(run.simulation.scheduler(), *run.simulation.workload().tree, {5});
  RunControl control;
  run.simulation.follow(walk, control);
  std::string passes;
  for (const WalkStep& step : walk.steps()) {
    if (step.indent == 1) passes += step.text.substr(0, step.text.find(',')) + "; ";
  }
  // Clients are on pipe 2. The write: to the lock pipe, a pass for each copy, to its server.
  const std::string write =
      "ingress of pipe 2; egress of pipe 2; ingress of pipe 0; egress of pipe ";
  CHECK(passes.substr(0, write.size()) == write);
  for (const char* pass : {"egress of pipe 0; ingress of pipe 0; egress of pipe 1; ",
                           "egress of pipe 1; ingress of pipe 0; egress of pipe "}) {
    INFO(passes);
    CHECK(passes.find(pass) != std::string::npos);
  }
}

TEST_CASE("what is not modelled on several pipes is refused", "[fletch][pipes]") {
  const auto refused = [](const char* text) {
    std::string whole = R"({"system": "fletch", "workload": {"requests": 10}, "cluster":
                            {"server_machines": 4, "servers": 4}})";
    auto document = sim::config::Document::parse(whole, "x");
    document.set("/switch/server_pipes=4");
    document.set(text);
    try {
      (void)read_config(document);
    } catch (const sim::ConfigError&) {
      return true;
    }
    return false;
  };
  CHECK(!refused("/cache/files=100"));
  CHECK(!refused("/system=nocache"));
  CHECK(refused("/system=netcache"));
  CHECK(refused("/cache/write=back"));
  CHECK(refused("/switch/cross_pipe=none"));
  CHECK(refused("/cluster/server_machines=3"));
  CHECK(refused("/cluster/client_machines=15"));
  CHECK(refused("/switch/server_pipes=5"));
  CHECK(refused(R"(/switch/chip={"kind": "tofino1", "pipes": 2})"));
  // A machine, the controller's port and four pipes' cables, whatever the chip has of them.
  CHECK(!refused(R"(/switch/chip={"kind": "tofino1", "front_ports": 6})"));
  CHECK(refused(R"(/switch/chip={"kind": "tofino1", "front_ports": 5})"));
}

}  // namespace
}  // namespace recirc::model
