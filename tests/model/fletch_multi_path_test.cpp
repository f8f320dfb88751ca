#include "catch.h"
#include "fletch_under_test.h"
#include "history_check.h"
#include "permission_check.h"
#include "several_pipes.h"
#include "sim/rng.h"

namespace recirc::model {
namespace {

using testing::FletchRun;
using testing::HistoryCheck;
using testing::PermissionCheck;
using testing::TraceFile;

std::unique_ptr<Scheme> parent_first(const Config& config, const Topology& topology) {
  fletch::Mutants mutants;
  mutants.parent_first = true;
  return testing::fletch_with(config, topology, mutants);
}

Config one_client(const TraceFile& trace) {
  Config config = trace.config();
  config.cluster.clients = 1;
  return config;
}

constexpr const char* header = "time,op,path,dst,mode,user\n";

TEST_CASE("a recursive chmod is acknowledged when all cached descendants are up to date",
          "[fletch][multi]") {
  TraceFile trace(std::string(header) +
                  "0,stat,/a/b/f,,,\n0,stat,/a/g,,,\n0,stat,/h,,,\n0,chmod_r,/a,,0755,\n"
                  "0,stat,/a/b/f,,,stranger\n0,stat,/a/g,,,member\n0,stat,/h,,,\n");
  FletchRun run(one_client(trace));
  HistoryCheck check(run.simulation);
  run.go();
  CHECK(check.complaints.empty());
  CHECK(run["outcomes/hit/count"] == 6);
  CHECK(run["cache/multi_path_writes"] == 1);
  CHECK(run["cache/implied_changes"] == 3);  // /a/b, /a/b/f, /a/g
  CHECK(run["cache/record_updates"] == 4);
  CHECK(run["stale_reads"] == 0);
}

/// Many descendants, so that their updates take a while, and readers beside the writer.
std::string readers_of_a_subtree() {
  std::string text = header;
  for (int i = 0; i < 40; ++i) text += "0,stat,/a/f" + std::to_string(i) + ",,,\n";
  for (int round = 0; round < 10; ++round) {
    text += "0,chmod_r,/a,,07" + std::to_string(round % 2 * 5) + "5,\n";
    for (int i = 0; i < 60; ++i) text += "0,stat,/a/f" + std::to_string(i * 7 % 40) + ",,,\n";
  }
  return text;
}

TEST_CASE("no read of a descendant is older than an acknowledged multi-path write",
          "[fletch][multi][mutant]") {
  TraceFile trace(readers_of_a_subtree());
  for (const bool broken : {false, true}) {
    Config config = trace.config();
    config.cluster.clients = 4;
    config.cluster.servers = 1;
    config.network.host_delay = sim::microseconds(1);
    config.network.server_rate = sim::gigabits_per_second(1);  // 40 updates one after the other
    FletchRun run(config, broken ? &parent_first : &make_scheme);
    HistoryCheck check(run.simulation);
    run.go();
    INFO(run["stale_reads"] << " stale, " << check.complaints.size() << " complaints");
    CHECK((run["stale_reads"] > 0) == broken);
    CHECK(check.complaints.empty() == !broken);
    CHECK(run["cache/multi_path_writes"] == 10);
    CHECK(run["locks_leaked"] == 0);
  }
}

TEST_CASE("a directory that may not be passed any more denies all below it, in the switch as well",
          "[fletch][multi]") {
  TraceFile trace(std::string(header) +
                  "0,chmod,/a/b/f,,0644,\n0,stat,/a/b/f,,,stranger\n0,chmod,/a,,0700,\n"
                  "0,stat,/a/b/f,,,stranger\n0,stat,/a/b/f,,,\n0,stat,/a/b/x,,,stranger\n"
                  "0,create,/a/b/y,,,stranger\n0,chmod,/a,,0711,\n0,stat,/a/b/f,,,stranger\n");
  Config config = one_client(trace);
  config.cache.files = 1;
  for (const char* system : {"fletch", "nocache"}) {
    config.system = system;
    FletchRun run(config);
    run.go();
    INFO(system);
    CHECK(run["ops_denied"] == 3);
    CHECK(run["outcomes/error/count"] == 0);
    if (config.system != "fletch") continue;
    CHECK(run["outcomes/hit/count"] == 3);
  }
}

TEST_CASE("a rename locks and invalidates its destination, and brings its record up to date",
          "[fletch][multi]") {
  TraceFile trace(std::string(header) +
                  "0,stat,/a/f,,,\n0,stat,/b/g,,,\n0,rename,/a/f,/b/g,,\n0,stat,/b/g,,,\n"
                  "0,stat,/a/f,,,\n");
  FletchRun run(one_client(trace));
  HistoryCheck check(run.simulation);
  run.go();
  CHECK(check.complaints.empty());
  CHECK(run["outcomes/hit/count"] == 3);
  CHECK(run["outcomes/error/count"] == 1);
  CHECK(run["cache/implied_changes"] == 1);
  CHECK(run["controller/evictions_of_gone"] == 1);
}

TEST_CASE("a rename that is refused makes its destination readable again", "[fletch][multi]") {
  TraceFile trace(std::string(header) +
                  "0,stat,/a/f,,,\n0,stat,/b/g,,,\n0,rename,/a/f,/b,,\n0,stat,/b/g,,,\n"
                  "0,rename,/a/none,/b/g,,\n0,stat,/b/g,,,\n0,stat,/a/f,,,\n");
  Config config = one_client(trace);
  FletchRun run(config);
  run.go();
  CHECK(run["outcomes/hit/count"] == 5);
}

TEST_CASE("a directory that is renamed is found with what is below it under its new name only",
          "[fletch][multi]") {
  TraceFile trace(std::string(header) +
                  "0,stat,/d/s/f,,,\n0,chmod,/d/s/f,,0640,\n0,rename,/d,/x,,\n0,stat,/d/s/f,,,\n"
                  "0,stat,/x/s/f,,,member\n0,stat,/x/s/g,,,\n0,rename,/x,/d,,\n"
                  "0,stat,/d/s/f,,,member\n0,stat,/d/s/g,,,\n0,stat,/x/s/f,,,\n");
  for (const char* system : {"fletch", "nocache"}) {
    Config config = one_client(trace);
    config.system = system;
    FletchRun run(config);
    HistoryCheck check(run.simulation);
    run.go();
    INFO(system);
    CHECK(check.complaints.empty());
    CHECK(run["outcomes/error/count"] == 2);
    CHECK(run["ops_denied"] == 0);
  }
}

/// Both of them.
class BothChecks final : public OpObserver {
 public:
  explicit BothChecks(Simulation& simulation) : history(simulation), permissions(simulation) {
    simulation.observe(this);
  }
  void happened(Moment moment, const Request& request, RequestHandle handle) override {
    history.happened(moment, request, handle);
    permissions.happened(moment, request, handle);
  }
  HistoryCheck history;
  PermissionCheck permissions;
};

/// Few paths, many writers, and half of the writes reach beyond their own path.
std::string multi_path_operations(sim::CounterRng& rng, unsigned count) {
  const auto below = [&rng](std::uint64_t n) { return rng.next() % n; };
  const auto directory = [&] {
    std::string path;
    const std::uint64_t depth = 1 + below(4);
    for (std::uint64_t level = 0; level < depth; ++level) path += "/d" + std::to_string(below(2));
    return path;
  };
  const auto file = [&] { return directory() + "/f" + std::to_string(below(2)); };
  static constexpr const char* callers[] = {"", "", "owner", "member", "stranger"};
  static constexpr const char* modes[] = {"0711", "0755", "0700", "0750"};
  std::string text = header;
  for (unsigned i = 0; i < count; ++i) {
    const std::string caller = callers[below(5)];
    const std::string mode = modes[below(4)];
    switch (below(12)) {
      case 0:
        text += "0,chmod_r," + directory() + ",," + mode + ",\n";
        break;
      case 1:
        text += "0,chmod," + directory() + ",," + mode + ",\n";
        break;
      case 2:
        text += "0,rename," + directory() + "," + directory() + ",,\n";
        break;
      case 3:
        text += "0,rename," + file() + "," + file() + ",,\n";
        break;
      case 4:
        text += "0,create," + file() + ",,,\n";
        break;
      case 5:
        text += (below(4) == 0 ? "0,delete," : "0,rmdir,") + directory() + ",,,\n";
        break;
      case 6:
        text += "0,mkdir," + directory() + ",,,\n";
        break;
      default:
        text += "0,stat," + file() + ",,," + caller + "\n";
        break;
    }
  }
  return text;
}

TEST_CASE("in any world of multi-path writes reads are fresh and nothing gets stuck",
          "[fletch][multi][swarm]") {
  const unsigned pipes = GENERATE(1U, 2U, 4U);
  std::map<std::string, double> seen;
  const std::uint64_t worlds = pipes == 1 ? 40 : 25;
  for (std::uint64_t world = 0; world < worlds; ++world) {
    // 366: answers that overtook a change that waited for an admission closed a circle of waits.
    const std::uint64_t seed = world + 1 == worlds && pipes == 2 ? 366 : world;
    INFO("seed " << seed << ", servers on " << pipes << " pipes");
    sim::CounterRng rng = sim::RngFactory{seed, 7}.stream("swarm");
    TraceFile trace(multi_path_operations(rng, 1'000));
    const auto below = [&rng](std::uint64_t n) {
      return static_cast<std::uint32_t>(rng.next() % n);
    };
    Config config = trace.config();
    config.server.service_time = sim::microseconds(1 + below(40));
    config.cluster.servers = 1 + below(4);
    config.cluster.clients = 1 + below(30);
    config.cache.threshold = 1 + below(5);
    if (below(2) == 0) config.controller.admission = fletch::AdmissionPolicy::on;
    config.controller.reset_interval = sim::milliseconds(2 + below(20));
    config.controller.path_time = sim::microseconds(below(300));
    config.controller.grace = sim::microseconds(50 + below(300));
    config.rmt_switch.max_recirculations = 1'000'000;
    config.network.host_delay = sim::nanoseconds(100 + below(20'000));
    testing::spread_over_pipes(config, pipes);
    FletchRun run(config);
    BothChecks check(run.simulation);
    REQUIRE_NOTHROW(run.go());
    CHECK(check.history.complaints == std::vector<std::string>{});
    CHECK(check.permissions.wrong == 0);
    seen["reads with one answer"] += check.permissions.strict;
    CHECK(run["stale_reads"] == 0);
    CHECK(run["locks_leaked"] == 0);
    CHECK(run["ops_failed"] == 0);
    for (const char* name : {"cache/implied_changes", "cache/multi_path_writes", "ops_denied",
                             "outcomes/hit/count", "controller/admissions"}) {
      seen[name] += run[name];
    }
  }
  for (const auto& [name, count] : seen) {
    INFO(name);
    CHECK(count > 100);
  }
}

}  // namespace
}  // namespace recirc::model
