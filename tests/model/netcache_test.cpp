#include "catch.h"
#include "fletch_under_test.h"
#include "history_check.h"

// Whole runs of system netcache.
namespace recirc::model {
namespace {

using testing::FletchRun;
using testing::mix_of;
using testing::small_fletch;
using testing::TraceFile;
using workloads::OpKind;

Config small_netcache() {
  Config config = small_fletch();
  config.system = "netcache";
  return config;
}

Config of_trace(const TraceFile& trace) {
  Config config = trace.config();
  config.system = "netcache";
  config.cluster.clients = 1;
  return config;
}

TEST_CASE("netcache answers hot files without a recirculation and caches no directory for them",
          "[netcache]") {
  Config config = small_netcache();
  config.workload.mix = mix_of({{OpKind::stat, 1.0}});
  FletchRun run(config);
  run.go();
  CHECK(run["recirculations_per_op"] == 0);
  CHECK(run["cache/entries"] == 500);
  CHECK(run["switch_hit_ratio"] > 0.1);
  CHECK(run["stale_reads"] == 0);
  CHECK(run["unpermitted_answers"] == 0);
}

TEST_CASE("netcache answers whom a directory above does not let pass, and counts it",
          "[netcache]") {
  // A stranger may not read the file, and then nobody may pass its directory.
  TraceFile trace(
      "time,op,path,mode,user\n0,stat,/d/f,,owner\n0,stat,/d/f,,stranger\n"
      "0,chmod,/d,0000,owner\n0,stat,/d/f,,owner\n");
  Config config = of_trace(trace);
  FletchRun run(config);
  run.go();
  CHECK(run["outcomes/hit/count"] == 3);
  CHECK(run["unpermitted_answers"] == 2);
  config.system = "fletch";
  FletchRun aware(config);
  aware.go();
  CHECK(aware["ops_denied"] == 2);
}

TEST_CASE("netcache serves what was moved away with its directory, as it knows no directories",
          "[netcache]") {
  TraceFile trace("0,stat,/d/f\n0,rename,/d,/e\n0,stat,/d/f\n");
  FletchRun run(of_trace(trace));
  run.go();
  CHECK(run["outcomes/hit/count"] == 2);
  CHECK(run["cache/different_records"] == 1);
}

/// Reads and writes of files: the namespace's directories stay as they are.
std::string file_operations(sim::CounterRng& rng, unsigned count) {
  const auto below = [&rng](std::uint64_t n) { return rng.next() % n; };
  static constexpr const char* kinds[] = {"chmod", "create", "delete", "rename", "chmod"};
  const auto any_file = [&] {
    const std::string name = "/f" + std::to_string(below(4));
    return "/d" + std::to_string(below(3)) + name;
  };
  std::string text;
  for (unsigned i = 0; i < count; ++i) {
    const std::string kind = below(3) != 0 ? "stat" : kinds[below(5)];
    text += "0," + kind + "," + any_file();
    if (kind == "rename") text += "," + any_file();
    text += "\n";
  }
  return text;
}

TEST_CASE("in any world of files netcache's reads are fresh and nothing gets lost",
          "[netcache][swarm]") {
  constexpr std::array rare = {"cache/parked_writes", "cache/record_updates",
                               "outcomes/invalid/count", "controller/admissions",
                               "controller/evictions_of_gone"};
  std::map<std::string, double> seen;
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    INFO("seed " << seed);
    sim::CounterRng rng = sim::RngFactory{seed, 0}.stream("netcache swarm");
    const auto below = [&rng](std::uint64_t n) {
      return static_cast<std::uint32_t>(rng.next() % n);
    };
    TraceFile trace(file_operations(rng, 1'000));
    Config config = of_trace(trace);
    config.server.service_time = sim::microseconds(1 + below(60));
    config.cluster.servers = 1 + below(4);
    config.cluster.clients = 1 + below(30);
    config.cache.files = below(3) * 6;
    config.cache.threshold = 1 + below(4);
    config.netcache.items = 1 + below(12);
    config.controller.admission =
        below(3) == 0 ? fletch::AdmissionPolicy::off : fletch::AdmissionPolicy::on;
    config.controller.reset_interval = sim::milliseconds(2 + below(20));
    config.controller.path_time = sim::microseconds(below(300));
    config.controller.grace = sim::microseconds(300 + below(300));
    FletchRun run(config);
    testing::HistoryCheck check(run.simulation);
    REQUIRE_NOTHROW(run.go());
    CHECK(check.complaints == std::vector<std::string>{});
    CHECK(run["stale_reads"] == 0);
    CHECK(run["cache/different_records"] == 0);
    CHECK(run["ops_failed"] == 0);
    CHECK(run["ops_completed"] == 1'000);
    for (const char* name : rare) seen[name] += run[name];
  }
  for (const char* name : rare) {
    INFO(name);
    CHECK(seen[name] > 10);
  }
}

}  // namespace
}  // namespace recirc::model
