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
bool Switch::may_wait(sim::Time leaves_ingress, std::uint32_t recirculations) const {
  if (leaves_ingress < scheduler_.now()) return true;
  return spec_.mode == PassMode::pass && observer_ == nullptr &&
         recirculations + 2 * most_behind < spec_.max_recirculations;
}

void Switch::wait_in_line(PacketHandle handle, const Packet& packet, sim::Time leaves_ingress) {
  WaitLine::Waiter waiter;
  waiter.packet = handle;
  waiter.port = packet.egress_port;
  waiter.pipe = packet.pipe;
  waiter.watch = packet.watch;
  waiter.length = packet.length;
  waiter.recirculations = packet.recirculations;
  waits_.add(leaves_ingress, scheduler_.take_order(), waiter);
  if (!catch_up_is_due_) keep_line_moving();
}

/// Waiting packets may be all that is left to move.
void Switch::keep_line_moving() {
  catch_up_is_due_ = !waits_.empty();
  if (!catch_up_is_due_) return;
  const sim::Duration shortest_loop = timing_.gress() + timing_.traffic_manager() + timing_.port();
  scheduler_.after(most_behind * shortest_loop, *this, Kind::catch_up);
}

/// The first of the line is a packet like others again.
PacketHandle Switch::leave_line() {
  const WaitLine::Waiter& first = waits_.front();
  const PacketHandle handle = first.packet;
  Packet& packet = packets_[handle.value()];
  packet.passes += first.passes;
  packet.recirculations = first.recirculations;
  packet.queued += first.queued;
  packet.waiting += first.waiting;
  waits_.pop();
  return handle;
}

/// What claim_slot(), queue_for() and return_from_loop() do to a packet that bypasses the egress.
inline void Switch::book_pass(sim::Time at, sim::Time now) {
  WaitLine::Waiter& waiter = waits_.front();
  sim::Time& next = pipes_[waiter.pipe.value()].next_slot[static_cast<std::size_t>(Gress::ingress)];
  const sim::Time slot = std::max(at, next);
  next = slot + timing_.clock();
  waiter.queued += slot - at;
  if (slot > now) {
    scheduler_.at(slot, *this, Kind::leave_ingress, leave_line().value(), slot_granted);
    return;
  }
  ++passes_begun_;
  ++counters_.ingress_passes;
  ++waiter.passes;
  const sim::Time ready = slot + timing_.traffic_manager();
  const auto frame = ports_[waiter.port.value()].enqueue(waiter.length, ready);
  if (!frame) [[unlikely]]
    return end(leave_line(), DropReason::queue_full);
  ++counters_.recirculated_frames;
  ++waiter.recirculations;
  waiter.queued += frame->departure - ready;
  const sim::Time arrival = frame->departure + frame->on_wire + timing_.port();
  const sim::Time leaves_ingress = arrival + timing_.gress();
  waiter.waiting += leaves_ingress - frame->departure + timing_.traffic_manager();
  if (may_wait(leaves_ingress, waiter.recirculations)) [[likely]] {
    waits_.go_round(leaves_ingress, scheduler_.take_order());
  } else {
    enter(Gress::ingress, leave_line(), arrival);
  }
}

/// Books or runs all passes of waiting packets that come before what happens now. Everything that
/// the switch schedules is scheduled after this, so that instants that two passes share go as they
/// would if each pass were an event.
void Switch::catch_up(sim::Time now, std::uint64_t order) {
  while (waits_.has_before(now, order)) {
    if (waits_.front().awake) {
      const auto [at, pass_order, waiter] = waits_.next_pass();
      leave(Gress::ingress, {at, pass_order, this, leave_line().value(), 0,
                             static_cast<std::uint16_t>(Kind::leave_ingress)});
    } else {
      book_pass(waits_.next_pass().at, now);
    }
  }
}

/// What waiting packets wait for may change in any way now.
void Switch::control_plane_comes() {
  if (waits_.empty()) return;
  catch_up(scheduler_.now(), 0);
  waits_.wake_all();
}

}  // namespace recirc::pipeline
