#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "pipeline/chip.h"
#include "pipeline/ids.h"
#include "sim/units.h"

namespace recirc::sim::config {
struct EnumName;
}

namespace recirc::pipeline {

/// pass: one event a gress, all its stages run when the packet leaves it. stage: every stage is an
/// event of its own. Both give the same packets, times, drops, registers and digests.
enum class PassMode : std::uint8_t { pass, stage };
std::span<const sim::config::EnumName> names_of(PassMode);

/// like_a_packet: a control-plane write goes through the stages as a packet does, so that a packet
/// sees all of it or nothing. per_stage: it takes effect in all stages at once, and in stage mode
/// a packet between two of them sees half of it.
enum class ControlTiming : std::uint8_t { like_a_packet, per_stage };
std::span<const sim::config::EnumName> names_of(ControlTiming);

/// How a packet gets into another pipe's ingress. cable: through a port of this pipe that is
/// joined to one of the other, a frame on the wire. native: the traffic manager hands it over
/// without a port. none: there is no way, and asking for one is a violation.
enum class CrossPipe : std::uint8_t { cable, native, none };
std::span<const sim::config::EnumName> names_of(CrossPipe);

enum class PortKind : std::uint8_t { front, loop, cable };

struct PortSpec {
  PortKind kind = PortKind::front;
  PipeId pipe{0};
  sim::BitsPerSecond rate = sim::gigabits_per_second(100);
  sim::Bytes queue{1 << 20};  ///< the traffic manager drops what would wait behind more than this
  PipeId peer;                ///< cable only: the pipe at the other end
};

/// One switch as it is set up. Ports, sessions and groups are named by their index.
struct SwitchSpec {
  ChipSpec chip;
  PassMode mode = PassMode::pass;
  ControlTiming control = ControlTiming::like_a_packet;
  CrossPipe cross_pipe = CrossPipe::cable;
  std::uint32_t max_recirculations = 4096;  ///< a packet at the limit is dropped and counted
  std::uint64_t seed = 0;                   ///< of PassContext::random
  std::vector<PortSpec> ports;
  std::vector<PortId> sessions;
  std::vector<std::vector<PortId>> groups;

  PortId add_port(const PortSpec& port) {
    ports.push_back(port);
    return PortId{static_cast<std::uint16_t>(ports.size() - 1)};
  }
  SessionId add_session(PortId port) {
    sessions.push_back(port);
    return SessionId{static_cast<std::uint16_t>(sessions.size() - 1)};
  }
  GroupId add_group(std::vector<PortId> members) {
    groups.push_back(std::move(members));
    return GroupId{static_cast<std::uint16_t>(groups.size() - 1)};
  }
};

}  // namespace recirc::pipeline
