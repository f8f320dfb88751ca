#include "model/timeline.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace recirc::model {
namespace {

/// The ratio of two series, window by window; no number where the lower one is 0.
std::vector<double> ratio(const sim::Series& above, const sim::Series& below, double scale,
                          std::size_t windows) {
  std::vector<double> values(windows, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t w = 0; w < std::min(windows, below.sums().size()); ++w) {
    if (below.sums()[w] == 0) continue;
    const std::uint64_t sum = w < above.sums().size() ? above.sums()[w] : 0;
    values[w] = static_cast<double>(sum) / static_cast<double>(below.sums()[w]) * scale;
  }
  return values;
}

}  // namespace

Timeline::Timeline(sim::Duration window)
    : operations_(window), latency_ps_(window), reads_(window), switch_answers_(window) {}

void Timeline::completed(const Request& request, sim::Time now) {
  const auto window = static_cast<std::uint64_t>(now.time_since_epoch() / operations_.window());
  if (window >= most_windows) return;
  operations_.add(now);
  latency_ps_.add(now, static_cast<std::uint64_t>((now - request.issued).count()));
  if (!workloads::is_read(request.operation.kind)) return;
  reads_.add(now);
  if (request.answered_by_switch) switch_answers_.add(now);
}

void Timeline::report(sim::Time end, std::vector<NamedSeries>& series) const {
  const double window_s = sim::as_seconds(operations_.window());
  const auto over = static_cast<std::uint64_t>(end.time_since_epoch() / operations_.window());
  const auto windows = static_cast<std::size_t>(std::min(over, most_windows));
  std::vector<double> throughput(windows, 0.0);
  for (std::size_t w = 0; w < std::min(windows, operations_.sums().size()); ++w) {
    throughput[w] = static_cast<double>(operations_.sums()[w]) / window_s;
  }
  series.push_back({"throughput", "operations/s", window_s, std::move(throughput)});
  series.push_back(
      {"latency_mean", "us", window_s, ratio(latency_ps_, operations_, 1e-6, windows)});
  series.push_back(
      {"switch_hit_ratio", "1", window_s, ratio(switch_answers_, reads_, 1.0, windows)});
}

}  // namespace recirc::model
