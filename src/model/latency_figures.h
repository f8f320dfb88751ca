#pragma once

#include <string>
#include <vector>

#include "model/result.h"
#include "sim/histogram.h"

namespace recirc::model {

/// Mean, median, 95th and 99th percentile of a histogram of picoseconds, as figures in
/// microseconds: "<prefix>latency_mean_us", …
void add_quantiles(std::vector<Figure>& figures, const std::string& prefix,
                   const sim::Histogram& latency);

/// Those of all operations of a run, and how long the longest took.
void add_latencies(std::vector<Figure>& figures, const sim::Histogram& latency);

}  // namespace recirc::model
