#include "model/program_report.h"

#include "model/page_config.h"
#include "model/page_systems.h"
#include "model/simulation.h"
#include "model/systems.h"

namespace recirc::model {

pipeline::LayoutReport program_report(const Config& config) {
  const Cabling cabling = cabling_of(config, 0);
  const auto scheme = make_scheme(config, cabling.topology);
  const pipeline::Program* const program = &scheme->program();
  return pipeline::report(cabling.rmt_switch.chip, {&program, 1});
}

std::optional<pipeline::LayoutReport> program_report(const PageConfig& config) {
  const auto make_program = find_page_system(config.system)->make_program;
  if (make_program == nullptr) return std::nullopt;
  const auto made = make_program(config);
  const pipeline::Program* const program = made.get();
  return pipeline::report(pipeline::chip_of(config.rmt_switch.chip), {&program, 1});
}

}  // namespace recirc::model
