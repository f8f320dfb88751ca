#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "model/experiment/engine.h"

namespace recirc::model::experiment {

/// What a load must not do to be sustained: lose an operation, fall behind, be slower than this.
struct SaturationGoal {
  double start = 100'000;        ///< the first rate that is tried, in operations a second
  double precision = 0.01;       ///< the bracket's width in the end, as a share of its rate
  std::optional<double> p99_us;  ///< largest 99th percentile of the latency
  bool random_arrivals = false;  ///< the rate of a run is random, too: three deviations are chance
};

/// One rate that was tried.
struct SaturationTrial {
  double rate = 0;
  bool sustained = false;
};

/// The highest rate found sustained and the lowest found not to be.
struct Saturation {
  std::optional<double> sustained;
  std::optional<double> lost;
  std::vector<SaturationTrial> trials;
};

/// Doubles or halves from the start until the edge is between two rates, then halves what is
/// between them. Assumes that a load above one that is not sustained is not either. Gives up
/// (leaving one end out) below one operation a second and above 10^12.
Saturation search_saturation(const SaturationGoal& goal,
                             const std::function<bool(double rate)>& is_sustained);

/// Was an open load of `rate` sustained? Every operation issued and answered, completions at most
/// `goal.precision` behind the rate, and the latency as wanted.
bool is_sustained(const ReplicationResult& result, double rate, const SaturationGoal& goal);

/// A search as a run of its own, so that replications, intervals and point files serve it as they
/// serve others: every replication searches with its own operations and tells the rate it found as
/// `saturation/...`, beside the figures of the run at that rate. `config` must be runnable with
/// open arrivals; periodic ones replace any other kind.
std::shared_ptr<const PreparedRun> saturation_of(const sim::config::Document& config,
                                                 const SaturationGoal& goal, const Engine& engine);

}  // namespace recirc::model::experiment
