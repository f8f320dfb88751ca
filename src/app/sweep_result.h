#pragma once

#include <string>
#include <vector>

#include "app/report.h"
#include "model/experiment/engine.h"

namespace recirc::app {

/// One point of a sweep with the replications that are finished.
struct SweepPoint {
  std::string parameters;  ///< JSON text: {"/cluster/servers": 16}
  std::string config;      ///< effective configuration, JSON text
  std::uint64_t seed = 0;
  std::vector<model::ReplicationResult> replications;  ///< by number
  std::vector<model::experiment::Gain> gains;
};

/// Everything a sweep, or merged point files, say.
struct SweepResult {
  std::string sweep;  ///< its definition, as JSON text
  std::string build;
  bool complete = false;
  std::vector<SweepPoint> points;
};

/// Finds each point's partner for the baseline the sweep names, and states the gains.
void compare_with_baseline(SweepResult& result);

std::vector<ReportEntry> entries_of(const SweepResult& result);
/// The table for people, with its notes.
std::string table_of(const SweepResult& result);
model::experiment::Json document_of(const SweepResult& result);
/// Long format: a line a point and figure: the parameters, figure, mean, half-width, count.
std::string csv_of(const SweepResult& result);

}  // namespace recirc::app
