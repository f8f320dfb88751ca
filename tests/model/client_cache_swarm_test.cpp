#include <array>

#include "catch.h"
#include "client_cache_under_test.h"
#include "history_check.h"
#include "sim/rng.h"

namespace recirc::model {
namespace {

using testing::FletchRun;
using testing::TraceFile;

/// Reads of few paths, with many writes to the directories above them.
std::string any_operations(sim::CounterRng& rng, unsigned count) {
  const auto below = [&rng](std::uint64_t n) { return rng.next() % n; };
  static constexpr std::array kinds = {"chmod",  "chown",  "utime", "create", "mkdir",
                                       "rename", "delete", "rmdir", "chmod"};
  std::string text;
  for (unsigned i = 0; i < count; ++i) {
    const auto any_path = [&](bool directory) {
      std::string path;
      const std::uint64_t depth = 1 + below(5);
      for (std::uint64_t l = 1; l < depth; ++l) path += "/d" + std::to_string(below(2));
      return path + (directory ? "/d" : "/f") + std::to_string(below(2));
    };
    const bool writes = below(10) == 0;
    const std::string kind = writes ? kinds[below(kinds.size())] : "stat";
    const bool directory = writes ? kind != "create" && below(4) != 0 : below(6) == 0;
    text += "0," + kind + "," + any_path(directory || kind == "mkdir" || kind == "rmdir");
    if (kind == "rename") text += "," + any_path(directory);
    text += "\n";
  }
  return text;
}

Config any_world(const TraceFile& trace, sim::CounterRng& rng) {
  const auto below = [&rng](std::uint64_t n) { return static_cast<std::uint32_t>(rng.next() % n); };
  Config config = trace.config();
  config.system = below(2) == 0 ? "ccache" : "fletch_plus";
  config.server = ServerSettings::of(below(3) == 0 ? Store::hdfs : Store::rocksdb);
  config.server.service_time = sim::microseconds(1 + below(40));
  config.cluster.servers = 1 + below(5);
  config.cluster.clients = 1 + below(30);
  config.cache.files = below(3) * 20;
  config.cache.threshold = 1 + below(10);
  if (below(2) == 0) config.controller.admission = fletch::AdmissionPolicy::on;
  config.controller.reset_interval = sim::milliseconds(2 + below(50));
  config.controller.path_time = sim::microseconds(below(500));
  config.rmt_switch.max_recirculations = 1'000'000;
  config.network.host_delay = sim::nanoseconds(100 + below(20'000));
  config.client_cache.size = below(2) == 0 ? sim::Bytes{4 << 20} : sim::Bytes{50 + below(400)};
  if (below(2) == 0) {
    config.client_cache.consistency = client_cache::Leases{sim::microseconds(20 + below(5'000))};
  }
  if (below(2) == 0) config.client_cache.misses = client_cache::RoundTrips{};
  config.client_cache.announcement_cost = below(2) == 0 ? 0.5 : 20;
  config.client_cache.announce_again = sim::microseconds(100 + below(2'000));
  config.client_cache.warm_up = below(2) * 50;
  return config;
}

TEST_CASE("in any world nobody goes by an outdated permission, and nothing gets lost",
          "[client_cache][swarm]") {
  constexpr std::array rare = {"client_cache/validation_failures",
                               "client_cache/delayed_writes",
                               "client_cache/evictions",
                               "client_cache/expired",
                               "client_cache/lookups",
                               "client_cache/lookup_requests",
                               "client_cache/without_cache",
                               "outcomes/hit/count",
                               "cache/parked_writes"};
  std::map<std::string, double> seen;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    INFO("seed " << seed);
    sim::CounterRng rng = sim::RngFactory{seed, 0}.stream("client cache swarm");
    const TraceFile trace(any_operations(rng, 1'000));
    const Config world = any_world(trace, rng);
    INFO(sim::config::effective_text(world));
    FletchRun run(world);
    testing::HistoryCheck check(run.simulation);
    REQUIRE_NOTHROW(run.go());
    CHECK(check.complaints == std::vector<std::string>{});
    CHECK(run["client_cache/outdated_permissions"] == 0);
    CHECK(run["client_cache/writes_left_waiting"] == 0);
    CHECK(run["stale_reads"] == 0);
    CHECK(run["locks_leaked"] == 0);
    CHECK(run["ops_completed"] == 1'000);
    for (const char* name : rare) seen[name] += run.figures[name];
  }
  for (const char* name : rare) {
    INFO(name);
    CHECK(seen[name] > 10);
  }
}

TEST_CASE("messages between servers that are lost or doubled do no harm", "[client_cache][swarm]") {
  std::string text;
  sim::CounterRng rng = sim::RngFactory{7, 0}.stream("lossy");
  for (int i = 0; i < 1'500; ++i) {
    const std::string directory = "/d" + std::to_string(rng.next() % 4);
    text += rng.next() % 8 == 0 ? "0,chmod," + directory + "\n"
                                : "0,stat," + directory + "/f" + std::to_string(i % 5) + "\n";
  }
  const TraceFile trace(text);
  for (const bool leases : {false, true}) {
    Config config = trace.config();
    config.system = "ccache";
    config.server = ServerSettings::of(Store::rocksdb);
    config.faults.server_links.loss = 0.05;
    config.faults.server_links.duplication = 0.05;
    config.client.retransmit.emplace();
    config.client_cache.announce_again = sim::milliseconds(1);
    if (leases) config.client_cache.consistency = client_cache::Leases{sim::milliseconds(2)};
    FletchRun run(config);
    run.go();
    CHECK(run["ops_completed"] == 1'500);
    CHECK(run["client_cache/outdated_permissions"] == 0);
    CHECK(run["client_cache/writes_left_waiting"] == 0);
    CHECK(run["stale_reads"] == 0);
    CHECK(run["client/retransmissions"] > 0);
    CHECK(run["client_cache/delayed_writes"] > 50);
  }
}

}  // namespace
}  // namespace recirc::model
