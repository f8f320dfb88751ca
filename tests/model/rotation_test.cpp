#include <algorithm>
#include <set>

#include "catch.h"
#include "model/config.h"
#include "model/figure.h"
#include "model/rotation/estimate.h"
#include "model/rotation/rotation.h"
#include "sim/error.h"

namespace recirc::model::rotation {
namespace {

Config small(const std::string& system, Method method) {
  Config config;
  config.system = system;
  config.workload.requests = 6'000;
  config.workload.files = 20'000;
  config.cluster.servers = 4;
  config.cluster.clients = 32;
  config.cache.files = 500;
  config.run.method = method;
  return config;
}

ReplicationResult run_once(const Config& config, std::uint64_t replication = 0) {
  RunControl control;
  return run(config, load_inputs(config.workload), replication, control);
}

workloads::CustomMix only(workloads::OpKind kind) {
  workloads::CustomMix mix;
  mix.weights[static_cast<std::size_t>(kind)] = 1;
  return mix;
}

TEST_CASE("the estimate scales every rotation up to the best rate there was") {
  // B = 100: 100 + (40 + 20) * 100 / 80 + (30 + 0) * 100 / 100.
  const std::vector<Rates> rotations{{80, 40, 20}, {100, 30, 0}};
  const Estimate found = estimate(rotations);
  CHECK(found.best == 100);
  CHECK(found.aggregate == Approx(100 + 75 + 30));
  CHECK(found.unscaled == Approx(90 + 60 + 30));
  CHECK(found.overtaken == 0);
}

TEST_CASE("a server faster than the bottleneck sets the scale and is counted as having overtaken") {
  const std::vector<Rates> rotations{{50, 80, 0}, {60, 20, 10}};
  const Estimate found = estimate(rotations);
  CHECK(found.best == 80);
  CHECK(found.aggregate == Approx(80 + 80 * 80.0 / 50 + 30 * 80.0 / 60));
  CHECK(found.overtaken == 1);
}

TEST_CASE("rotations in which the bottleneck answered nothing are left out; none is nothing") {
  const std::vector<Rates> rotations{{0, 40, 0}, {100, 10, 0}};
  CHECK(estimate(rotations).aggregate == Approx(110));
  CHECK(estimate({}).aggregate == 0);
}

TEST_CASE("every operation has one server, and a part holds those of its servers in order") {
  const Config config = small("nocache", Method::rotation);
  const Ground ground = ground_of(config, load_inputs(config.workload), 0);
  const Assignment assignment(ground);
  std::set<std::uint64_t> all;
  for (std::uint32_t s = 0; s < 4; ++s) {
    all.insert(assignment.of(s).begin(), assignment.of(s).end());
    CHECK(assignment.of(s).size() <= assignment.of(assignment.busiest()).size());
  }
  CHECK(all.size() == 6'000);
  const auto pair = assignment.of(std::vector<std::uint32_t>{2, 1});
  CHECK(pair.size() == assignment.of(1).size() + assignment.of(2).size());
  CHECK(std::is_sorted(pair.begin(), pair.end()));
}

TEST_CASE("servers one at a time replay every operation once") {
  const ReplicationResult solo = run_once(small("nocache", Method::solo));
  CHECK(figure(solo, "ops_completed") == 6'000);
  CHECK(figure(solo, "server_requests") == 6'000);
  CHECK(figure(solo, "rotation/parts") == 4);
  CHECK(figure(solo, "recirculations_per_op") ==
        Approx(figure(run_once(small("nocache", Method::joint)), "recirculations_per_op")));
}

TEST_CASE("a rotation replays the busiest server's operations in every part, others' once") {
  const Config config = small("nocache", Method::rotation);
  const Assignment assignment(ground_of(config, load_inputs(config.workload), 0));
  const auto busiest = assignment.of(assignment.busiest()).size();
  const ReplicationResult result = run_once(config);
  CHECK(figure(result, "rotation/parts") == 3);
  CHECK(figure(result, "ops_completed") == static_cast<double>(6'000 + 2 * busiest));
}

TEST_CASE("with constant service the estimate is the bottleneck's rate over its share") {
  Config config = small("nocache", Method::rotation);
  config.workload.mix = only(workloads::OpKind::stat);
  config.server.law = ConstantLaw{};
  const Assignment assignment(ground_of(config, load_inputs(config.workload), 0));
  const auto busiest = static_cast<double>(assignment.of(assignment.busiest()).size());
  const double bound = 1 / sim::as_seconds(config.server.service_time) * 6'000 / busiest;
  const ReplicationResult result = run_once(config);
  CHECK(figure(result, "throughput_ops_per_s") == Approx(bound).epsilon(0.03));
  CHECK(figure(result, "rotation/bottleneck_overtaken") == 0);
}

TEST_CASE("writes that the switch acknowledges are no hits of a rotation") {
  Config config = small("fletch", Method::solo);
  config.cache.write = fletch::WriteChoice::back;
  config.workload.zipf = 2;
  config.workload.mix = workloads::ChmodRatioMix{50};
  const ReplicationResult solo = run_once(config);
  CHECK(figure(solo, "outcomes/written/count") > 2'000);
  const double reads = figure(solo, "ops_completed") - figure(solo, "outcomes/written/count");
  CHECK(figure(solo, "switch_hit_ratio") == Approx(figure(solo, "outcomes/hit/count") / reads));
}

TEST_CASE("a rotation is a function of configuration and replication alone") {
  const Config config = small("fletch", Method::rotation);
  const ReplicationResult one = run_once(config, 3);
  const ReplicationResult two = run_once(config, 3);
  REQUIRE(one.summary.size() == two.summary.size());
  for (std::size_t i = 0; i < one.summary.size(); ++i) {
    CHECK(one.summary[i].value == two.summary[i].value);
  }
  CHECK(figure(run_once(config, 4), "throughput_ops_per_s") != figure(one, "throughput_ops_per_s"));
}

TEST_CASE("the switch answers the same share in turn as at once when nothing is written") {
  Config config = small("fletch", Method::solo);
  config.workload.mix = only(workloads::OpKind::stat);
  const ReplicationResult solo = run_once(config);
  config.run.method = Method::joint;
  const ReplicationResult joint = run_once(config);
  CHECK(figure(solo, "switch_hit_ratio") == Approx(figure(joint, "switch_hit_ratio")));
  CHECK(figure(solo, "recirculations_per_op") == Approx(figure(joint, "recirculations_per_op")));
  CHECK(figure(solo, "locks_leaked") == 0);
}

TEST_CASE("a cache of each part's own files answers more") {
  Config config = small("fletch", Method::solo);
  const double whole = figure(run_once(config), "switch_hit_ratio");
  config.run.rotation_cache = RotationCache::part;
  CHECK(figure(run_once(config), "switch_hit_ratio") > whole * 1.2);
}

TEST_CASE("arrivals at the rate of all servers are refused when servers run in turn") {
  const auto read = [](const std::string& text) {
    return sim::config::read<Config>(sim::config::Document::parse(text, "test"));
  };
  const std::string open = R"("workload": {"arrival": {"kind": "open", "rate": 1000}})";
  CHECK_NOTHROW(read(R"({"system": "nocache", )" + open + "}"));
  CHECK_THROWS_AS(read(R"({"system": "nocache", "run": {"method": "rotation"}, )" + open + "}"),
                  sim::ConfigError);
  CHECK_THROWS_AS(read(R"({"system": "nocache", "run": {"method": "rotation"},
                           "cluster": {"servers": 1}})"),
                  sim::ConfigError);
}

TEST_CASE("without a number of clients a part has the paper's 128, and a joint run 16 a server") {
  Config config;
  config.cluster.servers = 128;
  CHECK(clients_of(config) == 2'048);
  config.run.method = Method::rotation;
  CHECK(clients_of(config) == 128);
}

}  // namespace
}  // namespace recirc::model::rotation
