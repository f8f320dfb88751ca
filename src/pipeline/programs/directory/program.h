#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "pipeline/ids.h"
#include "pipeline/program.h"
#include "sim/config.h"

namespace recirc::pipeline::programs::directory {

/// When the requester of a region that others must give up may go on.
enum class GrantPolicy : std::uint8_t {
  wait_all,  ///< when the last of them has (the switch says so)
  early,     ///< when it has the page (MIND with TSO)
};
std::span<const sim::config::EnumName> names_of(GrantPolicy);

/// What becomes of a request for a region whose holders still have to give up something.
enum class ConflictPolicy : std::uint8_t {
  nack_backoff,  ///< it is refused, and the node asks again later (MIND)
  queue,  ///< it goes round until they have, and the loop port's bandwidth is what that costs
};
std::span<const sim::config::EnumName> names_of(ConflictPolicy);

/// What the control plane has set up for the program.
struct Wiring {
  /// By endpoint number; nodes come first.
  std::vector<PortId> ports;
  std::vector<std::uint8_t> node_of_port;  ///< by port; 0xff where there is no node
  GroupId all_nodes;                       ///< one port a node
  PortId loop;
  SessionId loop_session;  ///< mirrors to the loop port
  GrantPolicy grant = GrantPolicy::wait_all;
  ConflictPolicy conflict = ConflictPolicy::nack_backoff;
  bool claims = true;  ///< false breaks the protocol: for tests
  // Shares of packets that get lost between their two passes, and of fin_acks that do before.
  double lost_claims = 0;
  double lost_fin_acks = 0;
  std::uint64_t loss_seed = 0;
};

/// MIND's coherence directory of regions of pages: MSI, one entry a region, found by its prefix.
///
/// Pass 1 claims the entry and reads it, in one access; a packet that finds it claimed goes round.
/// Pass 2 commits what the transition table says and gives the claim back; it leaves as a grant, a
/// refusal, or, by multicast, as an invalidation to each node that must give something up: egress
/// drops the copies of the others. A mirror of it goes round once more to be addressed to the
/// memory blade.
///
/// A request that waits in the switch (ConflictPolicy::queue) looks at the entry without claiming
/// it, in one pass a round, and becomes a first pass again when the region is in no transition. Who
/// is next is who comes round first. A node whose request waits must answer invalidations
/// meanwhile, without that page's lock.
std::unique_ptr<Program> make_program(Wiring wiring);

}  // namespace recirc::pipeline::programs::directory
