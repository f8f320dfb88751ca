#include "model/simulation.h"

namespace recirc::model {

// Front ports first, in the order of the endpoints, so that a port and its mirror session have one
// number; then the loop port and the cable of each pipe.
Cabling cabling_of(const Config& config, std::uint64_t replication) {
  Cabling cabling;
  Topology& topology = cabling.topology;
  pipeline::SwitchSpec& spec = cabling.rmt_switch;
  const SwitchSettings& settings = config.rmt_switch;
  const NetworkSettings& network = config.network;
  spec.chip = pipeline::chip_of(settings.chip);
  spec.mode = settings.mode;
  spec.control = settings.control_timing;
  spec.cross_pipe = settings.cross_pipe;
  spec.max_recirculations = settings.max_recirculations;
  spec.seed = sim::RngFactory{config.run.seed, replication}.stream("switch").next();

  const bool one_pipe = settings.cross_pipe == pipeline::CrossPipe::none;
  topology.server_pipe = pipeline::PipeId{0};
  topology.client_pipe = pipeline::PipeId{one_pipe ? std::uint8_t{0} : std::uint8_t{1}};
  std::uint16_t endpoint = 0;
  const auto front = [&](pipeline::PipeId pipe, sim::BitsPerSecond rate) {
    const pipeline::PortId port = spec.add_port(
        {pipeline::PortKind::front, pipe, rate, settings.queue, pipeline::PipeId::none()});
    spec.add_session(port);
    return port;
  };
  for (std::uint32_t m = 0; m < config.cluster.client_machines; ++m) {
    topology.client_machines.push_back(
        {EndpointId{endpoint++}, front(topology.client_pipe, network.client_rate)});
  }
  std::vector<pipeline::PortId> machines;
  for (std::uint32_t m = 0; m < config.cluster.server_machines; ++m) {
    machines.push_back(front(topology.server_pipe, network.server_rate));
  }
  for (std::uint32_t s = 0; s < config.cluster.servers; ++s) {
    topology.servers.push_back({EndpointId{endpoint++}, machines[s % machines.size()]});
  }
  topology.controller = {EndpointId{endpoint}, front(topology.server_pipe, network.server_rate)};

  const sim::BitsPerSecond loop_rate = spec.chip.recirculation_rate;
  topology.loop = spec.add_port({pipeline::PortKind::loop, topology.server_pipe, loop_rate,
                                 settings.queue, pipeline::PipeId::none()});
  if (settings.cross_pipe == pipeline::CrossPipe::cable) {
    spec.add_port({pipeline::PortKind::cable, topology.client_pipe, loop_rate, settings.queue,
                   topology.server_pipe});
    spec.add_port({pipeline::PortKind::cable, topology.server_pipe, loop_rate, settings.queue,
                   topology.client_pipe});
  }
  return cabling;
}

}  // namespace recirc::model
