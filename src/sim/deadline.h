#pragma once

#include "sim/scheduler.h"

namespace recirc::sim {

/// One timer of a component that keeps at most one event in the queue.
///
/// Moving the deadline later, or cancelling it, is a store: the pending event re-arms itself when
/// it fires. The owner routes the event of `kind` to expired().
class Deadline {
 public:
  template <class Kind>
  Deadline(Scheduler& scheduler, Component& owner, Kind kind)
      : scheduler_(scheduler), owner_(owner), kind_(static_cast<std::uint16_t>(kind)) {}

  void set(Time when) {
    deadline_ = when;
    if (when < pending_at_) arm(when);
  }
  void cancel() { deadline_ = Scheduler::forever; }
  [[nodiscard]] bool is_set() const { return deadline_ != Scheduler::forever; }
  [[nodiscard]] Time when() const { return deadline_; }

  /// Called from the owner's handle(): true when the deadline has really come; it is then unset.
  [[nodiscard]] bool expired(const Event& event) {
    if (event.at != pending_at_) return false;  // an event that an earlier deadline replaced
    pending_at_ = Scheduler::forever;
    if (deadline_ == Scheduler::forever) return false;
    if (deadline_ > event.at) {
      arm(deadline_);
      return false;
    }
    deadline_ = Scheduler::forever;
    return true;
  }

 private:
  void arm(Time when) {
    pending_at_ = when;
    scheduler_.at(when, owner_, kind_);
  }

  Scheduler& scheduler_;
  Component& owner_;
  std::uint16_t kind_;
  Time deadline_ = Scheduler::forever;
  Time pending_at_ = Scheduler::forever;
};

}  // namespace recirc::sim
