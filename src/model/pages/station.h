#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/time.h"

namespace recirc::model::pages {

/// A server with a few workers and a queue, first come first served. Whoever comes is told at once
/// when it will have been served, so calls must be in the order of time.
class Station {
 public:
  explicit Station(std::uint32_t workers) : free_at_(workers) {}

  sim::Time serve(sim::Time comes, sim::Duration service) {
    std::size_t first = 0;
    for (std::size_t i = 1; i < free_at_.size(); ++i) {
      if (free_at_[i] < free_at_[first]) first = i;
    }
    free_at_[first] = std::max(free_at_[first], comes) + service;
    busy_ += service;
    ++served_;
    return free_at_[first];
  }

  [[nodiscard]] sim::Duration busy() const { return busy_; }
  [[nodiscard]] std::uint64_t served() const { return served_; }

 private:
  std::vector<sim::Time> free_at_;  ///< by worker
  sim::Duration busy_{};
  std::uint64_t served_ = 0;
};

}  // namespace recirc::model::pages
