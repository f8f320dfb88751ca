#include "model/run.h"

#include <utility>

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

}  // namespace recirc::model
