#include "catch.h"
#include "fletch_worlds.h"
#include "history_check.h"
#include "several_pipes.h"

// Answers that are sent again after longer than a path's stay in the cache, amid everything else.
namespace recirc::model {
namespace {

using testing::FletchRun;
using testing::TraceFile;

/// Writes of directories with what is below them, and of few files.
std::string wide_writes(sim::CounterRng& rng, unsigned count) {
  const auto below = [&rng](std::uint64_t n) { return rng.next() % n; };
  std::string text = "time,op,path,dst,mode\n";
  std::string destination;
  for (unsigned i = 0; i < count; ++i) {
    const std::string top = "/d" + std::to_string(below(2));
    const std::string name = "/f" + std::to_string(below(4));
    const std::string file = top + "/e" + std::to_string(below(2)) + name;
    switch (below(7)) {
      case 0:
        text += "0,chmod_r," + top + ",,0" + std::to_string(700 + below(8) * 10 + 5) + "\n";
        break;
      case 1:
        text += "0,rename," + file;
        destination = "/e0/f" + std::to_string(below(4));
        text += ",/d" + std::to_string(below(2)) + destination + ",\n";
        break;
      case 2:
        text += "0,create," + file + ",,\n";
        break;
      case 3:
        text += "0,chmod," + file + ",,\n";
        break;
      default:
        text += "0,stat," + file + ",,\n";
    }
  }
  return text;
}

/// The cache turns over quickly; time-outs are long.
Config slow_world(const TraceFile& trace, sim::CounterRng& rng) {
  const auto below = [&rng](std::uint64_t n) { return static_cast<int>(rng.next() % n); };
  Config config = testing::any_world(trace, rng);
  if (below(2) == 0) config.cache.rows = static_cast<std::uint32_t>(1 + below(4));
  config.cache.threshold = static_cast<std::uint32_t>(1 + below(3));
  config.controller.path_time = sim::microseconds(below(50));
  config.controller.grace = sim::microseconds(50 + below(100));
  config.client.retransmit = RetransmitSettings{sim::milliseconds(80), 100'000};
  config.server.ack_timeout = sim::milliseconds(1 + below(12));
  config.controller.message_timeout = sim::milliseconds(2);
  config.controller.sweep.interval = sim::milliseconds(5);
  config.controller.sweep.timeout = sim::milliseconds(150);
  if (below(3) == 0) config.system = "fletch_plus";
  const bool leases = config.system == "fletch_plus" && below(2) == 0;
  if (leases) {
    config.client_cache.consistency = client_cache::Leases{sim::microseconds(20 + below(5'000))};
  }
  const auto share = [&rng](double most) { return most * rng.next_unit(); };
  if (below(4) == 0) return config;
  for (faults::LinkFaultSettings* links :
       {&config.faults.client_links, &config.faults.server_links, &config.faults.controller_link}) {
    *links = {share(0.1), share(0.2), share(0.2), sim::microseconds(below(40))};
    links->held_for = sim::microseconds(10 + below(3'000));
  }
  rng.next();
  config.cache.sequence_compare =
      below(2) == 0 ? fletch::SequenceCompare::equality : fletch::SequenceCompare::strict;
  return config;
}

// 27: a rename is answered again, waits for its change while its path comes into the cache, and its
// answer overtakes a later write's.
TEST_CASE("answers that are sent again late bring no old record back", "[fletch][faults][swarm]") {
  double sent_again = 0;
  for (std::uint64_t seed = 20; seed < 32; ++seed) {
    INFO("seed " << seed);
    sim::CounterRng rng = sim::RngFactory{seed, 0}.stream("probe wide");
    TraceFile trace(rng.next() % 2 == 0 ? wide_writes(rng, 700)
                                        : testing::any_operations(rng, 700));
    Config config = slow_world(trace, rng);
    testing::spread_over_pipes(config, 1 + static_cast<std::uint32_t>(rng.next() % 2));
    FletchRun run(config);
    testing::HistoryCheck check(run.simulation);
    REQUIRE_NOTHROW(run.go());
    CHECK(check.complaints == std::vector<std::string>{});
    testing::check_in_order(run.figures);
    CHECK(run["ops_completed"] == 700);
    CHECK(run.simulation.requests_in_use() == 0);
    if (run.figures.count("cache/answers_sent_again") > 0) {
      sent_again += run["cache/answers_sent_again"];
    }
  }
  CHECK(sent_again > 100);
}

}  // namespace
}  // namespace recirc::model
