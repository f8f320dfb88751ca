#include "catch.h"
#include "model/config.h"
#include "model/figure.h"
#include "model/frames.h"
#include "model/simulation.h"

namespace recirc::model {
namespace {

Config small_nocache() {
  Config config;
  config.system = "nocache";
  config.workload.requests = 2000;
  config.workload.files = 100'000;
  config.cluster.servers = 4;
  return config;
}

ReplicationResult run_once(const Config& config, std::uint64_t replication = 0) {
  RunControl control;
  return run(config, load_inputs(config.workload), replication, control);
}

TEST_CASE("without load a request takes its wires, two passes and the store's time") {
  Config config = small_nocache();
  config.cluster.clients = 1;
  config.server.law = ConstantLaw{};
  config.workload.requests = 50;
  workloads::CustomMix reads;
  reads.weights[static_cast<std::size_t>(workloads::OpKind::open)] = 1;
  config.workload.mix = reads;
  Simulation simulation(config, load_inputs(config.workload), 0);
  RunControl control;
  simulation.run(control);
  const ReplicationResult result = simulation.result();

  const auto& network = config.network;
  const pipeline::ChipTiming& chip = simulation.rmt_switch().timing();
  // Every file of this mix may have another path length; the longest and the shortest bound it.
  const auto one_way = [&](sim::Bytes frame) {
    sim::Serializer wire(network.client_rate);
    return network.host_delay * 2 + network.propagation * 2 +
           wire.time_of(frame + Link::frame_overhead) * 2 + chip.gress() * 2 +
           chip.traffic_manager() + chip.port();
  };
  const sim::Duration answer = one_way(frames::answer(0, Metadata::file_slots));
  const double most =
      sim::as_microseconds(one_way(frames::request(0, 198)) + answer + config.server.service_time);
  const double least =
      sim::as_microseconds(one_way(frames::request(0, 60)) + answer + config.server.service_time);
  CHECK(figure(result, "latency_max_us") <= most * 1.0001);
  CHECK(figure(result, "latency_p50_us") >= least * 0.995);
  CHECK(figure(result, "latency_mean_us") == Approx(most).epsilon(0.002));
  CHECK(figure(result, "time/queues_us") == 0.0);
}

TEST_CASE("everything issued is completed, and nothing recirculates") {
  const ReplicationResult result = run_once(small_nocache());
  CHECK(figure(result, "ops_issued") == 2000);
  CHECK(figure(result, "ops_completed") == 2000);
  CHECK(figure(result, "ops_failed") == 0);
  CHECK(figure(result, "stale_reads") == 0);
  CHECK(figure(result, "recirculations_per_op") == 0);
  CHECK(figure(result, "switch_hit_ratio") == 0);
  CHECK(figure(result, "server_requests") == 2000);
}

TEST_CASE("the same configuration and replication give the same figures") {
  const ReplicationResult first = run_once(small_nocache(), 3);
  const ReplicationResult second = run_once(small_nocache(), 3);
  REQUIRE(first.summary.size() == second.summary.size());
  for (std::size_t i = 0; i < first.summary.size(); ++i) {
    INFO(first.summary[i].name);
    CHECK(first.summary[i].value == second.summary[i].value);
  }
}

TEST_CASE("replications differ") {
  CHECK(figure(run_once(small_nocache(), 0), "latency_mean_us") !=
        figure(run_once(small_nocache(), 1), "latency_mean_us"));
}

TEST_CASE("a saturated store sets the throughput of a closed loop") {
  Config config = small_nocache();
  config.cluster.servers = 1;
  config.cluster.clients = 40;
  config.workload.requests = 20'000;
  workloads::CustomMix reads;
  reads.weights[static_cast<std::size_t>(workloads::OpKind::stat)] = 1;
  config.workload.mix = reads;
  const ReplicationResult result = run_once(config);
  CHECK(figure(result, "throughput_ops_per_s") == Approx(1e6 / 43).epsilon(0.03));
  CHECK(figure(result, "client_limited") == 0);
  CHECK(figure(result, "server_share_max") == 1.0);
}

TEST_CASE("too few clients are called the limit") {
  Config config = small_nocache();
  config.cluster.clients = 1;
  CHECK(figure(run_once(config), "client_limited") == 1);
}

TEST_CASE("an interrupt ends a run with Interrupted") {
  RunControl control;
  control.interrupt = true;
  const Config config = small_nocache();
  CHECK_THROWS_AS(run(config, load_inputs(config.workload), 0, control), sim::Interrupted);
}

}  // namespace
}  // namespace recirc::model
