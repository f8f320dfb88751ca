#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "model/faults/config.h"
#include "sim/rng.h"
#include "sim/time.h"

namespace recirc::model::faults {

enum class LinkKind : std::uint8_t { client, server, controller };
enum class Direction : std::uint8_t { to_switch, from_switch };

/// What becomes of one message on one link.
struct Fate {
  bool lost = false;
  bool duplicated = false;
  sim::Duration late{};       ///< after the time it would take without faults
  sim::Duration copy_late{};  ///< likewise, of the copy
};

/// Decides the fate of messages: a pure function of (seed, replication, message, link, direction),
/// so that schemes that are compared lose the same requests.
class LinkFaults {
 public:
  LinkFaults(const FaultSettings& settings, sim::CounterRng draws)
      : settings_{settings.client_links, settings.server_links, settings.controller_link},
        draws_(draws) {}

  /// `message`: its identity, one for each transmission and each copy.
  Fate fate(LinkKind link, Direction direction, std::uint64_t message);

  [[nodiscard]] std::uint64_t lost() const { return lost_; }
  [[nodiscard]] std::uint64_t duplicated() const { return duplicated_; }
  [[nodiscard]] std::uint64_t held() const { return held_; }

 private:
  std::array<LinkFaultSettings, 3> settings_;  ///< by LinkKind
  sim::CounterRng draws_;
  std::uint64_t lost_ = 0;
  std::uint64_t duplicated_ = 0;
  std::uint64_t held_ = 0;
};

}  // namespace recirc::model::faults
