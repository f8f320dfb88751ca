#include "catch.h"
#include "fletch_under_test.h"
#include "model/op_observer.h"
#include "pipeline/programs/fletch/layout.h"

// The controller's sweep: what it finds, and what the published one cannot know.
namespace recirc::model {
namespace {

using testing::FletchRun;
using testing::TraceFile;
namespace program = pipeline::programs::fletch;

pipeline::ArrayState& locks_of(FletchRun& run, unsigned level) {
  return run.simulation.rmt_switch().array(pipeline::PipeId{0}, pipeline::ProtocolTag{0},
                                           program::lock_array(level));
}
std::uint32_t index_of(FletchRun& run, workloads::PathId path) {
  return program::lock_index(run.simulation.workload().tree->key(path));
}

/// Notes when something happened to each operation.
class Moments final : public OpObserver {
 public:
  explicit Moments(FletchRun& run) : run_(run) { run.simulation.observe(this); }
  void happened(Moment moment, const Request& request, RequestHandle) override {
    auto& at = times_[{request.operation.index, moment}];
    if (at == sim::Time{}) at = run_.simulation.scheduler().now();
  }
  sim::Time of(std::uint64_t operation, Moment moment) { return times_[{operation, moment}]; }

 private:
  FletchRun& run_;
  std::map<std::pair<std::uint64_t, Moment>, sim::Time> times_;
};

/// A write, a read that finds its flag at zero, and a write that waits for the read.
Config writer_behind_reader(const TraceFile& trace) {
  Config config = trace.config();
  config.cluster.clients = 3;
  config.cluster.servers = 1;
  config.workload.arrival = workloads::RecordedArrival{};
  config.server.service_time = sim::milliseconds(20);
  config.server.costs.by_kind.fill(1.0);
  config.rmt_switch.max_recirculations = 1'000'000;
  config.controller.sweep.policy = fletch::SweepPolicy::on;
  config.controller.sweep.interval = sim::microseconds(500);
  return config;
}
constexpr const char* three_operations = "0,chmod,/d/f\n0.001,stat,/d/f\n0.002,chmod,/d/f\n";

TEST_CASE("a sweep time-out above the slowest answer lets a writer wait for its reader",
          "[fletch][sweep]") {
  TraceFile trace(three_operations);
  Config config = writer_behind_reader(trace);
  config.controller.sweep.timeout = sim::milliseconds(200);
  FletchRun run(config);
  Moments moments(run);
  run.go();
  CHECK(run["controller/counters_reset"] == 0);
  CHECK(moments.of(2, Moment::at_server) > moments.of(1, Moment::committed));
}

TEST_CASE("a sweep time-out below it lets the writer pass under the reader", "[fletch][sweep]") {
  TraceFile trace(three_operations);
  Config config = writer_behind_reader(trace);
  config.controller.sweep.timeout = sim::milliseconds(5);
  FletchRun run(config);
  Moments moments(run);
  run.go();
  CHECK(run["controller/counters_reset"] > 0);
  CHECK(moments.of(2, Moment::at_server) < moments.of(1, Moment::committed));
  CHECK(run["locks_leaked"] == 0);  // the reader's own release finds zero, and stays there
  CHECK(run["stale_reads"] == 0);
}

TEST_CASE("a leak is found on a quiet counter, not on one that is never quiet", "[fletch][sweep]") {
  std::string text = "0,stat,/d/quiet\n";
  for (int i = 0; i < 200'000; ++i) text += "0,stat,/e/busy\n";
  TraceFile trace(text);
  Config config = trace.config();
  config.cluster.clients = 200;
  config.network.host_delay = sim::nanoseconds(100);
  config.controller.sweep.policy = fletch::SweepPolicy::on;
  config.controller.sweep.interval = sim::microseconds(100);
  config.controller.sweep.timeout = sim::milliseconds(2);
  FletchRun run(config);
  const auto& tree = *run.simulation.workload().tree;
  const workloads::PathId quiet{2};
  const workloads::PathId busy{4};
  REQUIRE(tree.path(quiet) == "/d/quiet");
  REQUIRE(tree.path(busy) == "/e/busy");
  const std::uint32_t at_quiet = index_of(run, quiet);
  const std::uint32_t at_busy = index_of(run, busy);

  struct Look final : OpObserver {
    void happened(Moment moment, const Request& request, RequestHandle) override {
      if (moment != Moment::completed || request.operation.index != 190'000) return;
      quiet_left = locks_of(*run, 2).load(at_quiet).low;
      busy_left = locks_of(*run, 2).load(at_busy).low;
    }
    FletchRun* run = nullptr;
    std::uint32_t at_quiet = 0;
    std::uint32_t at_busy = 0;
    std::uint32_t quiet_left = 99;
    std::uint32_t busy_left = 0;
  } look;
  look.run = &run;
  look.at_quiet = at_quiet;
  look.at_busy = at_busy;
  run.simulation.observe(&look);
  locks_of(run, 2).store(at_quiet, {1, 0});
  locks_of(run, 2).store(at_busy, {1, 0});
  run.go();
  CHECK(look.quiet_left == 0);
  CHECK(look.busy_left > 0);
  CHECK(run["locks_leaked"] == 0);  // once the reads have ended it is quiet, too
}

TEST_CASE("a flag that a lost answer left at zero is repaired", "[fletch][sweep]") {
  TraceFile trace("0,stat,/d/f\n0,stat,/d/f\n");
  for (const bool sweeps : {true, false}) {
    Config config = trace.config();
    config.cluster.clients = 1;
    config.faults.controller_link.delay = sim::nanoseconds(1);  // faults are on; nothing is lost
    config.controller.sweep.policy =
        sweeps ? fletch::SweepPolicy::when_needed : fletch::SweepPolicy::off;
    FletchRun run(config);
    // The cache starts with /, /d and /d/f: entries 0 to 2.
    run.simulation.rmt_switch()
        .array(pipeline::PipeId{0}, pipeline::ProtocolTag{0}, program::validation_array)
        .store(2, {0, 0});
    run.go();
    CHECK(run["cache/unreadable_records"] == (sweeps ? 0 : 1));
    CHECK(run["cache/outdated_records"] == 0);
    CHECK(run["outcomes/invalid/count"] == 2);
  }
}

}  // namespace
}  // namespace recirc::model
