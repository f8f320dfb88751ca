#include <algorithm>

#include "model/simulation.h"

namespace recirc::model {
namespace {

/// A cable has a port at each end.
pipeline::PortId add_cable(pipeline::SwitchSpec& spec, pipeline::PipeId from, pipeline::PipeId to,
                           sim::Bytes queue) {
  const sim::BitsPerSecond rate = spec.chip.recirculation_rate;
  const pipeline::PortId port = spec.add_port({pipeline::PortKind::cable, from, rate, queue, to});
  spec.add_port({pipeline::PortKind::cable, to, rate, queue, from});
  return port;
}

/// The servers' first pipe has the lock counters: packets get there from the egress of any other.
void add_ways_round(Topology& topology, pipeline::SwitchSpec& spec,
                    const SwitchSettings& settings) {
  topology.loop =
      spec.add_port({pipeline::PortKind::loop, topology.server_pipe, spec.chip.recirculation_rate,
                     settings.queue, pipeline::PipeId::none()});
  topology.server_pipes[0].way_round = topology.loop;
  bool reaches_clients = settings.cross_pipe != pipeline::CrossPipe::cable;
  for (std::size_t i = 1; i < topology.server_pipes.size(); ++i) {
    Topology::ServerPipe& other = topology.server_pipes[i];
    other.way_round = add_cable(spec, other.pipe, topology.server_pipe, settings.queue);
    reaches_clients = reaches_clients || other.pipe == topology.client_pipe;
  }
  if (!reaches_clients) {
    add_cable(spec, topology.client_pipe, topology.server_pipe, settings.queue);
  }
}

}  // namespace

// Front ports first, in the order of the endpoints, so that a port and its mirror session have one
// number; then the loop port and the cables.
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
  for (std::uint32_t pipe = 0; pipe < settings.server_pipes; ++pipe) {
    topology.server_pipes.push_back({pipeline::PipeId{static_cast<std::uint8_t>(pipe)}, {}});
  }
  // Clients have a pipe to themselves, as long as there is one.
  const auto last = std::min<std::int64_t>(settings.server_pipes, spec.chip.pipes - 1);
  topology.client_pipe =
      pipeline::PipeId{one_pipe ? std::uint8_t{0} : static_cast<std::uint8_t>(last)};
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
  std::vector<Topology::Site> machines;
  for (std::uint32_t m = 0; m < config.cluster.server_machines; ++m) {
    const auto pipe = static_cast<std::uint8_t>(m % settings.server_pipes);
    machines.push_back({{}, front(topology.server_pipes[pipe].pipe, network.server_rate), pipe});
  }
  for (std::uint32_t s = 0; s < config.cluster.servers; ++s) {
    topology.servers.push_back(machines[s % machines.size()]);
    topology.servers.back().endpoint = EndpointId{endpoint++};
  }
  topology.controller = {EndpointId{endpoint}, front(topology.server_pipe, network.server_rate)};
  add_ways_round(topology, spec, settings);
  return cabling;
}

}  // namespace recirc::model
