#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/time.h"
#include "workloads/operation.h"

namespace recirc::workloads {

/// A stretch of a run's operations that results report by itself.
struct Phase {
  std::string name;
  std::uint64_t first = 0;  ///< index of its first operation
  std::uint64_t count = 0;
};

/// The operations of a run. Operation i is a pure function of (seed, replication, i), so every
/// scheme sees the same operations and nothing is stored.
class OpSource {
 public:
  virtual ~OpSource() = default;
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  [[nodiscard]] virtual Operation at(std::uint64_t i) const = 0;
  /// The same when it is issued at `now`: where popularity changes over time, the same kind and
  /// rank, but the file that has this rank then.
  [[nodiscard]] virtual Operation issued(std::uint64_t i, sim::Time /*now*/) const { return at(i); }
  [[nodiscard]] virtual std::vector<Phase> phases() const = 0;
  /// The recorded time of operation i since the first one; nothing for synthetic mixes.
  [[nodiscard]] virtual std::optional<sim::Duration> recorded_time(std::uint64_t /*i*/) const {
    return std::nullopt;
  }
  /// The `n` most requested files of the whole workload, hottest first (fewer if there are fewer).
  [[nodiscard]] virtual std::vector<PathId> hottest(std::uint64_t n) const = 0;
  /// The path of request `i` of those that came before the run: as likely as its own paths are, and
  /// a pure function of (seed, replication, i). A log goes round instead.
  [[nodiscard]] virtual PathId earlier(std::uint64_t i) const { return at(i % size()).path; }
  /// A part of a workload: it asks for paths that it `concerns` alone, and changes no others.
  [[nodiscard]] virtual bool is_part() const { return false; }
  [[nodiscard]] virtual bool concerns(PathId /*path*/) const { return true; }
  /// Whether an operation may change paths below its own.
  [[nodiscard]] virtual bool reaches_below() const { return true; }
};

}  // namespace recirc::workloads
