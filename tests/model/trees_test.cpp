#include "catch.h"
#include "model/config.h"
#include "model/figure.h"
#include "model/simulation.h"

namespace recirc::model {
namespace {

/// Stats of the cached files of a tree whose files lie deep, without anything else going on.
Config stats(std::uint32_t branching, std::uint32_t levels) {
  Config config;
  config.system = "fletch";
  config.workload.mix = workloads::SingleMix{workloads::OpKind::stat};
  config.workload.tree.branching = branching;
  config.workload.tree.levels = levels;
  config.workload.files = 1'000'000;
  config.workload.placement = workloads::Placement::deep_first;
  config.workload.zipf = 3;
  config.workload.requests = 500;
  config.cluster.servers = 2;
  config.cluster.clients = 1;
  config.cache.files = 1000;
  return config;
}

double figure(const Config& config, const std::string& name) {
  RunControl control;
  return figure(run(config, {}, 0, control), name);
}

TEST_CASE("cached files of the paper's trees recirculate once a level and twice more", "[fletch]") {
  CHECK(figure(stats(296, 2), "recirculations_per_op") == 5);
  CHECK(figure(stats(17, 4), "recirculations_per_op") == 7);
  CHECK(figure(stats(7, 6), "recirculations_per_op") == 9);
  CHECK(figure(stats(4, 8), "recirculations_per_op") == 11);
}

TEST_CASE("files deeper than the parser's ten keys go past the cache", "[fletch]") {
  const Config deep = stats(2, 9);  // ten levels below the root: eleven keys
  CHECK(figure(deep, "cache/bypassed") == 500);
  CHECK(figure(deep, "switch_hit_ratio") == 0);
  CHECK(figure(deep, "ops_completed") == 500);
}

TEST_CASE("hot files near the root take fewer recirculations than deep ones", "[fletch]") {
  Config config = stats(4, 8);
  config.workload.placement = workloads::Placement::shallow_first;
  CHECK(figure(config, "recirculations_per_op") < 4);
  CHECK(figure(config, "switch_hit_ratio") == 1);
}

}  // namespace
}  // namespace recirc::model
