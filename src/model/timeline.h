#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/request.h"
#include "model/result.h"
#include "sim/metrics.h"

namespace recirc::model {

/// What was completed over time: throughput, latency and hit ratio, a value a window.
class Timeline {
 public:
  /// Windows beyond this many are left out.
  static constexpr std::uint64_t most_windows = 1'000'000;

  explicit Timeline(sim::Duration window);

  void completed(const Request& request, sim::Time now);
  /// The windows that were over by `end`: a last one that was cut short would look slow.
  void report(sim::Time end, std::vector<NamedSeries>& series) const;

 private:
  sim::Series operations_;
  sim::Series latency_ps_;
  sim::Series reads_;
  sim::Series switch_answers_;
};

}  // namespace recirc::model
