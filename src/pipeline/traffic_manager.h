#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "pipeline/switch_spec.h"
#include "sim/time.h"
#include "sim/units.h"

namespace recirc::pipeline {

struct PortCounters {
  std::uint64_t frames = 0;  ///< taken into the queue; egress may still drop them
  std::uint64_t bytes = 0;
  std::uint64_t drops = 0;
  sim::Duration busy{};          ///< time on the wire
  sim::Duration longest_wait{};  ///< the queue's peak, as time
};

/// The queue in front of one port. Since the output is first in, first out at one rate, the time a
/// frame leaves is known when it comes: there is no event for the queue.
class PortQueue {
 public:
  PortQueue(const PortSpec& spec, sim::Bytes frame_overhead)
      : spec_(spec),
        overhead_(frame_overhead),
        serializer_(spec.rate),
        depth_(sim::Serializer{spec.rate}.time_of(spec.queue)) {}

  struct Slot {
    sim::Time departure;    ///< the first bit starts into the egress
    sim::Duration on_wire;  ///< what the frame takes at the port's rate
  };

  /// Nothing when the queue cannot hold the frame: it is dropped and counted.
  std::optional<Slot> enqueue(sim::Bytes length, sim::Time ready) {
    const sim::Duration backlog = std::max(busy_until_ - ready, sim::Duration{0});
    if (backlog > depth_) {
      ++counters_.drops;
      return std::nullopt;
    }
    const sim::Duration on_wire = serializer_.time_of(length + overhead_);
    const sim::Time departure = ready + backlog;
    busy_until_ = departure + on_wire;
    ++counters_.frames;
    counters_.bytes += static_cast<std::uint64_t>(length.count());
    counters_.busy += on_wire;
    counters_.longest_wait = std::max(counters_.longest_wait, backlog);
    return Slot{departure, on_wire};
  }

  [[nodiscard]] const PortSpec& spec() const { return spec_; }
  [[nodiscard]] const PortCounters& counters() const { return counters_; }
  /// The peak of the queue in bytes, the frame on the wire included.
  [[nodiscard]] sim::Bytes peak() const {
    const auto bits = static_cast<__int128>(counters_.longest_wait.count()) * spec_.rate.count();
    return sim::Bytes{static_cast<std::int64_t>(bits / picoseconds_a_byte)};
  }

 private:
  static constexpr std::int64_t picoseconds_a_byte = 8'000'000'000'000;  // at one bit per second

  PortSpec spec_;
  sim::Bytes overhead_;
  sim::Serializer serializer_;
  sim::Duration depth_;
  sim::Time busy_until_{};
  PortCounters counters_;
};

}  // namespace recirc::pipeline
