#include "catch.h"
#include "directory_writes.h"
#include "fletch_worlds.h"
#include "history_check.h"
#include "logged_run.h"

// Servers of clients that cache directories crash (docs/decisions/0031-recovery.md).
namespace recirc::model {
namespace {

using faults::Component;
using testing::LoggedRun;
using testing::TraceFile;

Config crashing_world(const TraceFile& trace, bool leases, sim::CounterRng& rng) {
  const auto below = [&rng](std::uint64_t n) { return static_cast<std::uint32_t>(rng.next() % n); };
  Config config = testing::any_world(trace, rng);
  config.system = below(2) == 0 ? "ccache" : "fletch_plus";
  config.client.retransmit = RetransmitSettings{sim::milliseconds(4), 100000};
  config.server.ack_timeout = sim::milliseconds(1);
  config.controller.message_timeout = sim::milliseconds(2);
  config.controller.sweep.interval = sim::milliseconds(5);
  config.controller.sweep.timeout = sim::milliseconds(30);
  config.client_cache.announce_again = sim::microseconds(200 + below(2'000));
  if (leases) {
    config.client_cache.consistency = client_cache::Leases{sim::microseconds(20 + below(8'000))};
  }
  if (below(2) == 0) config.client_cache.misses = client_cache::RoundTrips{};
  sim::Duration at = sim::milliseconds(1);
  for (unsigned i = 0; i < 6; ++i) {
    at += sim::microseconds(2'100 + below(5'000));
    config.faults.crashes.push_back({Component::server, below(config.cluster.servers), at,
                                     sim::milliseconds(1) + sim::microseconds(below(1'000))});
  }
  return config;
}

TEST_CASE("servers may crash whatever they announce: nobody goes by an outdated permission",
          "[client_cache][recovery][swarm]") {
  double delayed = 0;
  double repeated = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    INFO("seed " << seed);
    sim::CounterRng rng = sim::RngFactory{seed, 0}.stream("crashing servers");
    const bool leases = rng.next() % 2 == 0;
    TraceFile trace(testing::writes_of_directories(rng, 600, rng.next() % 2 == 0));
    const Config world = crashing_world(trace, leases, rng);
    INFO(world.system << (leases ? " with leases" : " with validation"));
    LoggedRun run(world, "");
    testing::HistoryCheck check(run.simulation);
    std::map<std::string, double> figures;
    REQUIRE_NOTHROW(figures = run.go());
    CHECK(check.complaints == std::vector<std::string>{});
    CHECK(figures["ops_completed"] == 600);
    CHECK(figures["stale_reads"] == 0);
    CHECK(figures["client_cache/outdated_permissions"] == 0);
    CHECK(figures["client_cache/writes_left_waiting"] == 0);
    CHECK(figures["locks_leaked"] == 0);
    CHECK(figures["cache/writes_left_waiting"] == 0);
    CHECK(run.simulation.requests_in_use() == 0);
    delayed += figures["client_cache/delayed_writes"];
    repeated += figures["server/repeated_writes"];
  }
  CHECK(delayed > 100);
  CHECK(repeated > 10);
}

TEST_CASE("after a crash a write waits for leases that its server may have granted",
          "[client_cache][recovery]") {
  std::string text;
  for (unsigned i = 0; i < 10; ++i) text += "0,stat,/a/f\n";
  for (unsigned i = 0; i < 10; ++i) text += "0,chmod,/a\n";
  TraceFile trace(text);
  const auto delay = [&](bool crashes) {
    Config config = trace.config();
    config.system = "ccache";
    config.cluster.servers = 1;
    config.cluster.clients = 1;
    config.workload.arrival = workloads::PacedArrival{sim::milliseconds(5)};
    config.client.retransmit = RetransmitSettings{sim::milliseconds(20), 1'000};
    config.client_cache.consistency = client_cache::Leases{sim::milliseconds(4)};
    if (crashes) {
      config.faults.crashes = {{Component::server, 0, sim::milliseconds(62), sim::milliseconds(2)}};
    }
    LoggedRun run(config, "");
    auto figures = run.go();
    CHECK(figures["ops_completed"] == 20);
    CHECK(figures["client_cache/outdated_permissions"] == 0);
    return figures["client_cache/write_delay_mean_us"];
  };
  CHECK(delay(false) == 0);  // all leases have ended
  CHECK(delay(true) > 1'000);
}

}  // namespace
}  // namespace recirc::model
