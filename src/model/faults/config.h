#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/config.h"
#include "sim/time.h"

namespace recirc::model::faults {

/// What the links of one kind do to messages, each way and each message for itself.
struct LinkFaultSettings {
  double loss = 0;
  double duplication = 0;
  double reordering = 0;
  sim::Duration delay{};
  sim::Duration held_for = sim::microseconds(100);

  [[nodiscard]] bool any() const {
    return loss > 0 || duplication > 0 || reordering > 0 || delay > sim::Duration::zero();
  }
};

enum class Component : std::uint8_t { server, controller, rmt_switch };
std::span<const sim::config::EnumName> names_of(Component component);

/// One of `/faults/crashes`.
struct CrashSettings {
  Component component = Component::server;
  std::uint32_t server = 0;  ///< which, of servers
  sim::Duration at = sim::milliseconds(10);
  sim::Duration down_for = sim::milliseconds(10);
};

/// `/faults`: what goes wrong in a run. Nothing, unless a configuration says so.
struct FaultSettings {
  LinkFaultSettings client_links;
  LinkFaultSettings server_links;
  LinkFaultSettings controller_link;
  std::vector<CrashSettings> crashes;

  [[nodiscard]] bool on_links() const {
    return client_links.any() || server_links.any() || controller_link.any();
  }
  [[nodiscard]] bool any() const { return on_links() || !crashes.empty(); }
};

void describe(sim::config::Visitor& v, LinkFaultSettings& c);
void describe(sim::config::Visitor& v, CrashSettings& c);
void describe(sim::config::Visitor& v, FaultSettings& c);

}  // namespace recirc::model::faults
