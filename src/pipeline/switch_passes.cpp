#include <algorithm>

#include "pipeline/switch.h"
#include "sim/error.h"

namespace recirc::pipeline {

void Switch::enter(Gress gress, PacketHandle packet, sim::Time entry) {
  const bool ingress = gress == Gress::ingress;
  const bool whole = spec_.mode == PassMode::pass;
  const Kind into_ingress = whole ? Kind::leave_ingress : Kind::enter_ingress;
  const Kind into_egress = whole ? Kind::leave_egress : Kind::enter_egress;
  scheduler_.at(whole ? entry + timing_.gress() : entry, *this,
                ingress ? into_ingress : into_egress, packet.value());
}

void Switch::handle(const sim::Event& event) {
  if (!waits_.empty()) catch_up(event.at, event.order);
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
    case Kind::catch_up:
      return keep_line_moving();
    case Kind::wake:
      return;  // it has, above
  }
  throw sim::InvariantBroken("the switch has no event of this kind");
}

/// One packet a clock enters a gress of a pipe, first come first served. A packet that finds the
/// clock taken is given the next free one and comes back then.
bool Switch::claim_slot(Gress gress, Packet& packet, const sim::Event& event) {
  if (event.aux == slot_granted) return true;
  sim::Time& next = pipes_[packet.pipe.value()].next_slot[static_cast<std::size_t>(gress)];
  const sim::Time slot = std::max(event.at, next);
  next = slot + timing_.clock();
  if (slot == event.at) return true;
  wait_for_slot(packet, event, slot);
  return false;
}

void Switch::wait_for_slot(Packet& packet, const sim::Event& event, sim::Time slot) {
  packet.queued += slot - event.at;
  scheduler_.at(slot, *this, static_cast<Kind>(event.kind), event.arg, slot_granted);
}

void Switch::begin_pass(Packet& packet, Gress gress, const PassEnvironment& environment) {
  packet.pass = PassState{};
  packet.pass.stamp = ++passes_begun_;
  if (gress == Gress::ingress) {
    ++packet.passes;
    ++counters_.ingress_passes;
    packet.metadata = {};
    if (environment.ingress_mirror) [[unlikely]] {
      packet.pass.side = sides_.take();
      PassSide& side = sides_[packet.pass.side];
      side.as_received = packet.header;
      side.length_as_received = packet.length;
    }
  } else {
    ++counters_.egress_passes;
  }
  if (observer_ != nullptr) [[unlikely]] {
    observer_->entered(packet, *environment.layout, gress, scheduler_.now());
  }
}

void Switch::leave(Gress gress, const sim::Event& event) {
  Packet& packet = packets_[event.arg];
  if (!claim_slot(gress, packet, event)) return;
  const PassEnvironment& environment = environment_of(packet);
  begin_pass(packet, gress, environment);
  PassContext context(environment, packet, gress);
  programs_[packet.protocol.value()]->run(gress, context);
  finish(gress, PacketHandle{event.arg});
}

void Switch::start_stages(Gress gress, const sim::Event& event) {
  Packet& packet = packets_[event.arg];
  if (!claim_slot(gress, packet, event)) return;
  begin_pass(packet, gress, environment_of(packet));
  scheduler_.after(stage_times_[0], *this,
                   gress == Gress::ingress ? Kind::ingress_stage : Kind::egress_stage, event.arg,
                   0);
}

/// Event::aux is the stage.
void Switch::run_stage(Gress gress, const sim::Event& event) {
  const std::uint16_t stage = event.aux;
  Packet& packet = packets_[event.arg];
  PassContext context(environment_of(packet), packet, gress, stage);
  programs_[packet.protocol.value()]->run_stage(gress, stage, context);
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
  const PassState& pass = packets_[handle.value()].pass;
  if (pass.verdict == Verdict::none) {
    refuse(packets_[handle.value()], "ends an ingress without a verdict");
  }
  if (pass.side != ~0U) finish_side(handle);
  Packet& packet = packets_[handle.value()];
  packet.route = packet.pass.verdict;
  follow_verdict(handle);
}

/// Digests and mirrors, which need the rare parts of a pass; then those are released.
void Switch::finish_side(PacketHandle handle) {
  if (packets_[handle.value()].pass.digest_bytes != 0) deliver_digest(packets_[handle.value()]);
  if (packets_[handle.value()].pass.mirrored) mirror_from_ingress(handle);
  PassState& pass = packets_[handle.value()].pass;  // both may have moved the packets
  sides_.give_back(pass.side);
  pass.side = ~0U;
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

void Switch::refuse(const Packet& packet, const char* what) const {
  throw sim::ConstraintViolation(
      {programs_[packet.protocol.value()]->layout().program, "", -1, packet.passes, packet.id},
      what);
}

}  // namespace recirc::pipeline
