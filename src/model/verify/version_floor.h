#pragma once

#include <algorithm>
#include <cstdint>

#include "model/namespace_state.h"
#include "model/request.h"
#include "sim/flat_map.h"

namespace recirc::model::verify {

/// The streaming consistency check: after an acknowledged write no read returns older metadata.
///
/// Each written path keeps its last acknowledged version; so does each directory below which a
/// write has changed everything: a recursive one, or one that took the directory away or put
/// another in its place, since a path's version is never older than that of a link above it. A read
/// remembers the latest of its path and the directories above when it is issued (its floor) and
/// must return at least it. A directory whose permissions keep its user out since before then, as
/// the writer has been told, must keep it out. Nothing is kept per operation.
class VersionFloor {
 public:
  explicit VersionFloor(const NamespaceState& state) : state_(state) {}

  [[nodiscard]] Version of(workloads::PathId path) const {
    const Version* acknowledged = acknowledged_.find(path.value());
    const Version floor = acknowledged == nullptr ? 0 : *acknowledged;
    return below_.size() == 0 ? floor : std::max(floor, of_all_above(path));
  }

  void acknowledge(workloads::PathId path, Version version) {
    Version& last = acknowledged_[path.value()];
    last = std::max(last, version);
  }
  /// A write has changed all that is below the path.
  void acknowledge_below(workloads::PathId path, Version version);
  /// A write has been answered.
  void acknowledge(const Request& write);

  /// A read is issued.
  void begin(Request& read) const {
    read.floor = of(read.operation.path);
    read.refused = keeps_out_ ? refusal(read) : 0;
  }
  /// Its answer has come. Counts the read if it is stale.
  void check(const Request& read) {
    if (read.outcome == Outcome::denied) return;
    if (read.version < read.floor || (read.refused != 0 && is_refused_still(read))) ++stale_reads_;
  }

  [[nodiscard]] std::uint64_t stale_reads() const { return stale_reads_; }

 private:
  [[nodiscard]] Version of_all_above(workloads::PathId path) const;
  [[nodiscard]] Version refusal(const Request& read) const;
  [[nodiscard]] bool is_refused_still(const Request& read) const;

  const NamespaceState& state_;
  sim::FlatMap<Version> acknowledged_;
  sim::FlatMap<Version> below_;
  std::uint64_t levels_below_ = 0;  ///< the depths of its directories, as bits
  bool keeps_out_ = false;          ///< a directory that not everybody may pass was written
  std::uint64_t stale_reads_ = 0;
};

}  // namespace recirc::model::verify
