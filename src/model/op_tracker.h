#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/namespace_state.h"
#include "model/request.h"
#include "model/result.h"
#include "model/timeline.h"
#include "model/verify/version_floor.h"
#include "sim/histogram.h"
#include "workloads/op_source.h"

namespace recirc::model {

const char* name_of(Outcome outcome);

/// The single place where an operation begins, completes or fails.
class OpTracker {
 public:
  /// `state` must outlive it. `series_window`: results over time, too, a value a window.
  OpTracker(const NamespaceState& state, std::vector<workloads::Phase> phases,
            std::optional<sim::Duration> series_window = std::nullopt);

  /// The operation leaves its client now; reads get their version floor.
  void begin(Request& request, sim::Time now);
  /// Its answer has reached the client.
  void complete(Request& request, sim::Time now);
  /// It ended without an answer.
  void fail(const Request& request, sim::Time now);

  [[nodiscard]] std::uint64_t issued() const { return issued_; }
  [[nodiscard]] std::uint64_t completed() const { return completed_; }
  [[nodiscard]] std::uint64_t failed() const { return lost_.size(); }
  [[nodiscard]] std::uint64_t in_flight() const { return issued_ - completed() - failed(); }
  /// Time that clients spent waiting for answers that never came, up to the last completion.
  [[nodiscard]] sim::Duration time_lost() const;
  /// From the first issue to the last completion.
  [[nodiscard]] sim::Duration length() const;
  [[nodiscard]] std::uint64_t stale_reads() const { return floor_.stale_reads(); }
  /// When the last of the phase's operations completed, and when its first was issued.
  [[nodiscard]] sim::Duration phase_length(std::size_t phase) const;
  [[nodiscard]] std::size_t phase_of(std::uint64_t operation) const;

  void report(ReplicationResult& result) const;

 private:
  struct PhaseCount {
    workloads::Phase phase;
    std::uint64_t completed = 0;
    sim::Time first_issue{sim::Duration::max()};
    sim::Time last_completion{};
    sim::Histogram latency;
  };

  [[nodiscard]] sim::Histogram all_latencies() const;
  void report_time_parts(std::vector<Figure>& figures, double mean_latency) const;
  void report_by_kind_and_outcome(std::vector<Figure>& figures) const;

  verify::VersionFloor floor_;
  std::optional<Timeline> timeline_;
  std::vector<PhaseCount> phases_;
  /// One operation that ended without an answer.
  struct Wait {
    sim::Time issued;
    sim::Time given_up;
  };
  std::vector<Wait> lost_;
  std::uint64_t issued_ = 0;
  std::uint64_t completed_ = 0;
  std::uint64_t reads_issued_ = 0;
  std::uint64_t switch_answers_ = 0;
  sim::Time first_issue_{sim::Duration::max()};
  sim::Time last_completion_{};
  std::array<sim::Histogram, workloads::op_kind_count> by_kind_;
  std::array<sim::Histogram, outcome_count> by_outcome_;
  TimeParts parts_;
};

}  // namespace recirc::model
