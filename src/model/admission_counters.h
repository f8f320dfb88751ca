#pragma once

#include <cstdint>

#include "model/result.h"
#include "sim/time.h"

namespace recirc::model {

/// What a controller has done that admits hot paths into a cache in the switch.
struct AdmissionCounters {
  std::uint64_t reports = 0;            ///< hot paths that the switch reported
  std::uint64_t repeated_reports = 0;   ///< of paths that wait already, or are cached
  std::uint64_t dropped_reports = 0;    ///< too many were waiting
  std::uint64_t admissions = 0;         ///< paths admitted, ancestors counted
  sim::Duration admission_time{};       ///< from the fetch to the message that lets writes go on
  std::uint64_t missing_paths = 0;      ///< reported, but not there any more
  std::uint64_t colder_newcomers = 0;   ///< not admitted: all candidates for eviction were hotter
  std::uint64_t evictions = 0;          ///< paths evicted, for whatever reason
  std::uint64_t evictions_of_gone = 0;  ///< of them, after a delete or a rename
};

/// Adds the figures `controller/...` that these are.
void report_admissions(const AdmissionCounters& counted, ReplicationResult& result);

}  // namespace recirc::model
