#pragma once

#include <cstdint>

#include "sim/ids.h"

namespace recirc::pipeline {

using PortId = sim::Id<struct PortTag, std::uint16_t>;
using PipeId = sim::Id<struct PipeTag, std::uint8_t>;
using PacketHandle = sim::Id<struct PacketTag>;
/// What a packet carries for its endpoints: a slab handle of the fabric. Programs cannot read it.
using Payload = sim::Id<struct PayloadTag>;
/// Chooses the program: the index of a program in its switch's list.
using ProtocolTag = sim::Id<struct ProtocolTagTag, std::uint8_t>;
/// Indices into one program's Layout.
using TableId = sim::Id<struct TableTag, std::uint16_t>;
using ArrayId = sim::Id<struct ArrayTag, std::uint16_t>;
using ActionId = sim::Id<struct ActionTag, std::uint8_t>;
using HeaderId = sim::Id<struct HeaderTag, std::uint16_t>;
/// Set up by the control plane in SwitchSpec.
using GroupId = sim::Id<struct GroupTag, std::uint16_t>;
using SessionId = sim::Id<struct SessionTag, std::uint16_t>;

enum class Gress : std::uint8_t { ingress, egress };

/// Where in a pass something stands: gress and stage in one number, so that one comparison
/// checks both.
constexpr std::uint16_t position_of(Gress gress, unsigned stage) {
  return static_cast<std::uint16_t>((gress == Gress::egress ? 0x100U : 0U) | stage);
}

}  // namespace recirc::pipeline
