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
  sim::Duration page_time = sim::nanoseconds(330);
  sim::Duration commit = sim::microseconds(50);
  std::uint32_t largest_request = 256;
  sim::Duration attributes_min = sim::seconds(3);
  sim::Duration attributes_max = sim::seconds(60);
  sim::Duration append = sim::nanoseconds(2'100);
  std::uint32_t semaphore_line_writes = 2;
};

void describe(sim::config::Visitor& v, NfsSettings& c);
void validate(const NfsSettings& c, sim::config::Issues& issues);

}  // namespace recirc::model::nfs
