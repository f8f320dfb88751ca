#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "pipeline/packet.h"
#include "pipeline/register_array.h"
#include "sim/ring_queue.h"
#include "sim/scheduler.h"
#include "sim/slab.h"

namespace recirc::pipeline {

/// The packets that repeat a pass until something changes (PassContext::wait_for), in the order of
/// their next passes. As long as nothing changes the switch books these passes without running
/// them. A packet whose watched output changes is awake: there is an event at its next pass, which
/// is run.
class WaitLine {
 public:
  struct Waiter {
    PacketHandle packet;
    PortId port;  ///< the loop port it goes round by
    PipeId pipe;
    bool awake = false;  ///< the next pass must be run
    Watch watch;
    sim::Bytes length;
    // What booked passes change in the packet, kept here so that they need not look at its record.
    std::uint32_t recirculations = 0;
    std::uint32_t passes = 0;  ///< booked so far, like the two below
    sim::Duration queued{};
    sim::Duration waiting{};
  };
  struct Pass {
    sim::Time at;             ///< leaves ingress
    std::uint64_t order = 0;  ///< among events of that instant, as if it were one
    std::uint32_t waiter = 0;
  };

  /// `kind`: the event at `owner` when a packet that is awake has its next pass.
  WaitLine(sim::Scheduler& scheduler, sim::Component& owner, std::uint16_t kind)
      : scheduler_(scheduler), owner_(owner), kind_(kind) {}

  [[nodiscard]] bool empty() const { return line_.empty(); }
  /// Whether a pass comes before whatever happens at `at` in this order.
  [[nodiscard]] bool has_before(sim::Time at, std::uint64_t order) const {
    return !line_.empty() && is_before(line_.front(), at, order);
  }
  void add(sim::Time at, std::uint64_t order, const Waiter& waiter);
  [[nodiscard]] const Pass& next_pass() const { return line_.front(); }
  /// Whose pass that is.
  [[nodiscard]] Waiter& front() { return waiters_[line_.front().waiter]; }
  /// The first has had a pass booked and comes back at `at`.
  void go_round(sim::Time at, std::uint64_t order) {
    const std::uint32_t waiter = line_.front().waiter;
    line_.pop();
    sort_in({at, order, waiter});
  }
  void pop();

  /// An action was executed on the entry.
  void touched(const ArrayState& array, std::uint32_t index) {
    if (watchers_[place_of(array, index)] != 0) [[unlikely]]
      look_at(array, index);
  }
  void wake_all();

 private:
  /// Entries are told apart by a few bits, so that most of those that nobody watches cost no look
  /// at the line.
  static constexpr std::size_t places = 4096;
  static std::size_t place_of(const ArrayState& array, std::uint32_t index) {
    return (index ^ std::size_t{array.position} * 509U) % places;
  }
  static bool is_before(const Pass& pass, sim::Time at, std::uint64_t order) {
    return pass.at < at || (pass.at == at && pass.order < order);
  }
  /// Packets that come from one loop port come in order; only those of another port may be earlier.
  void sort_in(const Pass& pass) {
    line_.push(pass);
    for (std::size_t i = line_.size() - 1; i > 0; --i) {
      if (is_before(line_[i - 1], pass.at, pass.order)) break;
      std::swap(line_[i], line_[i - 1]);
    }
  }
  [[gnu::noinline]] void look_at(const ArrayState& array, std::uint32_t index);
  void wake(const Pass& pass);

  sim::Scheduler& scheduler_;
  sim::Component& owner_;
  std::uint16_t kind_;
  sim::RingQueue<Pass> line_;
  sim::Slab<Waiter> waiters_;
  std::array<std::uint32_t, places> watchers_{};
};

}  // namespace recirc::pipeline
