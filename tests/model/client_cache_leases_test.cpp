#include "catch.h"
#include "directory_writes.h"
#include "fletch_worlds.h"
#include "history_check.h"
#include "logged_run.h"

// Directories that are written, go and come again all the time.
namespace recirc::model {
namespace {

using testing::TraceFile;

constexpr unsigned operations = 600;

struct World {
  World(std::uint64_t seed, bool modes)
      : rng(sim::RngFactory{seed, 0}.stream("written directories")),
        trace(testing::writes_of_directories(rng, operations, modes)),
        config(testing::any_world(trace, rng)) {
    const auto below = [this](std::uint64_t n) {
      return static_cast<std::uint32_t>(rng.next() % n);
    };
    config.system = below(2) == 0 ? "ccache" : "fletch_plus";
    ClientCacheSettings& cache = config.client_cache;
    if (below(4) != 0) cache.consistency = Leases{sim::microseconds(20 + below(8'000))};
    if (below(2) == 0) cache.misses = client_cache::RoundTrips{};
    if (below(2) == 0) cache.size = sim::Bytes{50 + below(400)};
    cache.announce_again = sim::microseconds(500 + below(2'000));
    cache.announcement_cost = below(2) == 0 ? 0.5 : 3;
  }
  using ClientCacheSettings = client_cache::ClientCacheSettings;
  using Leases = client_cache::Leases;

  sim::CounterRng rng;
  TraceFile trace;
  Config config;
};

void nobody_goes_by_what_was_replaced(std::uint64_t seed, bool modes) {
  INFO("seed " << seed << (modes ? " with modes" : ""));
  const World world(seed, modes);
  testing::LoggedRun run(world.config, "");
  testing::HistoryCheck check(run.simulation);
  std::map<std::string, double> figures;
  REQUIRE_NOTHROW(figures = run.go());
  CHECK(check.complaints == std::vector<std::string>{});
  CHECK(figures["ops_completed"] == operations);
  CHECK(figures["client_cache/outdated_permissions"] == 0);
  CHECK(figures["client_cache/writes_left_waiting"] == 0);
  CHECK(figures["stale_reads"] == 0);
  CHECK(figures["locks_leaked"] == 0);
}

TEST_CASE("a directory's rename to itself tells nobody that an earlier write is known",
          "[client_cache]") {
  for (const unsigned seed : {0, 25, 26, 33, 68, 76, 89, 319, 729, 1674}) {
    nobody_goes_by_what_was_replaced(seed, false);
  }
}

TEST_CASE("what is below a directory that nobody may pass is as new as before", "[client_cache]") {
  for (const unsigned seed : {12, 13, 25, 29, 92, 752, 923}) {
    nobody_goes_by_what_was_replaced(seed, true);
  }
}

TEST_CASE("nobody goes by an old permission where directories come and go all the time",
          "[client_cache][swarm]") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    nobody_goes_by_what_was_replaced(seed, seed % 2 == 0);
  }
}

/// Many directories are written at once, and each server takes longer to hear of all of them than
/// those who tell it wait before they tell it again.
std::map<std::string, double> impatient_writers(sim::Duration announce_again) {
  std::string text;
  for (unsigned i = 0; i < 300; ++i) {
    const std::string directory = "/d" + std::to_string(i % 60);
    text += i < 60 ? "0,stat," + directory + "/f\n" : "0,chmod," + directory + "\n";
  }
  const TraceFile trace(text);
  Config config = trace.config();
  config.system = "ccache";
  config.cluster.servers = 4;
  config.cluster.clients = 30;
  config.server = ServerSettings::of(Store::rocksdb);
  config.server.service_time = sim::microseconds(56);
  config.client_cache.consistency = client_cache::Leases{sim::milliseconds(8)};
  config.client_cache.announcement_cost = 3;
  config.client_cache.announce_again = announce_again;
  testing::LoggedRun run(config, "");
  return run.go();
}

TEST_CASE("who is told again of a directory's write before it could listen gets no more to do",
          "[client_cache]") {
  auto impatient = impatient_writers(sim::microseconds(200));
  auto patient = impatient_writers(sim::seconds(10));
  CHECK(impatient["ops_completed"] == 300);
  CHECK(patient["client_cache/delayed_writes"] > 200);
  CHECK(impatient["client_cache/delayed_writes"] == patient["client_cache/delayed_writes"]);
  CHECK(impatient["client_cache/write_delay_mean_us"] ==
        patient["client_cache/write_delay_mean_us"]);
}

}  // namespace
}  // namespace recirc::model
