#include "model/run.h"

#include "model/rotation/rotation.h"
#include "model/simulation.h"

namespace recirc::model {

ReplicationResult run(const Config& config, const Inputs& inputs, std::uint64_t replication,
                      RunControl& control) {
  if (config.run.method != Method::joint) {
    return rotation::run_parts(config, inputs, replication, control);
  }
  Simulation simulation(config, inputs, replication);
  simulation.run(control);
  return simulation.result();
}

}  // namespace recirc::model
