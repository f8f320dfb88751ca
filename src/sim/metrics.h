#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/time.h"

namespace recirc::sim {

/// Counts events. A plain member of the component that counts.
class Counter {
 public:
  void add(std::uint64_t n = 1) { value_ += n; }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0;
};

/// A level over time (queue length, busy workers) with its exact integral.
class TimeWeighted {
 public:
  void set(Time now, std::int64_t level) {
    integral_ += static_cast<__int128>(level_) * (now - since_).count();
    since_ = now;
    level_ = level;
    if (level > max_) max_ = level;
  }
  void add(Time now, std::int64_t change) { set(now, level_ + change); }
  [[nodiscard]] std::int64_t level() const { return level_; }
  [[nodiscard]] std::int64_t max() const { return max_; }
  /// Integral of the level from time 0 to `now`, in level times picoseconds.
  [[nodiscard]] __int128 integral(Time now) const {
    return integral_ + static_cast<__int128>(level_) * (now - since_).count();
  }

 private:
  __int128 integral_ = 0;
  Time since_{};
  std::int64_t level_ = 0;
  std::int64_t max_ = 0;
};

/// Sums per window of fixed length: completions per second and the like.
class Series {
 public:
  explicit Series(Duration window) : window_(window) {}
  void add(Time now, std::uint64_t n = 1) {
    const auto index = static_cast<std::size_t>(now.time_since_epoch() / window_);
    if (index >= sums_.size()) sums_.resize(index + 1);
    sums_[index] += n;
  }
  [[nodiscard]] Duration window() const { return window_; }
  [[nodiscard]] const std::vector<std::uint64_t>& sums() const { return sums_; }

 private:
  Duration window_;
  std::vector<std::uint64_t> sums_;
};

/// The values of all registered metrics at one moment, in the order of registration.
struct MetricsSnapshot {
  Time at{};
  std::vector<std::uint64_t> counters;
  std::vector<__int128> integrals;
};

/// Names the metrics of one run. Each is registered once, by reference, before the run; it must
/// outlive the registry. Windows and phases are differences of snapshots.
class Metrics {
 public:
  void add(std::string name, const Counter& counter) {
    counters_.push_back({std::move(name), &counter});
  }
  void add(std::string name, const TimeWeighted& level) {
    levels_.push_back({std::move(name), &level});
  }

  [[nodiscard]] MetricsSnapshot snapshot(Time now) const;

  struct Value {
    std::string name;
    double value;
    bool is_count;  ///< a difference of a Counter; else the mean level over the window
  };
  /// What happened from snapshot `from` to snapshot `to`, both of this registry.
  [[nodiscard]] std::vector<Value> between(const MetricsSnapshot& from,
                                           const MetricsSnapshot& to) const;

 private:
  template <class Metric>
  struct Named {
    std::string name;
    const Metric* metric;
  };
  std::vector<Named<Counter>> counters_;
  std::vector<Named<TimeWeighted>> levels_;
};

}  // namespace recirc::sim
