#pragma once

#include <cstdint>

#include "model/cluster_config.h"
#include "sim/rng.h"
#include "workloads/config.h"

namespace recirc::model {

// The layout of a run: which server owns a path, and which files are the popular ones. `rng` is
// the replication's, so that a layout of its own is a pure function of (seed, replication).

/// Seed of the ring: the configuration's, or one of this replication's own.
std::uint64_t ring_seed(const workloads::WorkloadConfig& workload, const ClusterSettings& cluster,
                        const sim::RngFactory& rng);
/// Seed of the shuffled placement: likewise.
std::uint64_t placement_seed(const workloads::WorkloadConfig& workload, const sim::RngFactory& rng);

}  // namespace recirc::model
