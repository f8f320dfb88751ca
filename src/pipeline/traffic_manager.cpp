#include "pipeline/traffic_manager.h"

#include <algorithm>

#include "pipeline/switch.h"
#include "sim/rng.h"

namespace recirc::pipeline {

void Switch::follow_verdict(PacketHandle handle) {
  const Packet& packet = packets_[handle.value()];
  const std::uint16_t target = packet.pass.target;
  switch (packet.pass.verdict) {
    case Verdict::none:
      break;  // refused before
    case Verdict::forward:
      if (ports_[target].spec().kind != PortKind::front) {
        refuse(packet, "forwards to a loop or cable port, which only recirculating does");
      }
      return queue_for(handle, PortId{target});
    case Verdict::recirculate:
      if (ports_[target].spec().kind == PortKind::front) {
        refuse(packet, "recirculates to a port that is no loop or cable port");
      }
      return queue_for(handle, PortId{target});
    case Verdict::cable:
      return cross(handle, PipeId{static_cast<std::uint8_t>(target)});
    case Verdict::multicast:
      return multicast(handle, GroupId{target});
    case Verdict::drop:
      return end(handle, DropReason::program);
  }
}

/// At the instant of an ingress's end: takes the packet into the port's queue or drops it. What
/// follows is known from the departure.
void Switch::queue_for(PacketHandle handle, PortId port_id) {
  const sim::Time now = scheduler_.now();
  Packet& packet = packets_[handle.value()];
  PortQueue& port = ports_[port_id.value()];
  const PortKind kind = port.spec().kind;
  const bool over = packet.recirculations >= spec_.max_recirculations && kind != PortKind::front;
  if (over || packet.passes > max_passes_) [[unlikely]] {
    return end(handle, DropReason::recirculation_limit);
  }
  const sim::Time ready = now + timing_.traffic_manager();
  const auto slot = port.enqueue(packet.length, ready);
  if (!slot) [[unlikely]]
    return end(handle, DropReason::queue_full);
  packet.egress_port = port_id;
  packet.pipe = port.spec().pipe;
  packet.on_wire = slot->on_wire;
  packet.queued += slot->departure - ready;
  if (kind != PortKind::front) {
    packet.looped_at = now + (slot->departure - ready);
    if (packet.pass.bypass_egress) {
      return return_from_loop(handle, packet, slot->departure + slot->on_wire + timing_.port());
    }
  }
  enter(Gress::egress, handle, slot->departure);
}

void Switch::cross(PacketHandle handle, PipeId pipe) {
  const Packet& packet = packets_[handle.value()];
  if (pipe.value() >= pipes_.size() || pipe == packet.pipe || !uses(pipe)) {
    refuse(packet, "crosses to its own pipe, or to one that nothing is plugged into");
  }
  if (spec_.cross_pipe == CrossPipe::native) return hand_over(handle, pipe);
  const PortId cable = pipes_[packet.pipe.value()].cable_to[pipe.value()];
  if (spec_.cross_pipe == CrossPipe::none || cable.is_none()) {
    refuse(packet, "crosses to a pipe that no cable leads to");
  }
  queue_for(handle, cable);
}

/// The native way into another pipe: no port, no frame, no egress.
void Switch::hand_over(PacketHandle handle, PipeId pipe) {
  Packet& packet = packets_[handle.value()];
  if (packet.passes > max_passes_) return end(handle, DropReason::recirculation_limit);
  ++counters_.native_crossings;
  packet.pipe = pipe;
  const sim::Time entry = scheduler_.now() + timing_.traffic_manager();
  packet.recirculating += timing_.traffic_manager() + timing_.gress();
  enter(Gress::ingress, handle, entry);
}

/// The last member gets the original, the others copies, in the group's order.
void Switch::multicast(PacketHandle handle, GroupId group) {
  const std::vector<PortId>& members = spec_.groups[group.value()];
  const auto copies = static_cast<std::uint32_t>(members.size() - 1);
  counters_.multicast_copies += copies;
  const Payload payload = packets_[handle.value()].payload;
  if (copies != 0 && !payload.is_none()) sink_.shared(payload, copies);
  for (std::uint32_t i = 0; i < copies; ++i) queue_for(copy(handle, i), members[i]);
  queue_for(handle, members.back());
}

void Switch::leave_by_port(PacketHandle handle) {
  Packet& packet = packets_[handle.value()];
  const sim::Time last_bit = scheduler_.now() + packet.on_wire + timing_.port();
  if (ports_[packet.egress_port.value()].spec().kind == PortKind::front) {
    sink_.transmitted(packet.egress_port, handle, last_bit);
  } else {
    return_from_loop(handle, packet, last_bit);
  }
}

void Switch::return_from_loop(PacketHandle handle, Packet& packet, sim::Time arrival) {
  const PortSpec& port = ports_[packet.egress_port.value()].spec();
  // Counted here: what egress dropped was never on the wire.
  ++packet.recirculations;
  ++(port.kind == PortKind::loop ? counters_.recirculated_frames : counters_.cable_frames);
  packet.pipe = port.kind == PortKind::cable ? port.peer : port.pipe;
  packet.origin = Origin::port;
  const sim::Duration took = arrival + timing_.gress() - packet.looped_at;
  (packet.pass.bypass_egress ? packet.waiting : packet.recirculating) += took;
  if (packet.pass.waits && port.kind == PortKind::loop &&
      may_wait(arrival + timing_.gress(), packet.recirculations)) [[unlikely]] {
    return wait_in_line(handle, packet, arrival + timing_.gress());
  }
  enter(Gress::ingress, handle, arrival);
}

/// Of the packet as received: edits of this ingress are not in the copy.
void Switch::mirror_from_ingress(PacketHandle handle) {
  const PassState wish = packets_[handle.value()].pass;
  const PacketHandle mirrored = copy(handle, 0x100);
  Packet& packet = packets_[mirrored.value()];
  const PassSide& side = sides_[wish.side];
  packet.header = side.as_received;
  packet.length = side.length_as_received;
  if (wish.mirror_payload == PayloadRule::move) packets_[handle.value()].payload = Payload::none();
  send_copy(mirrored, wish, Origin::ingress_mirror);
}

/// True when the original is gone: a dropped one whose payload moves becomes the copy itself.
bool Switch::mirror_from_egress(PacketHandle handle) {
  Packet& packet = packets_[handle.value()];
  const PassState wish = packet.pass;
  if (wish.verdict == Verdict::drop && wish.mirror_payload == PayloadRule::move) {
    ++counters_.drops[static_cast<std::size_t>(DropReason::program)];
    packet.id = id_of_copy(packet, 0x200);
    send_copy(handle, wish, Origin::egress_mirror);
    return true;
  }
  const PacketHandle mirrored = copy(handle, 0x200);
  if (wish.mirror_payload == PayloadRule::move) packets_[handle.value()].payload = Payload::none();
  send_copy(mirrored, wish, Origin::egress_mirror);
  return false;
}

void Switch::send_copy(PacketHandle handle, const PassState& wish, Origin origin) {
  Packet& packet = packets_[handle.value()];
  ++counters_.mirrored_frames;
  ++packet.passes;
  if (wish.mirror_payload == PayloadRule::keep) packet.payload = Payload::none();
  if (wish.mirror_payload == PayloadRule::share && !packet.payload.is_none()) {
    sink_.shared(packet.payload, 1);
  }
  packet.pass = PassState{};
  packet.origin = origin;
  packet.session = SessionId{wish.mirror_session};
  packet.metadata = {};
  if (wish.mirror_truncate != 0) {
    packet.length = std::min(packet.length, sim::Bytes{wish.mirror_truncate});
  }
  queue_for(handle, spec_.sessions[wish.mirror_session]);
}

void Switch::end(PacketHandle handle, DropReason reason) {
  const Packet& packet = packets_[handle.value()];
  ++counters_.drops[static_cast<std::size_t>(reason)];
  if (!packet.payload.is_none()) sink_.dropped(packet, reason);
  release(handle);
}

PacketHandle Switch::copy(PacketHandle handle, std::uint32_t number) {
  const PacketHandle twin{packets_.take()};
  Packet& packet = packets_[twin.value()];
  packet = packets_[handle.value()];
  packet.pass.side = ~0U;
  packet.id = id_of_copy(packet, number);
  return twin;
}

/// A function of the original alone, so that it does not depend on what else goes on.
std::uint64_t Switch::id_of_copy(const Packet& packet, std::uint32_t number) const {
  return sim::mix64(packet.id ^ sim::mix64((std::uint64_t{packet.passes} << 32U) + number + 1));
}

}  // namespace recirc::pipeline
