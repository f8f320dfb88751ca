#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/flat_map.h"
#include "sim/time.h"
#include "workloads/namespace.h"
#include "workloads/operation.h"

namespace recirc::model::fletch {

/// The writes that the switch may acknowledge before their server has them: those that change
/// attributes of one path. Others need the namespace.
constexpr bool is_deferrable(const workloads::Operation& operation) {
  using workloads::OpKind;
  return !operation.recursive &&
         (operation.kind == OpKind::chmod || operation.kind == OpKind::chown ||
          operation.kind == OpKind::utime);
}

/// Writes whose clients have heard that they are done, and whose servers have not carried them out:
/// what is lost when the switch crashes, or what it has sent on does not arrive.
class WritesAtRisk {
 public:
  /// The client has heard the switch.
  void acknowledged(const workloads::Operation& write, sim::Time now) {
    ++early_;
    if (committed_.find(write.index) != nullptr) {  // its server was faster than the message
      committed_.erase(write.index);
      return;
    }
    acknowledged_[write.index] = true;
    Path& path = by_path_[write.path.value()];
    ++path.writes;
    path.last = now;
    change(1, now);
  }
  void committed(const workloads::Operation& write, bool carried_out, sim::Time now) {
    if (!carried_out) ++refused_;
    if (acknowledged_.find(write.index) == nullptr) {
      committed_[write.index] = true;
      return;
    }
    acknowledged_.erase(write.index);
    if (--by_path_[write.path.value()].writes == 0) by_path_.erase(write.path.value());
    change(-1, now);
  }
  /// Clients had heard of a write of this path before `then`, and its server has not got to it:
  /// no read that was issued then may hit the record.
  [[nodiscard]] bool hides(workloads::PathId path, sim::Time then) const {
    const Path* at_risk = by_path_.find(path.value());
    return at_risk != nullptr && at_risk->last <= then;
  }

  [[nodiscard]] std::uint64_t early() const { return early_; }
  /// Acknowledged, and then refused by their servers.
  [[nodiscard]] std::uint64_t refused() const { return refused_; }
  [[nodiscard]] std::int64_t now() const { return count_; }
  [[nodiscard]] std::int64_t most() const { return most_; }
  /// Mean over the time until now.
  [[nodiscard]] double mean(sim::Time end) const {
    if (end == sim::Time{}) return 0;
    const double held =
        sim::as_seconds(sum_) + static_cast<double>(count_) * sim::as_seconds(end - since_);
    return held / sim::as_seconds(end - sim::Time{});
  }

 private:
  struct Path {
    std::uint32_t writes = 0;  ///< at risk
    sim::Time last{};          ///< when a client heard of one
  };

  void change(std::int64_t by, sim::Time now) {
    sum_ += count_ * (now - since_);
    since_ = now;
    count_ += by;
    most_ = std::max(most_, count_);
  }

  sim::FlatMap<bool> acknowledged_;  ///< operations at risk
  sim::FlatMap<bool> committed_;     ///< operations whose clients are still to hear
  sim::FlatMap<Path> by_path_;
  std::int64_t count_ = 0;
  std::int64_t most_ = 0;
  sim::Duration sum_{};
  sim::Time since_{};
  std::uint64_t early_ = 0;
  std::uint64_t refused_ = 0;
};

}  // namespace recirc::model::fletch
