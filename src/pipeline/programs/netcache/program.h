#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "pipeline/ids.h"
#include "pipeline/program.h"

namespace recirc::pipeline::programs::netcache {

/// What the control plane has set up for the program.
struct Wiring {
  /// By endpoint number: the port it is behind, and the mirror session to that port.
  std::vector<PortId> ports;
  std::vector<SessionId> sessions;
  std::uint16_t controller = 0;    ///< its endpoint number
  bool reports = false;            ///< count uncached reads and report hot paths
  std::uint32_t threshold = 10;    ///< of the sketch
  std::uint32_t sampled = 65'536;  ///< of 65,536 uncached reads, those that are counted
};

/// NetCache's program on whole paths: one lookup, one value, no levels and no permissions. Items
/// lie in the egress pipe of the server that owns them; nothing recirculates.
std::unique_ptr<Program> make_program(Wiring wiring);

}  // namespace recirc::pipeline::programs::netcache
