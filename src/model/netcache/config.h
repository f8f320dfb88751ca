#pragma once

#include <cstdint>
#include <optional>

#include "sim/config.h"
#include "sim/time.h"

namespace recirc::model::netcache {

/// `/netcache`: what system netcache has beside `/cache` and `/controller`.
struct NetCacheSettings {
  std::uint32_t items = 65'536;
  double sampling = 0.5;
  std::uint32_t samples = 8;
};

void describe(sim::config::Visitor& v, NetCacheSettings& c);

/// All that the scheme is built from.
struct Settings {
  NetCacheSettings own;
  std::uint64_t files = 0;      ///< cached when the run starts, the hottest
  std::optional<double> share;  ///< instead: this share of all paths in the cache at most
  bool admission = false;       ///< hot paths are admitted while the run goes on
  std::uint32_t threshold = 0;  ///< of the sketch
  sim::Duration reset_interval{};
  sim::Duration path_time{};  ///< the controller's own work for a path that it admits
  std::uint32_t waiting_reports = 0;
  sim::Duration grace{};  ///< from the removal of a lookup entry to the reuse of its item
};

}  // namespace recirc::model::netcache
