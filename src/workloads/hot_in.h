#pragma once

#include <cstdint>

#include "sim/time.h"

namespace recirc::workloads {

/// Popularity that changes while the run goes on: at every multiple of `period` the `count` coldest
/// files become the hottest, in their old order, and all others fall by `count` ranks (Fletch
/// Exp#8; hot-in as NetCache's evaluation has it). Ranks turn like a wheel: nothing is stored.
class HotIn {
 public:
  /// Popularity that never changes.
  HotIn() = default;
  /// period > 0, count <= files.
  HotIn(sim::Duration period, std::uint64_t count, std::uint64_t files)
      : period_(period), count_(count), files_(files) {}

  /// The rank at the start of the file that has popularity rank `rank` at `now`.
  [[nodiscard]] std::uint64_t first_rank(std::uint64_t rank, sim::Time now) const {
    if (count_ == 0) return rank;
    const auto changes = static_cast<std::uint64_t>(now.time_since_epoch() / period_);
    const auto turned =
        static_cast<std::uint64_t>(static_cast<unsigned __int128>(changes) * count_ % files_);
    return rank >= turned ? rank - turned : rank + (files_ - turned);
  }

 private:
  sim::Duration period_{1};
  std::uint64_t count_ = 0;
  std::uint64_t files_ = 1;
};

}  // namespace recirc::workloads
