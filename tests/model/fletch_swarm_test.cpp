#include "catch.h"
#include "fletch_worlds.h"
#include "history_check.h"
#include "several_pipes.h"
#include "sim/rng.h"

namespace recirc::model {
namespace {

using testing::any_operations;
using testing::any_world;
using testing::FletchRun;
using testing::TraceFile;

TEST_CASE("in any world reads are fresh, counters return to zero and nothing gets lost",
          "[fletch][swarm]") {
  // What must have happened somewhere for the swarm to mean anything.
  constexpr std::array rare = {"lock_waits",
                               "reads_turned_away",
                               "cache/parked_writes",
                               "cache/kept_answers",
                               "cache/record_updates",
                               "outcomes/invalid/count",
                               "controller/admissions",
                               "controller/missing_paths",
                               "controller/evictions_of_gone"};
  const unsigned pipes = GENERATE(1U, 2U, 4U);
  std::map<std::string, double> seen;
  for (std::uint64_t seed = 0; seed < (pipes == 1 ? 60U : 20U); ++seed) {
    INFO("seed " << seed << ", servers on " << pipes << " pipes");
    sim::CounterRng rng = sim::RngFactory{seed, 0}.stream("swarm");
    TraceFile trace(any_operations(rng, 1'500));
    Config config = any_world(trace, rng);
    testing::spread_over_pipes(config, pipes);
    FletchRun run(config);
    testing::HistoryCheck check(run.simulation);
    REQUIRE_NOTHROW(run.go());
    CHECK(check.complaints == std::vector<std::string>{});
    CHECK(run["stale_reads"] == 0);
    CHECK(run["locks_leaked"] == 0);
    CHECK(run["ops_failed"] == 0);
    CHECK(run["ops_completed"] == 1'500);
    for (const char* name : rare) seen[name] += run[name];
  }
  for (const char* name : rare) {
    INFO(name);
    CHECK(seen[name] > (pipes == 1 ? 20 : 5));
  }
}

}  // namespace
}  // namespace recirc::model
