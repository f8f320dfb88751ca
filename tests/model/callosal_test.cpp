#include <string>

#include "catch.h"
#include "model/figure.h"
#include "model/page_simulation.h"
#include "sim/config.h"

using namespace recirc;
using model::PageConfig;

namespace {

PageConfig config_of(const std::string& benchmark, const std::string& more = "") {
  return model::read_page_config(sim::config::Document::parse(
      R"({"system": "callosal", "workload": {"benchmark": )" + benchmark +
          R"(, "operations": 4000}, "cluster": {"nodes": 4, "threads": 2})" + more + "}",
      "test"));
}

model::ReplicationResult run(const PageConfig& config, std::uint64_t replication = 0) {
  model::RunControl control;
  return model::run_pages(config, replication, control);
}

/// The configuration, in which two nodes fight for two pages.
PageConfig fight(double writes, const std::string& more = "") {
  return config_of(
      R"({"kind": "shared_pages", "pages": 2, "write_ratio": )" + std::to_string(writes) + "}",
      more);
}

}  // namespace

TEST_CASE("A page that all nodes read is asked for once a node") {
  const auto result = run(config_of("\"drbh\""));
  CHECK(figure(result, "directory/reads_asked") == 4);
  CHECK(figure(result, "directory/invalidations") == 0);
}

TEST_CASE("A page that is on no node takes about nine microseconds to come from memory") {
  PageConfig config = config_of("\"drbh\"");
  config.workload.operations = 1;
  config.cluster.nodes = config.cluster.threads = 1;
  CHECK(figure(run(config), "latency_mean_us") == Approx(9).epsilon(0.05));
}

TEST_CASE("Writers of one page on several nodes pass it on, and no write is missed") {
  const auto result = run(config_of("\"dwoh\""));
  CHECK(figure(result, "directory/writes_asked") > 1000);
  CHECK(figure(result, "directory/invalidations") > 1000);
}

TEST_CASE("No read misses a write that was over before, whatever the nodes do to each other") {
  for (const double writes : {0.1, 0.5, 0.9}) {
    for (std::uint64_t replication = 0; replication < 5; ++replication) {
      const auto result = run(fight(writes), replication);
      CHECK(figure(result, "stale_reads") == 0);
      CHECK(figure(result, "ops_completed") == 4000);
    }
  }
}

TEST_CASE("Passes and stages of the directory's switch give the same results") {
  PageConfig config = fight(0.3);
  const auto by_pass = run(config);
  config.rmt_switch.mode = pipeline::PassMode::stage;
  const auto by_stage = run(config);
  for (const model::Figure& one : by_pass.summary) {
    if (one.name != "events") CHECK(figure(by_stage, one.name) == one.value);
  }
}

TEST_CASE("Larger regions are given up for the sake of pages that were not wanted") {
  const std::string pages = R"({"kind": "shared_pages", "pages": 64, "write_ratio": 0.3})";
  const auto small = run(config_of(pages, R"(, "callosal": {"region_pages": 1})"));
  const auto large = run(config_of(pages, R"(, "callosal": {"region_pages": 64})"));
  CHECK(figure(small, "directory/falsely_invalidated") == 0);
  CHECK(figure(large, "directory/falsely_invalidated") > 100);
  CHECK(figure(large, "throughput_ops_per_s") < figure(small, "throughput_ops_per_s"));
}
