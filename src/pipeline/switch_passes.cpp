#include <algorithm>

#include "pipeline/switch.h"
#include "sim/error.h"

namespace recirc::pipeline {

void Switch::enter(Gress gress, PacketHandle packet, sim::Time entry) {
  const bool ingress = gress == Gress::ingress;
  if (spec_.mode == PassMode::pass) {
    scheduler_.at(entry + timing_.gress(), *this,
                  ingress ? Kind::leave_ingress : Kind::leave_egress, packet.value());
  } else {
    scheduler_.at(entry, *this, ingress ? Kind::enter_ingress : Kind::enter_egress, packet.value());
  }
}

void Switch::handle(const sim::Event& event) {
  switch (static_cast<Kind>(event.kind)) {
    case Kind::leave_ingress:
      return leave(Gress::ingress, event);
    case Kind::leave_egress:
      return leave(Gress::egress, event);
    case Kind::enter_ingress:
      return start_stages(Gress::ingress, event);
    case Kind::enter_egress:
      return start_stages(Gress::egress, event);
    case Kind::ingress_stage:
      return run_stage(Gress::ingress, event);
    case Kind::egress_stage:
      return run_stage(Gress::egress, event);
    case Kind::finish_ingress:
      return finish(Gress::ingress, PacketHandle{event.arg});
    case Kind::finish_egress:
      return finish(Gress::egress, PacketHandle{event.arg});
  }
  throw sim::InvariantBroken("the switch has no event of this kind");
}

/// One packet a clock enters a gress of a pipe, first come first served. A packet that finds the
/// clock taken is given the next free one and comes back then.
bool Switch::claim_slot(Gress gress, const sim::Event& event) {
  if (event.aux == slot_granted) return true;
  Packet& packet = packets_[event.arg];
  sim::Time& next = pipes_[packet.pipe.value()].next_slot[static_cast<std::size_t>(gress)];
  const sim::Time slot = std::max(event.at, next);
  next = slot + timing_.clock();
  if (slot == event.at) return true;
  packet.queued += slot - event.at;
  scheduler_.at(slot, *this, static_cast<Kind>(event.kind), event.arg, slot_granted);
  return false;
}

void Switch::begin_pass(Packet& packet, Gress gress) {
  packet.pass = PassState{};
  packet.pass.stamp = ++passes_begun_;
  if (gress == Gress::ingress) {
    ++packet.passes;
    ++counters_.ingress_passes;
    packet.metadata = {};
    const Pipe& pipe = pipes_[packet.pipe.value()];
    if (pipe.environments[packet.protocol.value()].ingress_mirror) [[unlikely]] {
      packet.pass.side = sides_.take();
      PassSide& side = sides_[packet.pass.side];
      side.as_received = packet.header;
      side.length_as_received = packet.length;
    }
  } else {
    ++counters_.egress_passes;
  }
  if (observer_ != nullptr) [[unlikely]] {
    observer_->entered(packet, programs_[packet.protocol.value()]->layout(), gress,
                       scheduler_.now());
  }
}

void Switch::leave(Gress gress, const sim::Event& event) {
  if (!claim_slot(gress, event)) return;
  Packet& packet = packets_[event.arg];
  begin_pass(packet, gress);
  const std::size_t program = packet.protocol.value();
  PassContext context(pipes_[packet.pipe.value()].environments[program], packet, gress);
  programs_[program]->run(gress, context);
  finish(gress, PacketHandle{event.arg});
}

void Switch::start_stages(Gress gress, const sim::Event& event) {
  if (!claim_slot(gress, event)) return;
  begin_pass(packets_[event.arg], gress);
  scheduler_.after(stage_times_[0], *this,
                   gress == Gress::ingress ? Kind::ingress_stage : Kind::egress_stage, event.arg,
                   0);
}

/// Event::aux is the stage.
void Switch::run_stage(Gress gress, const sim::Event& event) {
  const std::uint16_t stage = event.aux;
  Packet& packet = packets_[event.arg];
  const std::size_t program = packet.protocol.value();
  PassContext context(pipes_[packet.pipe.value()].environments[program], packet, gress, stage);
  programs_[program]->run_stage(gress, stage, context);
  const sim::Duration step = stage_times_[stage + 1U] - stage_times_[stage];
  const bool ingress = gress == Gress::ingress;
  if (stage + 1U == stage_times_.size() - 1) {
    scheduler_.after(step, *this, ingress ? Kind::finish_ingress : Kind::finish_egress, event.arg);
  } else {
    scheduler_.after(step, *this, ingress ? Kind::ingress_stage : Kind::egress_stage, event.arg,
                     static_cast<std::uint16_t>(stage + 1U));
  }
}

void Switch::finish(Gress gress, PacketHandle handle) {
  if (gress == Gress::ingress) {
    finish_ingress(handle);
  } else {
    finish_egress(handle);
  }
}

void Switch::finish_ingress(PacketHandle handle) {
  {
    const Packet& packet = packets_[handle.value()];
    if (packet.pass.verdict == Verdict::none) refuse(packet, "ends an ingress without a verdict");
    if (packet.pass.digest_bytes != 0) deliver_digest(packet);
    if (packet.pass.mirrored) mirror_from_ingress(handle);
  }
  Packet& packet = packets_[handle.value()];
  if (packet.pass.side != ~0U) release_side(packet);
  packet.route = packet.pass.verdict;
  follow_verdict(handle);
}

void Switch::finish_egress(PacketHandle handle) {
  if (packets_[handle.value()].pass.mirrored && mirror_from_egress(handle)) return;
  if (packets_[handle.value()].pass.verdict == Verdict::drop) {
    end(handle, DropReason::program);
  } else {
    leave_by_port(handle);
  }
}

void Switch::deliver_digest(const Packet& packet) {
  ++counters_.digests;
  const Digest digest = sides_[packet.pass.side].digest;  // the sink may send packets meanwhile
  sink_.digested(packet.pipe, packet.protocol, digest);
}

void Switch::release_side(Packet& packet) {
  sides_.give_back(packet.pass.side);
  packet.pass.side = ~0U;
}

void Switch::refuse(const Packet& packet, const char* what) const {
  throw sim::ConstraintViolation(
      {programs_[packet.protocol.value()]->layout().program, "", -1, packet.passes, packet.id},
      what);
}

}  // namespace recirc::pipeline
