#include <exception>
#include <string>

#include "catch.h"
#include "figure.h"
#include "model/page_simulation.h"
#include "sim/config.h"

// Rules of Callosal's protocol dropped one at a time: a check of whole runs notices, and none
// complains of the protocol as it is.
namespace recirc::model {
namespace {

/// Four nodes fight for a few pages.
PageConfig fight(std::uint64_t seed, const std::string& callosal,
                 const std::string& writes = "0.4") {
  PageConfig config = read_page_config(sim::config::Document::parse(
      R"({"system": "callosal", "workload": {"benchmark": {"kind": "shared_pages", "pages": 3,
          "write_ratio": )" +
          writes +
          R"(}, "operations": 600, "time_limit": "50ms"}, "cluster": {"nodes": 4, "threads": 3},
          "verify": {"linearizable": true, "swmr": true, "violations": "error"},
          "callosal": )" +
          callosal + "}",
      "test"));
  config.run.seed = seed;
  return config;
}

ReplicationResult run(const PageConfig& config) {
  RunControl control;
  return run_pages(config, 0, control);
}

using callosal::Mutants;

/// Seeds whose run a check ends.
int caught(const std::string& callosal, bool Mutants::*rule = nullptr) {
  int sum = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    PageConfig config = fight(seed, callosal);
    if (rule != nullptr) config.callosal.mutants.*rule = true;
    try {
      run(config);
    } catch (const std::exception& error) {
      UNSCOPED_INFO("seed " << seed << ": " << error.what());
      ++sum;
    }
  }
  return sum;
}

const std::string late = R"({"faults": {"node_links": {"delay": "5us"}}})";
const std::string very_late =
    R"({"faults": {"node_links": {"reordering": 0.05}}, "region_pages": 1})";

}  // namespace

TEST_CASE("Each rule of Callosal that is dropped is missed by a check", "[callosal][mutant]") {
  CHECK(caught(late) == 0);
  CHECK(caught(late, &Mutants::no_claims) > 5);
  CHECK(caught(late, &Mutants::no_drain) > 5);
  CHECK(caught(late, &Mutants::no_version_check) > 5);
  CHECK(caught(late, &Mutants::no_deferral) > 5);
}

TEST_CASE("Early grants show stale reads when an invalidation is late", "[callosal][mutant]") {
  CHECK(caught(very_late) == 0);
  double stale = 0;
  double overlap = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    PageConfig config = fight(seed, very_late, "0.05");
    config.verify.violations = verify::OnViolation::report;
    config.callosal.grant = pipeline::programs::directory::GrantPolicy::early;
    const auto result = run(config);
    stale += figure(result, "stale_reads");
    overlap = std::max(overlap, figure(result, "swmr/longest_us"));
  }
  CHECK(stale > 10);
  CHECK(overlap > 50);
}

TEST_CASE("Lost messages are sent again, and what is behind them waits", "[callosal]") {
  const std::string lossy =
      R"({"transport": "go_back_n", "region_pages": 2, "cache_pages": 5, "faults": {
          "node_links": {"loss": 0.01, "delay": "20us", "reordering": 0.02},
          "blade_links": {"loss": 0.01, "delay": "20us"}}})";
  double lost = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    INFO("seed " << seed);
    const auto result = run(fight(seed, lossy));
    CHECK(figure(result, "ops_completed") == 600);
    lost += figure(result, "faults/messages_lost");
  }
  CHECK(lost > 1'000);
}

TEST_CASE("A lossless network with losses is refused", "[callosal]") {
  CHECK_THROWS_AS(fight(1, R"({"faults": {"node_links": {"loss": 0.1}}})"), sim::ConfigError);
  CHECK_THROWS_AS(fight(1, R"({"faults": {"node_links": {"duplication": 0.1}}})"),
                  sim::ConfigError);
}

}  // namespace recirc::model
