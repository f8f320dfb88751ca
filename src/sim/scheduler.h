#pragma once

#include <cstdint>
#include <limits>

#include "sim/component.h"
#include "sim/event_queue.h"
#include "sim/time.h"

namespace recirc::sim {

/// Runs events in the order (time, insertion).
///
/// If simulated time passes, schedule an event; if none passes, call a function. Scheduling for a
/// time that has gone is a programming error and throws InvariantBroken.
class Scheduler {
 public:
  static constexpr Time forever{Duration{std::numeric_limits<std::int64_t>::max()}};
  static constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

  [[nodiscard]] Time now() const { return now_; }
  [[nodiscard]] std::uint64_t events() const { return events_; }
  [[nodiscard]] std::size_t pending() const { return queue_.size(); }

  template <class Kind>
  void at(Time when, Component& target, Kind kind, std::uint32_t arg = 0, std::uint16_t aux = 0) {
    if (when < now_) refuse_past(when);
    queue_.push({when, order_++, &target, arg, aux, static_cast<std::uint16_t>(kind)});
  }

  template <class Kind>
  void after(Duration delay, Component& target, Kind kind, std::uint32_t arg = 0,
             std::uint16_t aux = 0) {
    at(later(now_, delay), target, kind, arg, aux);
  }

  /// The place of an event scheduled now, for somebody who keeps it instead of the scheduler.
  [[nodiscard]] std::uint64_t take_order() { return order_++; }

  /// Fires events up to and including time `bound`, at most `limit` of them; returns how many
  /// fired. The clock stops at the last event fired.
  std::uint64_t run(Time bound = forever, std::uint64_t limit = no_limit);

  /// Makes run() return after the event in hand; the next run() goes on from there.
  void stop() { stopped_ = true; }

 private:
  [[noreturn]] void refuse_past(Time when) const;

  EventQueue queue_;
  Time now_{};
  std::uint64_t order_ = 0;
  std::uint64_t events_ = 0;
  bool stopped_ = false;
};

}  // namespace recirc::sim
