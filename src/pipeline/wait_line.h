#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "pipeline/packet.h"
#include "pipeline/register_array.h"
#include "sim/ring_queue.h"
#include "sim/scheduler.h"

namespace recirc::pipeline {

/// The packets that repeat a pass until something changes (PassContext::wait_for), in the order of
/// their next passes. As long as nothing changes the switch books these passes without running
/// them. A packet whose watched output changes is awake: there is an event at its next pass, which
/// is run.
class WaitLine {
 public:
  struct Waiter {
    sim::Time at;             ///< the next pass leaves ingress
    std::uint64_t order = 0;  ///< among events of that instant, as if it were one
    PacketHandle packet;
    bool awake = false;  ///< the next pass must be run
    Watch watch;
  };

  /// `kind`: the event at `owner` when a packet that is awake has its next pass.
  WaitLine(sim::Scheduler& scheduler, sim::Component& owner, std::uint16_t kind)
      : scheduler_(scheduler), owner_(owner), kind_(kind) {}

  [[nodiscard]] bool empty() const { return line_.empty(); }
  /// Whether a pass comes before whatever happens at `at` in this order.
  [[nodiscard]] bool has_before(sim::Time at, std::uint64_t order) const {
    return !line_.empty() && is_before(line_.front(), at, order);
  }
  void add(sim::Time at, std::uint64_t order, PacketHandle packet, const Watch& watch);
  [[nodiscard]] const Waiter& front() const { return line_.front(); }
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
  static bool is_before(const Waiter& waiter, sim::Time at, std::uint64_t order) {
    return waiter.at < at || (waiter.at == at && waiter.order < order);
  }
  [[gnu::noinline]] void look_at(const ArrayState& array, std::uint32_t index);
  void wake(Waiter& waiter);

  sim::Scheduler& scheduler_;
  sim::Component& owner_;
  std::uint16_t kind_;
  sim::RingQueue<Waiter> line_;
  std::array<std::uint32_t, places> watchers_{};
};

}  // namespace recirc::pipeline
