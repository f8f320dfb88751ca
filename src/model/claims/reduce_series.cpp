#include "model/claims/reduce_series.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

namespace recirc::model::claims {
namespace {

constexpr double end_s = 3;

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Calls `see(period, the period before)` for every pair of whole periods.
template <class See>
void each_period(const NamedSeries& series, double period_s, See see) {
  if (!(series.window_s > 0)) return;
  const auto length = static_cast<std::size_t>(period_s / series.window_s + 0.5);
  if (length == 0) return;
  const std::span<const double> values(series.values);
  for (std::size_t at = length; at + length <= values.size(); at += length) {
    see(values.subspan(at, length), values.subspan(at - length, length));
  }
}

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

}  // namespace

double shallowest_dip(const NamedSeries& series, double period_s) {
  double found = nothing;
  each_period(series, period_s, [&](auto period, auto before) {
    const double lowest = *std::min_element(period.begin(), period.end());
    const double dip = (lowest / mean(before) - 1) * 100;
    found = std::isnan(found) ? dip : std::max(found, dip);
  });
  return found;
}

double farthest_return(const NamedSeries& series, double period_s) {
  double found = nothing;
  each_period(series, period_s, [&](auto period, auto before) {
    const auto windows = std::clamp<std::size_t>(
        static_cast<std::size_t>(end_s / series.window_s + 0.5), 1, period.size());
    const double gap = (mean(period.last(windows)) / mean(before) - 1) * 100;
    found = std::isnan(found) ? std::abs(gap) : std::max(found, std::abs(gap));
  });
  return found;
}

}  // namespace recirc::model::claims
