#pragma once

#include <cstdint>

#include "sim/config.h"
#include "sim/time.h"

namespace recirc::model::nfs {

/// `/nfs`: clients of one NFS server.
struct NfsSettings {
  sim::Duration round_trip = sim::microseconds(80);
  std::uint32_t server_threads = 16;
  sim::Duration server_time = sim::microseconds(16);
  std::uint32_t semaphore_line_writes = 2;
};

void describe(sim::config::Visitor& v, NfsSettings& c);

}  // namespace recirc::model::nfs
