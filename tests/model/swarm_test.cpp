#include <cstdlib>
#include <string>

#include "catch.h"
#include "model/config.h"
#include "model/figure.h"
#include "model/simulation.h"

// Any world that a configuration can describe: invariants must hold in all of them. The seed is
// printed with a failure; RECIRC_SWARM=N tries N worlds instead of the few of a normal test run.
namespace recirc::model {
namespace {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : rng_(seed) {}
  std::uint64_t upto(std::uint64_t most) { return rng_.next() % (most + 1); }
  std::uint64_t between(std::uint64_t least, std::uint64_t most) {
    return least + upto(most - least);
  }
  bool coin() { return upto(1) == 1; }

 private:
  sim::CounterRng rng_;
};

workloads::MixChoice any_mix(Dice& dice) {
  switch (dice.upto(4)) {
    case 0:
      return workloads::AlibabaMix{};
    case 1:
      return workloads::TrainingMix{};
    case 2:
      return workloads::ThumbMix{};
    case 3:
      return workloads::LinkedinMix{};
    default: {
      workloads::CustomMix mix;
      for (double& weight : mix.weights) weight = static_cast<double>(dice.upto(5));
      mix.weights[0] += 1;
      return mix;
    }
  }
}

workloads::Arrival any_arrival(Dice& dice) {
  switch (dice.upto(2)) {
    case 0:
      return workloads::ClosedArrival{sim::microseconds(static_cast<std::int64_t>(dice.upto(20)))};
    case 1:
      return workloads::PacedArrival{
          sim::microseconds(static_cast<std::int64_t>(dice.between(1, 500)))};
    default:
      return workloads::OpenArrival{
          dice.coin() ? workloads::OpenProcess::poisson : workloads::OpenProcess::periodic,
          static_cast<double>(dice.between(1000, 300'000)), dice.between(1, 500)};
  }
}

Config any_world(std::uint64_t seed) {
  Dice dice(seed);
  Config config;
  config.system = dice.upto(5) == 0 ? "nocache" : "fletch";
  config.run.seed = seed;
  config.workload.mix = any_mix(dice);
  config.workload.requests = dice.between(1, 3000);
  config.workload.tree.branching = static_cast<std::uint32_t>(dice.between(1, 4));
  config.workload.tree.levels = static_cast<std::uint32_t>(dice.between(0, 12));
  config.workload.tree.longest_path = 300;
  if (config.workload.tree.branching > 2 && config.workload.tree.levels > 8) {
    config.workload.tree.levels = 8;
  }
  config.workload.files = dice.between(1, dice.coin() ? 50 : 20'000);
  config.workload.zipf = static_cast<double>(dice.upto(20)) / 10;
  config.workload.arrival = any_arrival(dice);
  config.cluster.servers = static_cast<std::uint32_t>(dice.between(1, 8));
  config.cluster.clients = static_cast<std::uint32_t>(dice.between(1, 60));
  config.cluster.client_machines = static_cast<std::uint32_t>(dice.between(1, 3));
  config.client.timeout = dice.upto(3) == 0 ? sim::milliseconds(3) : sim::seconds(5);
  config.server.workers = static_cast<std::uint32_t>(dice.between(1, 20));
  if (dice.coin()) config.server.law = ConstantLaw{};
  config.rmt_switch.cross_pipe = static_cast<pipeline::CrossPipe>(dice.upto(2));
  config.rmt_switch.max_recirculations = dice.coin() ? 4096 : 40;
  if (dice.upto(3) == 0) config.rmt_switch.queue = sim::Bytes{2000};
  config.cache.files = static_cast<std::uint32_t>(dice.upto(300));
  config.cache.rows = static_cast<std::uint32_t>(dice.between(1, 400));
  config.cache.threshold = static_cast<std::uint32_t>(dice.between(1, 6));
  if (dice.coin()) config.cache.layout = fletch::LayoutChoice::prototype;
  if (dice.coin()) config.controller.admission = fletch::AdmissionPolicy::on;
  config.controller.reset_interval =
      sim::milliseconds(static_cast<std::int64_t>(dice.between(1, 50)));
  return config;
}

TEST_CASE("in any world every operation ends, no read is stale and no counter is left raised") {
  const char* wanted = std::getenv("RECIRC_SWARM");
  const std::uint64_t worlds = wanted == nullptr ? 60 : std::strtoull(wanted, nullptr, 10);
  std::uint64_t hits = 0;
  std::uint64_t admissions = 0;
  for (std::uint64_t seed = 1; seed <= worlds; ++seed) {
    const Config config = any_world(seed);
    INFO("seed " << seed << ": " << sim::config::effective_text(config));
    RunControl control;
    ReplicationResult result;
    REQUIRE_NOTHROW(result = run(config, {}, 0, control));
    REQUIRE(figure(result, "ops_issued") + figure(result, "ops_excess") ==
            static_cast<double>(*config.workload.requests));
    REQUIRE(figure(result, "ops_issued") ==
            figure(result, "ops_completed") + figure(result, "ops_failed"));
    REQUIRE(figure(result, "stale_reads") == 0);
    const double drops = figure(result, "switch/drops_queue_full") +
                         figure(result, "switch/drops_recirculation_limit");
    if (drops == 0 && config.client.timeout > sim::seconds(1)) {
      REQUIRE(figure(result, "ops_failed") == 0);
    }
    if (config.system == "fletch") {
      if (drops == 0) REQUIRE(figure(result, "locks_leaked") == 0);
      hits += static_cast<std::uint64_t>(figure(result, "outcomes/hit/count"));
      admissions += static_cast<std::uint64_t>(figure(result, "controller/admissions"));
    }
  }
  // A swarm that never hits or admits would show nothing.
  CHECK(hits > 1000);
  CHECK(admissions > 20);
}

}  // namespace
}  // namespace recirc::model
