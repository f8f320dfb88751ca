#include "sim/event_queue.h"

#include <algorithm>

namespace recirc::sim {

/// Moves the events of the first slot to lower levels: the wheel's time becomes that of the
/// earliest of them, which is then at level 0. The lower levels are empty before, so that events
/// of one time stay in the order of insertion.
void TimingWheel::spread(Place place) {
  std::vector<Event>& slot = slots_[place.level][place.digit];
  unmark(place);
  std::uint64_t earliest = ticks(slot.front());
  for (const Event& event : slot) earliest = std::min(earliest, ticks(event));
  base_ = earliest;
  for (const Event& event : slot) insert(event);
  slot.clear();
}

/// Sets the wheel's time to one before it. Only after top() was looked at and not popped, as at
/// the bound of a run, can an event come for such a time: all are placed anew.
void TimingWheel::turn_back(std::uint64_t time) {
  std::vector<Event> pending;
  pending.reserve(size_);
  while (levels_in_use_ != 0) {
    const Place place = first_place();
    std::vector<Event>& slot = slots_[place.level][place.digit];
    pending.insert(pending.end(), slot.begin() + static_cast<std::ptrdiff_t>(popped_), slot.end());
    popped_ = 0;
    slot.clear();
    unmark(place);
  }
  base_ = time;
  for (const Event& event : pending) insert(event);
}

}  // namespace recirc::sim
