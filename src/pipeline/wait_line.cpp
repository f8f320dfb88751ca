#include "pipeline/wait_line.h"

#include <utility>

namespace recirc::pipeline {

/// Packets that come from one loop port come in order; only those of another port may be earlier.
void WaitLine::add(const Waiter& waiter) {
  line_.push(waiter);
  for (std::size_t i = line_.size() - 1; i > 0; --i) {
    if (!is_before(line_[i], line_[i - 1].at, line_[i - 1].order)) break;
    std::swap(line_[i], line_[i - 1]);
  }
  ++waiter.watch.array->watchers;
  ++watchers_[place_of(*waiter.watch.array, waiter.watch.index)];
}

WaitLine::Waiter WaitLine::take_first() {
  const Waiter first = line_.front();
  line_.pop();
  --first.watch.array->watchers;
  --watchers_[place_of(*first.watch.array, first.watch.index)];
  return first;
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
