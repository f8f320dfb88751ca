#pragma once

#include <algorithm>

#include "model/config.h"

namespace recirc::model::testing {

/// The same world with its servers on that many pipes; with one as it is.
inline void spread_over_pipes(Config& config, std::uint32_t pipes) {
  if (pipes == 1) return;
  config.rmt_switch.server_pipes = pipes;
  config.cluster.server_machines = pipes;
  config.cluster.servers = std::max(config.cluster.servers, pipes);
  if (config.rmt_switch.cross_pipe == pipeline::CrossPipe::none) {
    config.rmt_switch.cross_pipe = pipeline::CrossPipe::cable;
  }
}

}  // namespace recirc::model::testing
