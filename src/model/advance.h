#pragma once

#include <cstdint>
#include <string>

#include "model/run.h"
#include "sim/error.h"
#include "sim/scheduler.h"

namespace recirc::model {

/// Runs a simulation until nothing is left to happen or it is `done()`, in strides: after each it
/// tells how many operations have `ended()`, calls `look()` and gives way to an interrupt. Throws
/// Interrupted.
template <class Done, class Ended, class Look>
void advance(sim::Scheduler& scheduler, RunControl& control, Done done, Ended ended, Look look) {
  constexpr std::uint64_t events_between_looks = 1 << 16;
  std::uint64_t seen = ended();
  while (scheduler.pending() > 0 && !done()) {
    scheduler.run(sim::Scheduler::forever, events_between_looks);
    const std::uint64_t now = ended();
    control.operations.fetch_add(now - seen, std::memory_order_relaxed);
    seen = now;
    look();
    if (control.interrupt.load(std::memory_order_relaxed)) {
      throw sim::Interrupted("interrupted after " + std::to_string(now) + " operations");
    }
  }
}

}  // namespace recirc::model
