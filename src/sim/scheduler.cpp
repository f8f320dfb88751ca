#include "sim/scheduler.h"

#include <string>

#include "sim/error.h"

namespace recirc::sim {

std::uint64_t Scheduler::run(Time bound, std::uint64_t limit) {
  stopped_ = false;
  std::uint64_t fired = 0;
  while (!queue_.empty() && fired < limit && !stopped_) {
    const Event event = queue_.top();
    if (event.at > bound) break;
    queue_.pop();
    now_ = event.at;
    ++fired;
    event.target->handle(event);
  }
  events_ += fired;
  return fired;
}

void Scheduler::refuse_past(Time when) const {
  if (when < Time{}) {  // see later()
    throw ConfigError("", "the run lasts longer than the 106 days that simulated time can express",
                      "ask for fewer operations, or for shorter times");
  }
  throw InvariantBroken("an event was scheduled for " +
                        std::to_string(when.time_since_epoch().count()) + " ps, before now (" +
                        std::to_string(now_.time_since_epoch().count()) + " ps)");
}

}  // namespace recirc::sim
