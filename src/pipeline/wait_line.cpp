#include "pipeline/wait_line.h"

namespace recirc::pipeline {

void WaitLine::add(sim::Time at, std::uint64_t order, const Waiter& waiter) {
  const std::uint32_t place = waiters_.take();
  waiters_[place] = waiter;
  sort_in({at, order, place});
  ++waiter.watch.array->watchers;
  ++watchers_[place_of(*waiter.watch.array, waiter.watch.index)];
}

void WaitLine::pop() {
  const Watch& watch = front().watch;
  --watch.array->watchers;
  --watchers_[place_of(*watch.array, watch.index)];
  waiters_.give_back(line_.front().waiter);
  line_.pop();
}

void WaitLine::look_at(const ArrayState& array, std::uint32_t index) {
  for (std::size_t i = 0; i < line_.size(); ++i) {
    const Watch& watch = waiters_[line_[i].waiter].watch;
    if (watch.array != &array || watch.index != index) continue;
    if (watch.array->execute(watch.action, index, 0, 0) != watch.output) wake(line_[i]);
  }
}

void WaitLine::wake_all() {
  for (std::size_t i = 0; i < line_.size(); ++i) wake(line_[i]);
}

void WaitLine::wake(const Pass& pass) {
  Waiter& waiter = waiters_[pass.waiter];
  if (waiter.awake) return;
  waiter.awake = true;
  scheduler_.at(pass.at, owner_, kind_);
}

}  // namespace recirc::pipeline
