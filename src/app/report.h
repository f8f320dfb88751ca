#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/experiment/reduce.h"

namespace recirc::app {

/// One configuration in a table for people.
struct ReportEntry {
  std::string label;
  std::vector<std::string> parameters;  ///< of a sweep: one a column
  std::vector<model::experiment::Estimate> estimates;
  std::vector<model::experiment::Gain> gains;  ///< empty: it is the baseline, or there is none
};

/// A table with a row a figure and a column an entry: for few entries.
std::string figure_table(std::span<const ReportEntry> entries, const std::string& baseline);

/// A table with a row an entry and a column a figure: for a sweep.
std::string sweep_table(std::span<const ReportEntry> entries,
                        std::span<const std::string> parameter_names, bool with_gain);

/// What a reader has to know to trust the figures: operations that failed, leaked locks, clients
/// that were the bottleneck. One sentence a line, each with the entries it is about.
std::string notes(std::span<const ReportEntry> entries);

}  // namespace recirc::app
