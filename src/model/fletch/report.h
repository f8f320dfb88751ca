#pragma once

#include "model/fletch/parts.h"
#include "model/result.h"

namespace recirc::model::fletch {

/// Adds what a run's cache, controller and recoveries have counted, and what the switch holds now.
void report(const Parts& parts, const CacheSettings& cache, const Protection& protection,
            ReplicationResult& result);

/// Nothing is in flight: throws InvariantBroken if the switch holds what it should not, unless
/// packets were dropped on the way.
void check_idle(const Parts& parts);

}  // namespace recirc::model::fletch
