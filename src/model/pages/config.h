#pragma once

#include <cstdint>

#include "sim/config.h"
#include "sim/time.h"

namespace recirc::model::pages {

/// `/cluster` of the systems that cache pages: compute nodes and their threads.
struct NodesSettings {
  std::uint32_t nodes = 4;
  std::uint32_t threads = 8;
};

/// `/node`: what a node's processor takes for what all systems do alike.
struct NodeSettings {
  sim::Duration read_hit = sim::nanoseconds(340);
  sim::Duration write_hit = sim::nanoseconds(500);
  sim::Duration lock_handoff = sim::nanoseconds(750);
  sim::Duration system_call = sim::nanoseconds(110);
  sim::Duration reopen = sim::nanoseconds(1'650);
  sim::Duration line_transfer = sim::nanoseconds(60);
};

void describe(sim::config::Visitor& v, NodesSettings& c);
void describe(sim::config::Visitor& v, NodeSettings& c);

}  // namespace recirc::model::pages
