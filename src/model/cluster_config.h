#pragma once

#include <cstdint>
#include <optional>

#include "sim/config.h"
#include "sim/units.h"

namespace recirc::model {

/// `/cluster/ring`
struct RingSettings {
  std::uint32_t vnodes = 100;
  std::uint64_t seed = 1;
};

/// `/cluster`
struct ClusterSettings {
  static constexpr std::uint32_t clients_per_server = 16;
  static constexpr std::uint32_t clients_in_rotation = 128;  ///< Fletch §IX-A

  std::uint32_t servers = 16;
  std::optional<std::uint32_t> clients;
  std::uint32_t client_machines = 1;
  std::uint32_t server_machines = 2;
  RingSettings ring;
};

/// `/network`: the links between the machines and the switch.
struct NetworkSettings {
  sim::BitsPerSecond client_rate = sim::gigabits_per_second(40);
  sim::BitsPerSecond server_rate = sim::gigabits_per_second(40);
  sim::Duration host_delay = sim::microseconds(7);
  sim::Duration propagation = sim::nanoseconds(50);
  sim::Bytes mtu{1500};
};

void describe(sim::config::Visitor& v, RingSettings& c);
void describe(sim::config::Visitor& v, ClusterSettings& c);
void describe(sim::config::Visitor& v, NetworkSettings& c);

}  // namespace recirc::model
