#include "model/run.h"

#include <utility>
#include <variant>

#include "model/rotation/rotation.h"
#include "model/simulation.h"

namespace recirc::model {

ReplicationResult run(const Config& config, const Inputs& inputs, std::uint64_t replication,
                      RunControl& control, const std::string& log_file) {
  if (config.run.method != Method::joint) {
    return rotation::run_parts(config, inputs, replication, control, log_file);
  }
  Ground ground = ground_of(config, inputs, replication);
  ground.log_file = log_file;
  Simulation simulation(config, std::move(ground), replication);
  simulation.run(control);
  return simulation.result();
}

void build(const Config& config, const Inputs& inputs) {
  // Not a whole Simulation: the caches that many clients begin with take seconds to fill.
  // Nor a mix's tree: it was checked with the configuration, unless single paths are chosen of it.
  const bool plain_mix =
      inputs.trace == nullptr &&
      std::holds_alternative<workloads::StaticPopularity>(config.workload.popularity);
  if (!plain_mix) make_workload(config.workload, inputs, {config.run.seed, 0});
  const Cabling cabling = cabling_of(config, 0);
  const auto scheme = make_scheme(config, cabling.topology);
  sim::Scheduler scheduler;
  SwitchFabric fabric(scheduler, config.network, cabling.topology);
  const pipeline::Switch built(scheduler, cabling.rmt_switch, {&scheme->program()}, fabric);
}

}  // namespace recirc::model
