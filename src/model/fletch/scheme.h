#pragma once

#include <memory>

#include "model/cluster_config.h"
#include "model/fletch/config.h"
#include "model/scheme.h"
#include "model/topology.h"

namespace recirc::model::fletch {

/// Metadata cache in the switch, path by path, kept consistent by counters and validation flags
/// (Fletch §III-VI). The program runs in the servers' pipe.
std::unique_ptr<Scheme> make_fletch(const CacheSettings& cache,
                                    const ControllerSettings& controller,
                                    const NetworkSettings& network, const Topology& topology,
                                    Mutants mutants = {}, const Protection& protection = {},
                                    const TokenSettings& tokens = {});

/// Fletch with one array of lock counters for all levels (Fletch §IX-C, Table II).
std::unique_ptr<Scheme> make_single_lock(const CacheSettings& cache,
                                         const ControllerSettings& controller,
                                         const NetworkSettings& network, const Topology& topology,
                                         const Protection& protection = {},
                                         const TokenSettings& tokens = {});

}  // namespace recirc::model::fletch
