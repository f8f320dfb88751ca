#include "sim/metrics.h"

namespace recirc::sim {

MetricsSnapshot Metrics::snapshot(Time now) const {
  MetricsSnapshot result;
  result.at = now;
  result.counters.reserve(counters_.size());
  for (const auto& named : counters_) result.counters.push_back(named.metric->value());
  result.integrals.reserve(levels_.size());
  for (const auto& named : levels_) result.integrals.push_back(named.metric->integral(now));
  return result;
}

std::vector<Metrics::Value> Metrics::between(const MetricsSnapshot& from,
                                             const MetricsSnapshot& to) const {
  std::vector<Value> result;
  result.reserve(counters_.size() + levels_.size());
  for (std::size_t i = 0; i < counters_.size(); ++i) {
    result.push_back(
        {counters_[i].name, static_cast<double>(to.counters[i] - from.counters[i]), true});
  }
  const auto length = static_cast<double>((to.at - from.at).count());
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    const auto area = static_cast<double>(to.integrals[i] - from.integrals[i]);
    result.push_back({levels_[i].name, length > 0 ? area / length : 0.0, false});
  }
  return result;
}

}  // namespace recirc::sim
