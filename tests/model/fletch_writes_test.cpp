#include "../pipeline/release_check.h"
#include "catch.h"
#include "fletch_under_test.h"

namespace recirc::model {
namespace {

using testing::FletchRun;
using testing::small_fletch;
using testing::TraceFile;

template <bool fletch::Mutants::*rule>
std::unique_ptr<Scheme> without(const Config& config, const Topology& topology) {
  fletch::Mutants mutants;
  mutants.*rule = true;
  return fletch::make_fletch(config.cache, config.controller, config.network, topology, mutants);
}

Config one_client(const TraceFile& trace) {
  Config config = trace.config();
  config.cluster.clients = 1;
  return config;
}

TEST_CASE("a write of a cached path is readable in the switch when it is acknowledged",
          "[fletch]") {
  TraceFile trace("0,stat,/d/f\n0,chmod,/d/f\n0,stat,/d/f\n0,chmod,/d\n0,stat,/d/f\n");
  const Config config = one_client(trace);
  FletchRun run(config);
  run.go();
  CHECK(run["outcomes/hit/count"] == 3);
  CHECK(run["stale_reads"] == 0);
  CHECK(run["cache/record_updates"] == 2);
}

TEST_CASE("a failed write makes the old record readable again", "[fletch]") {
  TraceFile trace("0,stat,/d/f\n0,create,/d/f\n0,stat,/d/f\n");
  const Config config = one_client(trace);
  FletchRun run(config);
  run.go();
  CHECK(run["outcomes/hit/count"] == 2);
  CHECK(run["outcomes/error/count"] == 1);
}

TEST_CASE("what a delete took away is evicted, and its directory's records with it", "[fletch]") {
  TraceFile trace(
      "0,stat,/d/f\n0,stat,/d/g\n0,stat,/e/h\n0,rename,/d,/x\n0,stat,/d/f\n0,stat,/d/g\n"
      "0,stat,/e/h\n");
  const Config config = one_client(trace);
  FletchRun run(config);
  run.go();
  CHECK(run["stale_reads"] == 0);
  CHECK(run["controller/evictions_of_gone"] == 3);
  CHECK(run["cache/entries"] == run["cache/preloaded_entries"] - 3);
  CHECK(run["outcomes/error/count"] == 2);
  CHECK(run["outcomes/hit/count"] == 4);
}

TEST_CASE("the time for which an answer is kept back counts as waiting, not as wire", "[fletch]") {
  TraceFile trace("0,stat,/a/f\n0,stat,/b/g\n0,rename,/a/f,/b/g\n0,stat,/b/g\n");
  Config config = one_client(trace);
  config.network.host_delay = sim::microseconds(50);  // the rename waits for its destination
  FletchRun run(config);
  run.go();
  CHECK(run["time/wire_us"] < 135);
  CHECK(run["time/queues_us"] > 25);
}

// A delete and a write that fails on what it left behind, with the eviction still under way.
constexpr const char* write_after_delete =
    "0,stat,/d/f\n0,delete,/d/f\n0,chmod,/d/f\n0,stat,/d/f\n0,stat,/d/f\n";

TEST_CASE("a failed write after a delete does not bring the record back", "[fletch]") {
  TraceFile trace(write_after_delete);
  const Config config = one_client(trace);
  FletchRun run(config);
  run.go();
  CHECK(run["stale_reads"] == 0);
  CHECK(run["outcomes/hit/count"] == 1);
}

TEST_CASE("without the servers' order of writes a stale read is noticed", "[fletch][mutant]") {
  TraceFile trace(write_after_delete);
  const Config config = one_client(trace);
  FletchRun run(config, &without<&fletch::Mutants::unordered_writes>);
  run.go();
  CHECK(run["stale_reads"] > 0);
}

TEST_CASE("two writes in flight to one path are answered one after the other", "[fletch]") {
  std::string text = "0,stat,/d/f\n";
  for (int i = 0; i < 40; ++i) text += i % 4 == 3 ? "0,stat,/d/f\n" : "0,chmod,/d/f\n";
  TraceFile trace(text);
  Config config = trace.config();
  config.cluster.clients = 8;
  config.server.service_time = sim::microseconds(2);  // less than an acknowledgement takes
  FletchRun run(config);
  run.go();
  CHECK(run["cache/kept_answers"] > 5);
  CHECK(run["stale_reads"] == 0);
  CHECK(run["ops_completed"] == 41);
  CHECK(run["locks_leaked"] == 0);
}

TEST_CASE("every level that a read raises is released once, and a second release is noticed",
          "[fletch][mutant]") {
  Config config = small_fletch();
  config.workload.tree.branching = 1;
  config.workload.files = 100;  // some in the directory of level 8
  config.workload.mix = testing::mix_of({{workloads::OpKind::stat, 1}});
  for (const bool mutant : {false, true}) {
    FletchRun run(config, mutant ? &without<&fletch::Mutants::release_shared_twice> : &make_scheme);
    pipeline::testing::ReleaseCheck check;
    run.simulation.rmt_switch().observe(&check);
    run.go();
    CHECK(run["locks_leaked"] == 0);  // decrements stop at zero
    CHECK(check.raised > 0);
    CHECK((check.lowered > check.raised) == mutant);
    CHECK((check.at_zero > 0) == mutant);
  }
}

}  // namespace
}  // namespace recirc::model
