#pragma once

#include <cstdint>

#include "model/cluster_config.h"
#include "model/fletch/clients.h"
#include "model/fletch/config.h"
#include "model/fletch/desk.h"
#include "model/fletch/servers.h"

namespace recirc::model::fletch {

/// What the cache held when the run started.
struct Preloaded {
  std::uint64_t files = 0;     ///< hot files in the cache
  std::uint64_t entries = 0;   ///< with their ancestors
  std::uint64_t left_out = 0;  ///< hot files that had no room, or cannot be cached
};

/// How many paths the cache may hold, by its settings.
std::uint64_t most_entries(const CacheSettings& cache, const workloads::Namespace& tree);

/// Fills the cache with the root and the hottest files and their ancestors, at no cost in time
/// (Fletch §IX-A: before each experiment).
Preloaded preload(Desk& desk, Servers& servers, Clients& clients, const CacheSettings& cache,
                  const NetworkSettings& network);

}  // namespace recirc::model::fletch
