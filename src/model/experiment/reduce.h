#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/result.h"
#include "sim/statistics.h"

namespace recirc::model::experiment {

/// One figure over the replications of a configuration.
struct Estimate {
  std::string name;
  Figure::Kind kind = Figure::Kind::real;
  sim::Interval interval;  ///< of a flag: mean 1 when it was true in any replication
};

/// Means and 95 % intervals of figures, in the order of the first replication that has them. A
/// figure that only some replications have is the mean over those; a count is 0 in the others.
std::vector<Estimate> reduce(std::span<const std::vector<Figure>> replications);
std::vector<Estimate> reduce_summaries(std::span<const ReplicationResult> replications);

/// The estimate called `name`, or nullptr.
const Estimate* find(std::span<const Estimate> estimates, std::string_view name);
const Figure* find(std::span<const Figure> figures, std::string_view name);

/// The figures of which a comparison states the gain, and whether more of it is better.
struct ComparedFigure {
  const char* name;
  bool more_is_better;
};
std::span<const ComparedFigure> compared_figures();

/// How one configuration compares with another, replication by replication.
struct Gain {
  std::string name;        ///< of the figure
  sim::Interval interval;  ///< of its ratio to the baseline's, minus 1: 0.25 is 25 % more
};

/// Pairs replication i of both (they see the same operations). Figures that are missing or zero in
/// some replication are left out, and so are replications that only one side has.
std::vector<Gain> paired_gains(std::span<const ReplicationResult> ours,
                               std::span<const ReplicationResult> baseline);

}  // namespace recirc::model::experiment
