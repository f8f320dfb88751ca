#pragma once

#include <cstdint>
#include <vector>

#include "model/endpoint.h"
#include "model/request.h"
#include "pipeline/ids.h"

namespace recirc::model {

/// Where every endpoint of a cluster around one switch is plugged in. Endpoint numbers are dense:
/// client machines, then servers, then the controller.
///
/// Client machines sit on one pipe and server machines on another, as in the paper's testbed
/// (Fletch §IX-A), unless `/switch/cross_pipe` is "none". Several servers share a machine's port.
/// With `/switch/server_pipes` the machines of servers are on as many pipes, in turn.
struct Topology {
  struct Site {
    EndpointId endpoint;
    pipeline::PortId port;
    std::uint8_t pipe = 0;  ///< of servers: index in server_pipes
  };
  struct ServerPipe {
    pipeline::PipeId pipe;
    /// From its egress into the ingress of the first: a loop port there, a cable in the others.
    pipeline::PortId way_round;
  };
  std::vector<Site> client_machines;
  std::vector<Site> servers;  ///< by ServerId
  Site controller;            ///< on the servers' pipe
  pipeline::PortId loop;      ///< the recirculation port of the servers' pipe
  pipeline::PipeId client_pipe;
  pipeline::PipeId server_pipe;  ///< the first of them
  std::vector<ServerPipe> server_pipes;

  [[nodiscard]] EndpointId server(ServerId id) const { return servers[id.value()].endpoint; }
  [[nodiscard]] ServerId server_at(EndpointId endpoint) const {
    return ServerId{static_cast<ServerId::rep>(endpoint.value() - client_machines.size())};
  }
  [[nodiscard]] std::size_t endpoints() const {
    return client_machines.size() + servers.size() + 1;
  }
  [[nodiscard]] const Site& site(EndpointId endpoint) const {
    const std::size_t i = endpoint.value();
    if (i < client_machines.size()) return client_machines[i];
    const std::size_t s = i - client_machines.size();
    return s < servers.size() ? servers[s] : controller;
  }
  [[nodiscard]] pipeline::PortId port(EndpointId endpoint) const { return site(endpoint).port; }
  /// The mirror session towards an endpoint: every front port has the session of its own number.
  [[nodiscard]] pipeline::SessionId session(EndpointId endpoint) const {
    return pipeline::SessionId{port(endpoint).value()};
  }
};

}  // namespace recirc::model
