#include <string>

#include "cases.h"
#include "model/page_simulation.h"
#include "sim/config.h"

namespace recirc::bench {

Measurement page_run(std::uint64_t operations, std::uint64_t write_percent) {
  auto document = sim::config::Document::load(RECIRC_ROOT "/configs/callosal/callosal.json");
  const std::string writes = std::to_string(static_cast<double>(write_percent) / 100);
  document.set(write_percent == 0
                   ? "/workload/benchmark=drbh"
                   : "/workload/benchmark={\"kind\": \"drwom\", \"write_ratio\": " + writes + "}");
  auto config = model::read_page_config(document);
  config.workload.operations = operations;
  model::RunControl control;
  model::PageSimulation simulation(config, 0);
  Measurement result = measure(operations, [&] { simulation.run(control); });
  result.events = simulation.scheduler().events();
  return result;
}

}  // namespace recirc::bench
