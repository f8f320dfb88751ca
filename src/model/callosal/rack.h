#pragma once

#include <cstdint>
#include <memory>

#include "model/callosal/config.h"
#include "model/switch_config.h"
#include "model/topology.h"
#include "pipeline/program.h"
#include "pipeline/switch_spec.h"

namespace recirc::model::callosal {

/// The directory's program is the switch's only one, and its nodes are all on one pipe.
inline constexpr pipeline::ProtocolTag tag{0};
inline constexpr pipeline::PipeId directory_pipe{0};

/// The machines around the switch, and the switch that they are plugged into. Nodes are on one
/// pipe, which has the directory; memory blades on another, if there is one.
struct Rack {
  Topology topology;
  pipeline::SwitchSpec rmt_switch;
  std::unique_ptr<pipeline::Program> program;
};
Rack make_rack(const CallosalSettings& settings, const SwitchSettings& rmt_switch,
               std::uint32_t nodes, std::uint64_t seed);

}  // namespace recirc::model::callosal
