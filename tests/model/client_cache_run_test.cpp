#include "catch.h"
#include "client_cache_under_test.h"

namespace recirc::model {
namespace {

using testing::CachedTrace;
using testing::FletchRun;
using testing::small_fletch;

std::map<std::string, double> figures_of(const Config& config, SchemeMaker make = &make_scheme) {
  FletchRun run(config, make);
  run.go();
  return run.figures;
}

TEST_CASE("a directory that the client has not got costs its server a lookup, once",
          "[client_cache]") {
  const CachedTrace trace("0,stat,/a/b/f\n0,stat,/a/b/g\n0,stat,/a/h\n0,stat,/i\n");
  auto figures = figures_of(trace.config);
  CHECK(figures["client_cache/misses"] == 2);
  CHECK(figures["client_cache/hits"] == 3);
  CHECK(figures["client_cache/whole_paths"] == 3);
  CHECK(figures["client_cache/lookups"] == 2);
  CHECK(figures["client_cache/lookup_requests"] == 0);
  CHECK(figures["server_requests"] == 4);
  CHECK(figures["time/service_us"] == Approx((4 * 10 + 2 * 5) / 4.0));
  CHECK(figures["client_cache/entries"] == 2);
  CHECK(figures["client_cache/bytes"] == 2 + 4 + 2 * 40);
}

TEST_CASE("with round trips the client asks for each directory first, from the top",
          "[client_cache]") {
  CachedTrace trace("0,stat,/a/b/f\n0,stat,/a/b/g\n");
  trace.config.client_cache.misses = client_cache::RoundTrips{};
  auto figures = figures_of(trace.config);
  CHECK(figures["client_cache/lookup_requests"] == 2);
  CHECK(figures["client_cache/lookups"] == 0);
  CHECK(figures["server_requests"] == 4);
  CHECK(figures["ops_completed"] == 2);
  CHECK(figures["time/service_us"] == Approx(4 * 10 / 2.0));
  // Three round trips and one.
  CHECK(figures["latency_max_us"] / figures["latency_mean_us"] == Approx(6.0 / 4).epsilon(0.01));
  CHECK(figures["outcomes/miss/count"] == 2);
}

TEST_CASE("a client that may send again has sent nothing again when it asks for directories",
          "[client_cache]") {
  CachedTrace trace("0,stat,/a/b/f\n0,stat,/a/b/g\n");
  trace.config.client_cache.misses = client_cache::RoundTrips{};
  const double wire = figures_of(trace.config)["time/wire_us"];
  trace.config.client.retransmit.emplace();
  auto figures = figures_of(trace.config);
  CHECK(figures.count("time/resending_us") == 0);
  CHECK(figures["time/wire_us"] == Approx(wire));
}

TEST_CASE("each client has a cache of its own", "[client_cache]") {
  CachedTrace trace("0,stat,/a/f\n1,stat,/a/f\n2,stat,/a/f\n", 3);
  trace.config.workload.arrival = workloads::RecordedArrival{};
  CHECK(figures_of(trace.config)["client_cache/misses"] == 3);
}

TEST_CASE("a cache without room holds nothing, and all is looked up each time", "[client_cache]") {
  CachedTrace trace("0,stat,/a/b/f\n0,stat,/a/b/f\n");
  trace.config.client_cache.size = sim::Bytes{0};
  auto figures = figures_of(trace.config);
  CHECK(figures["client_cache/misses"] == 4);
  CHECK(figures["client_cache/entries"] == 0);
  CHECK(figures["client_cache/evictions"] == figures["client_cache/insertions"]);
}

TEST_CASE("clients that are warmed up miss less, and what they did before is not counted",
          "[client_cache]") {
  Config config = small_fletch();
  config.system = "ccache";
  const auto cold = figures_of(config);
  config.client_cache.warm_up = 2'000;
  auto warm = figures_of(config);
  CHECK(warm["client_cache/misses"] * 2 < cold.at("client_cache/misses"));
  CHECK(warm["client_cache/insertions"] == warm["client_cache/misses"]);
  CHECK(warm["client_cache/entries"] > cold.at("client_cache/entries"));
  config.client_cache.size = sim::Bytes{2'000};
  warm = figures_of(config);
  CHECK(warm["client_cache/bytes"] <= 2'000.0 * clients_of(config));
  CHECK(warm["client_cache/bytes"] > 1'000.0 * clients_of(config));
}

TEST_CASE("who goes by an old permission is turned away, learns the new one and asks again",
          "[client_cache]") {
  const CachedTrace trace("0,stat,/a/f\n0,chmod,/a\n0,stat,/a/f\n0,stat,/a/f\n");
  auto figures = figures_of(trace.config);
  CHECK(figures["client_cache/validation_failures"] == 1);
  CHECK(figures["client_cache/announcements"] == 1);
  CHECK(figures["client_cache/outdated_permissions"] == 0);
  CHECK(figures["ops_completed"] == 4);
  CHECK(figures["server_requests"] == 5);
  // Four operations, one lookup, and half a read for the answer that turns the request away.
  CHECK(figures["time/service_us"] == Approx((40 + 5 + 5) / 4.0));
}

TEST_CASE("a permission taken away from a directory above holds for everybody at once",
          "[client_cache]") {
  const CachedTrace trace(
      "0,chmod,/a/b/f,,0644,owner\n0,stat,/a/b/f,,,stranger\n0,chmod,/a,,0700,owner\n"
      "0,stat,/a/b/f,,,stranger\n0,stat,/a/b/f,,,owner\n");
  for (const char* system : {"ccache", "fletch_plus"}) {
    Config config = trace.config;
    config.system = system;
    auto figures = figures_of(config);
    CHECK(figures["outcomes/denied/count"] == 1);
    CHECK(figures["client_cache/outdated_permissions"] == 0);
  }
}

TEST_CASE("the answer to a directory's write waits until the other servers know",
          "[client_cache]") {
  CachedTrace trace("0,stat,/a/f\n0,chmod,/a\n");
  trace.config.cluster.servers = 1;
  const double alone = figures_of(trace.config)["operations/chmod/latency_mean_us"];
  trace.config.cluster.servers = 4;
  auto figures = figures_of(trace.config);
  CHECK(figures["client_cache/delayed_writes"] == 1);
  const double among_others = figures["operations/chmod/latency_mean_us"];
  CHECK(among_others > alone + 4 * sim::as_microseconds(trace.config.network.host_delay));
  CHECK(among_others == Approx(alone + figures["client_cache/write_delay_mean_us"]).epsilon(0.001));
}

TEST_CASE("with leases a directory's write waits for those on it, and reads never retry",
          "[client_cache]") {
  CachedTrace trace("0,stat,/a/f\n0,chmod,/a\n0,stat,/a/f\n");
  trace.config.client_cache.consistency = client_cache::Leases{sim::milliseconds(3)};
  auto figures = figures_of(trace.config);
  CHECK(figures["client_cache/validation_failures"] == 0);
  CHECK(figures["client_cache/delayed_writes"] == 1);
  CHECK(figures["latency_max_us"] > 2'900);
  CHECK(figures["client_cache/expired"] == 1);
  CHECK(figures["client_cache/outdated_permissions"] == 0);
}

TEST_CASE(
    "a rename of a directory to itself does not wait for leases, and nobody is outdated by it",
    "[client_cache]") {
  CachedTrace trace(
      "0,stat,/a/f,,,\n0,stat,/a/g,,,\n0,chmod,/a,,,\n0,rename,/a,/a,,\n0,stat,/a/f\n0,stat,/a/g\n",
      2);
  trace.config.client_cache.consistency = client_cache::Leases{sim::milliseconds(3)};
  auto figures = figures_of(trace.config);
  CHECK(figures["client_cache/delayed_writes"] == 1);
  CHECK(figures["operations/rename/latency_mean_us"] < 1'000);
  CHECK(figures["client_cache/outdated_permissions"] == 0);
  CHECK(figures["ops_completed"] == 6);
}

TEST_CASE("without one of the rules the oracle tells that an old permission was gone by",
          "[client_cache][mutant]") {
  using client_cache::Mutants;
  CachedTrace trace(
      "0,stat,/a/f\n0,stat,/a/g\n0,stat,/a/h\n0,chmod,/a\n0,stat,/a/f\n"
      "0,stat,/a/g\n0,stat,/a/h\n");
  // The announcement takes long, so that the other servers have not heard of it for a while.
  trace.config.client_cache.announcement_cost = 100;
  const auto outdated = [&](SchemeMaker make) {
    return figures_of(trace.config, make)["client_cache/outdated_permissions"];
  };
  CHECK(outdated(&make_scheme) == 0);
  CHECK(outdated(&testing::ccache_without<&Mutants::accept_old_versions>) == 3);
  CHECK(outdated(&testing::ccache_without<&Mutants::answer_unannounced>) > 0);
  trace.config.client_cache.consistency = client_cache::Leases{sim::milliseconds(30)};
  CHECK(outdated(&make_scheme) == 0);
  CHECK(outdated(&testing::ccache_without<&Mutants::ignore_leases>) == 3);
}

TEST_CASE("a read that the switch answers costs no server a lookup", "[client_cache]") {
  Config config = small_fletch();
  config.system = "fletch_plus";
  config.workload.mix = testing::mix_of({{workloads::OpKind::stat, 1}});
  config.workload.files = 300;
  config.cache.files = 300;
  auto figures = figures_of(config);
  CHECK(figures["switch_hit_ratio"] == 1.0);
  CHECK(figures["client_cache/lookups"] == 0);
  CHECK(figures["client_cache/entries"] == 0);
}

TEST_CASE("the switch does for fletch_plus what it does for fletch", "[client_cache]") {
  Config config = small_fletch();
  config.workload.mix = testing::mix_of({{workloads::OpKind::stat, 1}});
  auto fletch = figures_of(config);
  config.system = "fletch_plus";
  auto plus = figures_of(config);
  for (const char* name : {"switch_hit_ratio", "recirculations_per_op", "cache/entries",
                           "switch/recirculated_frames", "switch/mirrored_frames"}) {
    INFO(name);
    CHECK(plus[name] == fletch[name]);
  }
  CHECK(plus["client_cache/lookups"] > 0);
}

TEST_CASE("a run with client caches is a function of its configuration", "[client_cache]") {
  for (const char* system : {"ccache", "fletch_plus"}) {
    Config config = small_fletch();
    config.system = system;
    CHECK(figures_of(config) == figures_of(config));
  }
}

TEST_CASE("all systems carry out the same operations", "[client_cache]") {
  std::map<std::string, std::map<std::string, double>> counts;
  for (const char* system : {"nocache", "ccache", "fletch", "fletch_plus"}) {
    Config config = small_fletch();
    config.system = system;
    config.server = defaults_of(system).server;
    config.rmt_switch.max_recirculations = 1'000'000;
    for (const auto& [name, value] : figures_of(config)) {
      const bool is_count = name.ends_with("/count") && name.starts_with("operations/");
      if (is_count) counts[system][name] = value;
    }
    CHECK(counts[system].size() >= 7);
    CHECK(counts[system] == counts["nocache"]);
  }
}

TEST_CASE("the systems' own defaults are a store and a threshold", "[client_cache]") {
  CHECK(defaults_of("ccache").server.store == Store::rocksdb);
  CHECK(defaults_of("fletch_plus").server.store == Store::rocksdb);
  CHECK(defaults_of("fletch_plus").cache.threshold == 20);
  CHECK(defaults_of("fletch").cache.threshold == 10);
  CHECK(defaults_of("fletch").server.store == Store::hdfs);
}

TEST_CASE("systems without client caches do not look at their settings", "[client_cache]") {
  for (const char* system : {"nocache", "fletch"}) {
    Config config = small_fletch();
    config.system = system;
    const auto before = figures_of(config);
    config.client_cache.size = sim::Bytes{0};
    config.client_cache.misses = client_cache::RoundTrips{};
    config.client_cache.consistency = client_cache::Leases{};
    CHECK(figures_of(config) == before);
    CHECK(before.count("client_cache/hits") == 0);
  }
}

}  // namespace
}  // namespace recirc::model
