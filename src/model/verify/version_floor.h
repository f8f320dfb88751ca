#pragma once

#include <cstdint>

#include "model/request.h"
#include "sim/flat_map.h"

namespace recirc::model {

/// The streaming consistency check: after an acknowledged write no read returns older metadata.
///
/// Each written path keeps its last acknowledged version. A read remembers that version when it is
/// issued (its floor) and must return at least it. Nothing is kept per operation.
class VersionFloor {
 public:
  [[nodiscard]] Version of(workloads::PathId path) const {
    const Version* acknowledged = acknowledged_.find(path.value());
    return acknowledged == nullptr ? 0 : *acknowledged;
  }

  void acknowledge(workloads::PathId path, Version version) {
    Version& last = acknowledged_[path.value()];
    if (version > last) last = version;
  }

  /// Counts the read if it is stale.
  void check_read(const Request& request) {
    if (request.version < request.floor) ++stale_reads_;
  }

  [[nodiscard]] std::uint64_t stale_reads() const { return stale_reads_; }

 private:
  sim::FlatMap<Version> acknowledged_;
  std::uint64_t stale_reads_ = 0;
};

}  // namespace recirc::model
