#pragma once

#include <algorithm>
#include <cstdint>

#include "model/request.h"
#include "sim/flat_map.h"
#include "workloads/namespace.h"

namespace recirc::model::verify {

/// The streaming consistency check: after an acknowledged write no read returns older metadata.
///
/// Each written path keeps its last acknowledged version; so does each directory below which a
/// write has changed everything. A read remembers the latest of its path and the directories above
/// when it is issued (its floor) and must return at least it. Nothing is kept per operation.
class VersionFloor {
 public:
  explicit VersionFloor(const workloads::Namespace& tree) : tree_(tree) {}

  [[nodiscard]] Version of(workloads::PathId path) const {
    const Version* acknowledged = acknowledged_.find(path.value());
    Version floor = acknowledged == nullptr ? 0 : *acknowledged;
    if (below_.size() == 0) [[likely]]
      return floor;
    while (tree_.depth(path) > 0) {
      path = tree_.parent(path);
      if (const Version* below = below_.find(path.value())) floor = std::max(floor, *below);
    }
    return floor;
  }

  void acknowledge(workloads::PathId path, Version version) {
    Version& last = acknowledged_[path.value()];
    last = std::max(last, version);
  }
  /// A write has changed all that is below the path.
  void acknowledge_below(workloads::PathId path, Version version) {
    Version& last = below_[path.value()];
    last = std::max(last, version);
  }

  /// Counts the read if it is stale.
  void check_read(const Request& request) {
    if (request.version < request.floor) ++stale_reads_;
  }

  [[nodiscard]] std::uint64_t stale_reads() const { return stale_reads_; }

 private:
  const workloads::Namespace& tree_;
  sim::FlatMap<Version> acknowledged_;
  sim::FlatMap<Version> below_;
  std::uint64_t stale_reads_ = 0;
};

}  // namespace recirc::model::verify
