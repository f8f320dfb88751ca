#include <cstdlib>
#include <string>

#include "catch.h"
#include "figure.h"
#include "model/page_simulation.h"
#include "sim/config.h"
#include "sim/error.h"

// What the switch loses, and what the control plane repairs (docs/decisions/0077-repairs.md).
namespace recirc::model {
namespace {

PageConfig losing(std::uint64_t seed, const std::string& faults, const std::string& more = "") {
  PageConfig config = read_page_config(sim::config::Document::parse(
      R"({"system": "callosal", "workload": {"benchmark": {"kind": "shared_pages", "pages": 3,
          "write_ratio": 0.4}, "operations": 400, "time_limit": "100ms"},
          "cluster": {"nodes": 3, "threads": 2},
          "verify": {"linearizable": true, "swmr": true, "violations": "error"},
          "callosal": {"repair_time_out": "1ms", "region_pages": 2, "faults": )" +
          faults + more + "}}",
      "test"));
  config.run.seed = seed;
  return config;
}

ReplicationResult run(const PageConfig& config) {
  RunControl control;
  return run_pages(config, 0, control);
}

/// Runs seeds 1 to `seeds` with repairs, where all calls return, and without, where some may not.
struct Repaired {
  double repairs = 0;
  int stuck_without = 0;
};
Repaired with_and_without_repairs(std::uint64_t seeds, const std::string& faults,
                                  const std::string& more = "") {
  Repaired found;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    INFO("seed " << seed);
    PageConfig config = losing(seed, faults, more);
    const auto result = run(config);
    CHECK(figure(result, "ops_completed") == 400);
    found.repairs += figure(result, "faults/repairs");
    config.callosal.repair_time_out = {};
    try {
      run(config);
    } catch (const sim::InvariantBroken&) {
      ++found.stuck_without;
    }
  }
  return found;
}

TEST_CASE("A claim whose packet was lost is repaired, and without a repair it is noticed",
          "[callosal]") {
  const Repaired found = with_and_without_repairs(20, R"({"lost_claims": 0.01})");
  CHECK(found.repairs > 20);
  CHECK(found.stuck_without > 10);
}

TEST_CASE("A fin_ack that was lost is repaired, and without a repair it is noticed", "[callosal]") {
  const Repaired found =
      with_and_without_repairs(40, R"({"lost_fin_acks": 0.01})", R"(, "cache_pages": 3)");
  CHECK(found.repairs > 40);
  CHECK(found.stuck_without > 20);
}

TEST_CASE("A crashed node's page is what memory has of it, and others get it", "[callosal]") {
  double reverted = 0;
  double failed = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    INFO("seed " << seed);
    const std::string at = std::to_string(100 + 20 * seed);
    PageConfig config =
        losing(seed, R"({"crashes": [{"node": 1, "at": ")" + at + R"(us", "down_for": "4ms"}]})");
    const auto result = run(config);
    CHECK(figure(result, "ops_completed") + figure(result, "ops_failed") == 400);
    CHECK(figure(result, "recovery/node_s") > 0);
    reverted += figure(result, "faults/pages_reverted");
    failed += figure(result, "ops_failed");
  }
  CHECK(reverted > 5);
  CHECK(failed > 40);
}

/// None, one or two.
std::string crashes_of(std::uint64_t seed) {
  std::string text;
  for (std::uint64_t i = 0; i < seed % 3; ++i) {
    const std::uint64_t draw = sim::CounterRng{seed}.at(i).next();
    text += (i == 0 ? "" : ", ") + std::string(R"({"node": )") + std::to_string((seed + i) % 2) +
            R"(, "at": ")" + std::to_string(100 + draw % 3'000) + R"(us", "down_for": ")" +
            std::to_string(1 + draw % 7) + R"(ms"})";
  }
  return "[" + text + "]";
}

TEST_CASE("Whatever a seed's links and switch lose, hold and delay, no check complains",
          "[callosal][swarm]") {
  const char* const wanted = std::getenv("RECIRC_SWARM");
  const std::uint64_t seeds = wanted == nullptr ? 200 : std::strtoull(wanted, nullptr, 10);
  double repairs = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    INFO("seed " << seed);
    const std::string delay = seed % 3 == 0 ? "2us" : seed % 3 == 1 ? "30us" : "200us";
    const std::string faults = R"({"lost_claims": 0.003, "lost_fin_acks": 0.002,
        "node_links": {"loss": 0.01, "reordering": 0.02, "delay": ")" +
                               delay + R"("}, "blade_links": {"loss": 0.01, "delay": ")" + delay +
                               R"("}, "crashes": )" + crashes_of(seed) + "}";
    PageConfig config = losing(seed, faults, R"(, "transport": "go_back_n")");
    config.workload.operations = 100;
    config.cluster.nodes = 2 + static_cast<std::uint32_t>(seed % 4);
    config.callosal.region_pages = 1U << seed % 3;
    config.callosal.cache_pages = seed % 2 == 0 ? 4 : 0;
    // A time-out shorter than what a request takes would take each page before it is got.
    if (seed % 9 == 0) config.callosal.repair_time_out = sim::microseconds(300);
    if (seed % 3 == 2) config.callosal.repair_time_out = sim::milliseconds(5);
    const auto result = run(config);
    CHECK(figure(result, "ops_completed") + figure(result, "ops_failed") == 100);
    repairs += figure(result, "faults/repairs");
  }
  CHECK(repairs > 100);
}

}  // namespace
}  // namespace recirc::model
