#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "pipeline/ids.h"
#include "pipeline/program.h"
#include "pipeline/programs/fletch/layout.h"

namespace recirc::pipeline::programs::fletch {

/// What the control plane has set up for the program.
struct Wiring {
  PipeId lock_pipe;  ///< has the lookup tables and lock counters; a pipe of servers
  PortId loop;       ///< recirculation port of that pipe
  /// By server pipe, the lock pipe first, where there are several: the port that a packet takes
  /// through the pipe's egress back into the lock pipe's ingress.
  std::vector<PortId> ways_round;
  std::vector<std::uint8_t> server_pipes;  ///< by endpoint number, where there are several
  /// By endpoint number: the port it is behind, and the mirror session to that port.
  std::vector<PortId> ports;
  std::vector<SessionId> sessions;
  std::uint16_t controller = 0;  ///< its endpoint number
  bool reports = false;          ///< count uncached reads and report hot paths
  std::uint32_t threshold = 10;  ///< of the sketch
  LockPlan locks = paper_locks();
  SequenceSpec sequence;
  /// A read that finds a flag at zero gives back its counters before it goes to its server, instead
  /// of leaving that to the server's answer.
  bool release_in_switch = false;
  /// Writes of cached paths that their clients let it are acknowledged on their way to the server.
  bool write_back = false;
};

/// The Fletch program: path resolution level by level, lock counters, validation flags, the value
/// store and the sketch (Fletch §III-V). It knows keys, tokens, levels and records, but neither
/// operations nor what a path is.
std::unique_ptr<Program> make_program(Placing placing, Wiring wiring);

}  // namespace recirc::pipeline::programs::fletch
