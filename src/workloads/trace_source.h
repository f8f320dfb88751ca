#pragma once

#include <cstdint>
#include <memory>

#include "workloads/op_source.h"
#include "workloads/trace/trace.h"

namespace recirc::workloads {

/// The requests of a trace, from its start again as often as needed.
///
/// A later pass meets the world that the passes before it left: what they deleted is gone, and
/// requests for it end as "missing", which the model counts.
class TraceSource final : public OpSource {
 public:
  /// `operations` is the length of the run, 0 for one pass. `speed` divides recorded times; it is
  /// rounded to a millionth, 1e-6 to 1e6. Throws InputOutputError if the trace is empty.
  explicit TraceSource(std::shared_ptr<const trace::Trace> trace, std::uint64_t operations = 0,
                       double speed = 1);

  [[nodiscard]] std::uint64_t size() const override { return size_; }
  [[nodiscard]] Operation at(std::uint64_t i) const override;
  [[nodiscard]] std::vector<Phase> phases() const override;
  /// Throws InputOutputError if the recorded times, all passes together and divided by the speed,
  /// do not fit simulated time (106 days). Call it before replaying at recorded times.
  void require_recorded_times() const;
  /// Saturates where require_recorded_times() would throw. A pass starts one mean gap after the
  /// last request of the pass before it.
  [[nodiscard]] std::optional<sim::Duration> recorded_time(std::uint64_t i) const override;
  /// Files that exist at the start only; equally hot ones in the order in which they appear.
  [[nodiscard]] std::vector<PathId> hottest(std::uint64_t n) const override;

  [[nodiscard]] const InternedTree& tree() const { return trace_->tree; }
  [[nodiscard]] const trace::TraceSummary& summary() const { return trace_->summary; }

 private:
  [[nodiscard]] __int128 recorded_picoseconds(std::uint64_t i) const;

  std::shared_ptr<const trace::Trace> trace_;
  std::uint64_t size_;

  std::uint64_t speed_ppm_ = 0;  ///< speed in millionths
  std::uint64_t period_ns_ = 0;  ///< from the start of a pass to that of the next
};

}  // namespace recirc::workloads
