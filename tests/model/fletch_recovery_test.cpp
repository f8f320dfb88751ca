#include "catch.h"
#include "fletch_worlds.h"
#include "history_check.h"
#include "model/fletch/active_log.h"
#include "pipeline/programs/fletch/layout.h"
#include "several_pipes.h"

// Crashes, and the procedures of docs/decisions/0031-recovery.md.
namespace recirc::model {
namespace {

using faults::Component;
using faults::CrashSettings;
using fletch::ActiveLog;
using testing::any_operations;
using testing::any_world;
using testing::FletchRun;
using testing::TraceFile;

fletch::CacheEntry entry_of(std::uint32_t path) {
  fletch::CacheEntry entry;
  entry.path = workloads::PathId{path};
  return entry;
}

TEST_CASE("a log implies what was admitted and not released, in order", "[fletch][recovery]") {
  ActiveLog log(true);
  for (const std::uint32_t path : {0U, 1U, 2U, 3U}) {
    log.write(ActiveLog::Event::admitted, entry_of(path), path);
  }
  log.write(ActiveLog::Event::evicting, entry_of(2));
  log.write(ActiveLog::Event::released, entry_of(2));
  log.write(ActiveLog::Event::admitting, entry_of(2));
  log.write(ActiveLog::Event::admitted, entry_of(2), 7);
  log.write(ActiveLog::Event::evicting, entry_of(3));
  log.write(ActiveLog::Event::admitting, entry_of(4));
  log.write(ActiveLog::Event::admitting, entry_of(5));
  log.write(ActiveLog::Event::released, entry_of(5));  // it was gone
  std::string text;
  for (const ActiveLog::Path& path : ActiveLog::implied_by(log.records()).paths) {
    text += std::to_string(path.entry.path.value()) + (path.in_doubt ? "? " : " ");
    if (path.entry.path.value() == 2) CHECK(path.version == 7);
  }
  CHECK(text == "0 1 3? 2 4? ");
}

Config with_crash(CrashSettings crash) {
  Config config = testing::small_fletch();
  config.workload.requests = 3'000;
  config.cluster.servers = 2;
  config.client.retransmit = RetransmitSettings{sim::milliseconds(20), 100'000};
  config.faults.crashes = {crash};
  config.controller.message_timeout = sim::milliseconds(5);
  return config;
}

void check_whole(FletchRun& run) {
  CHECK(run["ops_completed"] == 3'000);
  CHECK(run["ops_failed"] == 0);
  testing::check_recovered(run.figures);
  CHECK(run.simulation.requests_in_use() == 0);
}

TEST_CASE("a server that was down gets the active log at 0.1 ms a path", "[fletch][recovery]") {
  FletchRun run(with_crash({Component::server, 1, sim::milliseconds(10), sim::milliseconds(3)}));
  run.go();
  check_whole(run);
  CHECK(run["client/retransmissions"] > 0);
  // Half of the entries are the other server's.
  const double paths = run["cache/preloaded_entries"] / 2;
  CHECK(run["recovery/server_s"] == Approx(paths * 1e-4).epsilon(0.2));
}

TEST_CASE("a controller that was down reads its log at 2 us a path, and knows every place again",
          "[fletch][recovery]") {
  FletchRun run(
      with_crash({Component::controller, 0, sim::milliseconds(10), sim::milliseconds(3)}));
  run.go();
  check_whole(run);
  CHECK(run["recovery/controller_s"] ==
        Approx(run["cache/preloaded_entries"] * 2e-6).epsilon(0.05));
}

TEST_CASE("a switch that was down has its cache again, under 3 ms a path", "[fletch][recovery]") {
  FletchRun run(
      with_crash({Component::rmt_switch, 0, sim::milliseconds(10), sim::milliseconds(3)}));
  run.go();
  check_whole(run);
  const double readmitted = run["controller/admissions"];
  CHECK(readmitted > 1'000);
  // A file's path takes 2.9 ms, a directory's two slots less: 0.4 ms.
  CHECK(run["recovery/switch_s"] > readmitted * 2.5e-3);
  CHECK(run["recovery/switch_s"] < readmitted * 2.95e-3);
  CHECK(run["cache/entries"] <= readmitted);
}

Config any_crashing_world(const TraceFile& trace, sim::CounterRng& rng) {
  Config config = any_world(trace, rng);
  config.client.retransmit = RetransmitSettings{sim::milliseconds(8), 100'000};
  config.server.ack_timeout = sim::milliseconds(1);
  config.controller.message_timeout = sim::milliseconds(2);
  config.controller.sweep.interval = sim::milliseconds(5);
  config.controller.sweep.timeout = sim::milliseconds(30);
  const auto below = [&rng](std::uint64_t n) { return static_cast<std::uint32_t>(rng.next() % n); };
  sim::Duration at = sim::milliseconds(1);
  for (unsigned i = 0; i < 3; ++i) {
    CrashSettings crash;
    crash.component =
        std::array{Component::server, Component::controller, Component::rmt_switch}[below(3)];
    crash.server = below(config.cluster.servers);
    at += sim::microseconds(below(4'000));
    crash.at = at;
    crash.down_for = sim::milliseconds(1) + sim::microseconds(below(2'000));
    at += crash.down_for + sim::milliseconds(300);  // one at a time
    config.faults.crashes.push_back(crash);
    if (i == 0 && below(2) == 0) at = crash.at + crash.down_for + sim::milliseconds(300);
  }
  return config;
}

TEST_CASE("whatever crashes, reads are fresh and recovery restores what the log implies",
          "[fletch][recovery][swarm]") {
  const unsigned pipes = GENERATE(1U, 2U, 4U);
  std::map<std::string, double> seen;
  constexpr std::array must_happen = {"recovery/server_s", "recovery/controller_s",
                                      "recovery/switch_s", "server/repeated_writes"};
  constexpr std::uint64_t worlds = 30;
  for (std::uint64_t world = 0; world < worlds; ++world) {
    // 243: the controller goes down when an evicted path is released and one below it is not.
    const std::uint64_t seed = world + 1 == worlds && pipes == 2 ? 243 : world;
    INFO("seed " << seed << ", servers on " << pipes << " pipes");
    sim::CounterRng rng = sim::RngFactory{seed, 0}.stream("crashes");
    TraceFile trace(any_operations(rng, 600));
    Config config = any_crashing_world(trace, rng);
    testing::spread_over_pipes(config, pipes);
    FletchRun run(config);
    testing::HistoryCheck check(run.simulation);
    REQUIRE_NOTHROW(run.go());
    CHECK(check.complaints == std::vector<std::string>{});
    testing::check_recovered(run.figures);
    CHECK(run["ops_completed"] == 600);
    CHECK(run.simulation.requests_in_use() == 0);
    for (const char* name : must_happen) {
      if (run.figures.count(name) > 0) seen[name] += run[name];
    }
  }
  for (const char* name : must_happen) {
    INFO(name);
    CHECK(seen[name] > 0);
  }
}

}  // namespace
}  // namespace recirc::model
