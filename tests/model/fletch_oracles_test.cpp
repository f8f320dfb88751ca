#include "catch.h"
#include "fletch_under_test.h"
#include "history_check.h"
#include "pipeline/programs/fletch/layout.h"
#include "sim/error.h"

// What looks over a run's shoulder can fail: each case breaks something and is told.
namespace recirc::model {
namespace {

using testing::FletchRun;
using testing::HistoryCheck;
using testing::small_fletch;
using testing::TraceFile;
namespace program = pipeline::programs::fletch;

constexpr pipeline::PipeId servers_pipe{0};
constexpr pipeline::ProtocolTag fletch_tag{0};

pipeline::ArrayState& array_of(FletchRun& run, pipeline::ArrayId array) {
  return run.simulation.rmt_switch().array(servers_pipe, fletch_tag, array);
}

Config one_client(const TraceFile& trace) {
  Config config = trace.config();
  config.cluster.clients = 1;
  return config;
}

// The cache starts with /, /d, /d/f and /d/g: entries 0 to 3, all in row 0; the slots of /d/f are
// 6 to 10, its access time is the third of them.
constexpr std::uint32_t entry_of_f = 2;
constexpr unsigned access_time_of_f = 8;

TEST_CASE("an answer of the switch with another path's record is noticed", "[fletch][oracle]") {
  TraceFile trace("0,stat,/d/f\n0,stat,/d/g\n");
  FletchRun run(one_client(trace));
  array_of(run, program::value_array(2 * access_time_of_f)).store(0, {3, 0});
  CHECK_THROWS_AS(run.go(), sim::InvariantBroken);
}

TEST_CASE("a record that stays unreadable, or differs from the server's, is noticed",
          "[fletch][oracle]") {
  TraceFile trace("0,stat,/d/g\n0,stat,/d/f\n");
  {
    FletchRun run(one_client(trace));
    array_of(run, program::validation_array).store(entry_of_f, {0, 0});
    CHECK_THROWS_AS(run.go(), sim::InvariantBroken);
    run.read();
    CHECK(run["cache/unreadable_records"] == 1);
  }
  FletchRun run(one_client(trace));
  array_of(run, program::value_array(2 * access_time_of_f - 2)).store(0, {77, 0});  // its version
  CHECK_THROWS_AS(run.go(), sim::InvariantBroken);
}

TEST_CASE("a lookup entry that the controller has not written is noticed", "[fletch][oracle]") {
  TraceFile trace("0,stat,/d/g\n0,stat,/d/f\n");
  FletchRun run(one_client(trace));
  const auto key = run.simulation.workload().tree->key(workloads::PathId{2});
  run.simulation.rmt_switch().table(fletch_tag, program::level_small).erase({key, 1});
  CHECK_THROWS_AS(run.go(), sim::InvariantBroken);
}

std::unique_ptr<Scheme> without_order(const Config& config, const Topology& topology) {
  fletch::Mutants mutants;
  mutants.unordered_writes = true;
  return fletch::make_fletch(config.cache, config.controller, config.network, topology, mutants);
}

TEST_CASE("a hit on what was deleted from above is noticed", "[fletch][oracle][mutant]") {
  // The chmod fails, and without the servers' memory its answer sets the flag of /d again.
  TraceFile trace("0,stat,/d/f\n0,delete,/d\n0,chmod,/d\n0,stat,/d/f\n");
  for (const SchemeMaker make : {SchemeMaker{&make_scheme}, SchemeMaker{&without_order}}) {
    FletchRun run(one_client(trace), make);
    HistoryCheck check(run.simulation);
    run.go();
    const bool in_order = make == SchemeMaker{&make_scheme};
    CHECK((run["stale_reads"] == 0) == in_order);
    CHECK(check.complaints.empty() == in_order);
  }
}

TEST_CASE("a controller that a lost message leaves waiting is reported, and nothing is stale",
          "[fletch][oracle]") {
  std::string text;
  for (int i = 0; i < 6'000; ++i) text += "0,stat,/d/f" + std::to_string(i % 300) + "\n";
  TraceFile trace(text);
  Config config = trace.config();
  config.cluster.servers = 1;
  config.cache.files = 0;
  config.cache.threshold = 1;
  config.controller.admission = fletch::AdmissionPolicy::on;
  config.controller.path_time = sim::Duration{0};
  config.rmt_switch.control.per_write = sim::nanoseconds(100);
  config.client.timeout = sim::milliseconds(1);
  config.rmt_switch.queue = sim::Bytes{1};
  double stuck = 0;
  for (std::uint32_t clients = 40; clients < 56; clients += 4) {
    config.cluster.clients = clients;
    FletchRun run(config);
    HistoryCheck check(run.simulation);
    run.go();
    CHECK(check.complaints.empty());
    INFO(clients << ": reports " << run["controller/reports"] << " admissions "
                 << run["controller/admissions"] << " stuck " << run["controller/stuck"]);
    stuck += run["controller/stuck"];
  }
  CHECK(stuck > 0);
}

}  // namespace
}  // namespace recirc::model
