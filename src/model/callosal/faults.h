#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/faults/config.h"
#include "sim/config.h"
#include "sim/time.h"

namespace recirc::model::callosal {

/// What becomes of a message that a link loses.
enum class TransportKind : std::uint8_t { lossless, go_back_n };
constexpr sim::config::EnumName transport_names[] = {
    {"lossless", TransportKind::lossless, "links lose nothing (priority flow control)"},
    {"go_back_n", TransportKind::go_back_n,
     "reliable connections: it is sent again, and what is behind it in its queue pair waits"}};
inline std::span<const sim::config::EnumName> names_of(TransportKind) { return transport_names; }

/// One of `/callosal/faults/crashes`: of a node, with all that it has.
struct NodeCrash {
  std::uint32_t node = 0;
  sim::Duration at = sim::milliseconds(10);
  sim::Duration down_for = sim::milliseconds(10);
};

/// `/callosal/faults`: what goes wrong in a run. Nothing, unless a configuration says so.
struct FaultSettings {
  faults::LinkFaultSettings node_links;
  faults::LinkFaultSettings blade_links;
  double lost_claims = 0;
  double lost_fin_acks = 0;
  std::vector<NodeCrash> crashes;

  [[nodiscard]] bool any() const {
    return node_links.any() || blade_links.any() || lost_claims > 0 || lost_fin_acks > 0 ||
           !crashes.empty();
  }
};

/// Rules of the protocol that are left out: for tests, no configuration names them.
struct Mutants {
  bool no_claims = false;         ///< the directory does not claim the entry that it changes
  bool no_drain = false;          ///< a node says that it has given up before it has
  bool no_version_check = false;  ///< a read is not repeated when the page has changed meanwhile
  bool no_deferral = false;       ///< an invalidation does not wait for the page's lock
};

void describe(sim::config::Visitor& v, NodeCrash& c);
void describe(sim::config::Visitor& v, FaultSettings& c);
void validate(const FaultSettings& c, sim::config::Issues& issues);

}  // namespace recirc::model::callosal
