#include <algorithm>

#include "pipeline/switch.h"

// Packets that wait by recirculating: their passes are booked (slot of the pipe, port, counters,
// times) when something else happens in the switch, before it does.

namespace recirc::pipeline {

namespace {

/// Passes that a packet may fall behind until the line is brought up to date.
constexpr std::int64_t most_behind = 32;

}  // namespace

/// Whether the next pass may be booked instead of run. Not when somebody watches every pass, and
/// not close to the limit, because a drop has its exact time; what lies behind must be booked.
bool Switch::may_wait(const Packet& packet, sim::Time leaves_ingress) const {
  if (leaves_ingress < scheduler_.now()) return true;
  return spec_.mode == PassMode::pass && observer_ == nullptr &&
         packet.recirculations + 2 * most_behind < spec_.max_recirculations;
}

void Switch::wait_in_line(PacketHandle handle, const Packet& packet, sim::Time leaves_ingress) {
  waits_.add(leaves_ingress, scheduler_.take_order(), handle, packet.watch);
  if (!catch_up_is_due_) keep_line_moving();
}

/// Waiting packets may be all that is left to move.
void Switch::keep_line_moving() {
  catch_up_is_due_ = !waits_.empty();
  if (!catch_up_is_due_) return;
  const sim::Duration shortest_loop = timing_.gress() + timing_.traffic_manager() + timing_.port();
  scheduler_.after(most_behind * shortest_loop, *this, Kind::catch_up);
}

/// Books or runs all passes of waiting packets that come before what happens now. Everything that
/// the switch schedules is scheduled after this, so that instants that two passes share go as they
/// would if each pass were an event.
void Switch::catch_up(sim::Time now, std::uint64_t order) {
  while (waits_.has_before(now, order)) {
    const WaitLine::Waiter& first = waits_.front();
    const sim::Event pass{first.at, first.order,
                          this,     first.packet.value(),
                          0,        static_cast<std::uint16_t>(Kind::leave_ingress)};
    const bool runs = first.awake;
    waits_.pop();
    if (runs) {
      leave(Gress::ingress, pass);
    } else {
      book_pass(PacketHandle{pass.arg}, pass.at, now);
    }
  }
}

void Switch::book_pass(PacketHandle handle, sim::Time at, sim::Time now) {
  Packet& packet = packets_[handle.value()];
  sim::Time& next = pipes_[packet.pipe.value()].next_slot[static_cast<std::size_t>(Gress::ingress)];
  const sim::Time slot = std::max(at, next);
  next = slot + timing_.clock();
  packet.queued += slot - at;
  if (slot > now) {
    scheduler_.at(slot, *this, Kind::leave_ingress, handle.value(), slot_granted);
    return;
  }
  ++passes_begun_;
  ++packet.passes;
  ++counters_.ingress_passes;
  queue_for(handle, packet.egress_port, slot);
}

/// What waiting packets wait for may change in any way now.
void Switch::control_plane_comes() {
  if (waits_.empty()) return;
  catch_up(scheduler_.now(), 0);
  waits_.wake_all();
}

}  // namespace recirc::pipeline
