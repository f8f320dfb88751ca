#pragma once

#include <cstdint>

#include "sim/config.h"
#include "sim/time.h"

namespace recirc::model::cephfs {

/// `/cephfs`: clients, object stores, the metadata server and its locks.
struct CephfsSettings {
  sim::Duration read = sim::microseconds(570);
  sim::Duration write = sim::microseconds(1000);
  sim::Duration page_time = sim::nanoseconds(1'310);
  std::uint32_t stores = 48;
  std::uint32_t store_threads = 6;
  std::uint32_t placement_groups = 2048;
  sim::Duration write_gap = sim::microseconds(10);
  std::uint32_t object_pages = 1024;
  sim::Duration revoke = sim::milliseconds(1);
  sim::Duration mds_round_trip = sim::microseconds(340);
  sim::Duration mds_time = sim::microseconds(100);
  sim::Duration append = sim::nanoseconds(2'100);
};

void describe(sim::config::Visitor& v, CephfsSettings& c);

}  // namespace recirc::model::cephfs
