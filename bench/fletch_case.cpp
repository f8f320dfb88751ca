#include <string>

#include "cases.h"
#include "model/config.h"
#include "model/run.h"
#include "model/simulation.h"
#include "model/workload.h"
#include "sim/config.h"

namespace recirc::bench {

Measurement whole_run(const char* system, std::uint64_t requests, std::uint64_t files,
                      std::uint64_t servers) {
  auto document = sim::config::Document::load(RECIRC_ROOT "/configs/fletch/fletch.json");
  document.set("/system=" + std::string(system));
  auto config = model::read_config(document);
  config.workload.requests = requests;
  config.workload.files = files;
  config.cluster.servers = static_cast<std::uint32_t>(servers);
  const model::Inputs inputs = model::load_inputs(config.workload);
  model::RunControl control;
  model::Simulation simulation(config, inputs, 0);
  Measurement result = measure(requests, [&] { simulation.run(control); });
  result.events = simulation.scheduler().events();
  return result;
}

}  // namespace recirc::bench
