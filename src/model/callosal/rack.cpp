#include "model/callosal/rack.h"

#include <utility>

#include "pipeline/programs/directory/program.h"

namespace recirc::model::callosal {

namespace directory = pipeline::programs::directory;

// Front ports first, in the order of the endpoints; then the loop port.
Rack make_rack(const CallosalSettings& settings, const SwitchSettings& rmt_switch,
               std::uint32_t nodes, std::uint64_t seed) {
  Rack rack;
  pipeline::SwitchSpec& spec = rack.rmt_switch;
  spec.chip = pipeline::chip_of(rmt_switch.chip);
  spec.mode = rmt_switch.mode;
  spec.control = rmt_switch.control_timing;
  spec.cross_pipe = pipeline::CrossPipe::none;
  spec.max_recirculations = rmt_switch.max_recirculations;
  spec.seed = seed;
  const pipeline::PipeId others{static_cast<std::uint8_t>(spec.chip.pipes > 1 ? 1 : 0)};
  std::uint16_t endpoint = 0;
  directory::Wiring wiring;
  std::vector<pipeline::PortId> node_ports;
  const auto plug_in = [&](pipeline::PipeId pipe) {
    const pipeline::PortId port =
        spec.add_port({pipeline::PortKind::front, pipe, spec.chip.port_rate, rmt_switch.queue,
                       pipeline::PipeId::none()});
    wiring.ports.push_back(port);
    wiring.node_of_port.push_back(0xff);
    return Topology::Site{EndpointId{endpoint++}, port};
  };
  for (std::uint32_t node = 0; node < nodes; ++node) {
    rack.topology.client_machines.push_back(plug_in(pipeline::PipeId{0}));
    wiring.node_of_port.back() = static_cast<std::uint8_t>(node);
    node_ports.push_back(wiring.ports.back());
  }
  for (std::uint32_t blade = 0; blade < settings.blades; ++blade) {
    rack.topology.servers.push_back(plug_in(others));
  }
  rack.topology.controller = plug_in(others);
  wiring.loop =
      spec.add_port({pipeline::PortKind::loop, pipeline::PipeId{0}, spec.chip.recirculation_rate,
                     rmt_switch.queue, pipeline::PipeId::none()});
  wiring.node_of_port.push_back(0xff);
  wiring.loop_session = spec.add_session(wiring.loop);
  wiring.all_nodes = spec.add_group(node_ports);
  wiring.grant = settings.grant;
  wiring.claims = !settings.mutants.no_claims;
  wiring.lost_claims = settings.faults.lost_claims;
  wiring.lost_fin_acks = settings.faults.lost_fin_acks;
  wiring.loss_seed = seed;
  wiring.conflict = settings.conflict;
  rack.topology.loop = wiring.loop;
  rack.program = directory::make_program(std::move(wiring));
  return rack;
}

}  // namespace recirc::model::callosal
