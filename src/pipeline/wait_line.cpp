#include "pipeline/wait_line.h"

#include <utility>

namespace recirc::pipeline {

/// Packets that come from one loop port come in order; only those of another port may be earlier.
void WaitLine::add(sim::Time at, std::uint64_t order, PacketHandle packet, const Watch& watch) {
  // Member by member: a processor that has just stored two words does not load both at once.
  Waiter& last = line_.push_slot();
  last.at = at;
  last.order = order;
  last.packet = packet;
  last.awake = false;
  last.watch = watch;
  for (std::size_t i = line_.size() - 1; i > 0; --i) {
    if (is_before(line_[i - 1], at, order)) break;
    std::swap(line_[i], line_[i - 1]);
  }
  ++watch.array->watchers;
  ++watchers_[place_of(*watch.array, watch.index)];
}

void WaitLine::pop() {
  const Watch& watch = line_.front().watch;
  --watch.array->watchers;
  --watchers_[place_of(*watch.array, watch.index)];
  line_.pop();
}

void WaitLine::look_at(const ArrayState& array, std::uint32_t index) {
  for (std::size_t i = 0; i < line_.size(); ++i) {
    const Watch& watch = line_[i].watch;
    if (watch.array != &array || watch.index != index) continue;
    if (watch.array->execute(watch.action, index, 0, 0) != watch.output) wake(line_[i]);
  }
}

void WaitLine::wake_all() {
  for (std::size_t i = 0; i < line_.size(); ++i) wake(line_[i]);
}

void WaitLine::wake(Waiter& waiter) {
  if (waiter.awake) return;
  waiter.awake = true;
  scheduler_.at(waiter.at, owner_, kind_);
}

}  // namespace recirc::pipeline
