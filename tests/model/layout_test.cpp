#include "model/layout.h"

#include <set>

#include "catch.h"
#include "model/config.h"
#include "model/simulation.h"

namespace recirc::model {
namespace {

Config small(workloads::Layout layout) {
  Config config;
  config.system = "nocache";
  config.workload.files = 50'000;
  config.workload.requests = 100;
  config.workload.layout = layout;
  config.cluster.servers = 4;
  return config;
}

std::string hottest_path(const Config& config, std::uint64_t replication) {
  const Workload workload =
      make_workload(config.workload, {}, sim::RngFactory(config.run.seed, replication));
  return workload.tree->path(workload.source->hottest(1).front());
}

TEST_CASE("a fixed layout has the same hot files on the same servers in every replication") {
  const Config config = small(workloads::Layout::fixed);
  std::set<std::string> paths;
  for (std::uint64_t r = 0; r < 8; ++r) {
    const sim::RngFactory rng(config.run.seed, r);
    CHECK(ring_seed(config.workload, config.cluster, rng) == 1);
    CHECK(placement_seed(config.workload, rng) == 1);
    paths.insert(hottest_path(config, r));
  }
  CHECK(paths.size() == 1);
}

TEST_CASE("a layout per replication draws ring and placement anew, from seed and number alone") {
  const Config config = small(workloads::Layout::per_replication);
  std::set<std::uint64_t> seeds;
  std::set<std::string> paths;
  for (std::uint64_t seed : {1, 2}) {
    for (std::uint64_t r = 0; r < 8; ++r) {
      const sim::RngFactory rng(seed, r);
      const std::uint64_t ring = ring_seed(config.workload, config.cluster, rng);
      CHECK(ring_seed(config.workload, config.cluster, sim::RngFactory(seed, r)) == ring);
      seeds.insert(ring);
      seeds.insert(placement_seed(config.workload, rng));
    }
  }
  CHECK(seeds.size() == 32);
  for (std::uint64_t r = 0; r < 8; ++r) {
    CHECK(hottest_path(config, r) == hottest_path(config, r));
    paths.insert(hottest_path(config, r));
  }
  CHECK(paths.size() == 8);
}

TEST_CASE("every scheme runs on the layout of its replication") {
  const auto share_of_servers = [](const char* system, std::uint64_t replication) {
    Config config = small(workloads::Layout::per_replication);
    config.system = system;
    config.workload.requests = 2000;
    config.workload.mix = workloads::ThumbMix{};
    config.cache.files = 0;
    RunControl control;
    for (const Figure& figure : run(config, {}, replication, control).summary) {
      if (figure.name == "server_share_max") return figure.value;
    }
    throw std::out_of_range("server_share_max");
  };
  const double first = share_of_servers("nocache", 0);
  CHECK(share_of_servers("fletch", 0) == first);  // an empty cache: the servers see everything
  CHECK(share_of_servers("nocache", 1) != first);
}

TEST_CASE("seeds that a layout per replication would not use are refused") {
  const auto read = [](const char* text) {
    return sim::config::read<Config>(sim::config::Document::parse(text, "test"));
  };
  CHECK_NOTHROW(read(R"({"system": "nocache", "workload": {"layout": "per_replication"}})"));
  CHECK_THROWS_AS(read(R"({"system": "nocache",
      "workload": {"layout": "per_replication", "placement_seed": 2}})"),
                  sim::ConfigError);
  CHECK_THROWS_AS(read(R"({"system": "nocache", "workload": {"layout": "per_replication"},
      "cluster": {"ring": {"seed": 2}}})"),
                  sim::ConfigError);
}

}  // namespace
}  // namespace recirc::model
