#pragma once

#include <cstdint>

#include "sim/config.h"
#include "sim/time.h"

namespace recirc::model::cephfs {

/// `/cephfs`: clients, object stores and their locks.
struct CephfsSettings {
  sim::Duration read = sim::microseconds(570);
  sim::Duration write = sim::microseconds(1000);
  std::uint32_t stores = 48;
  std::uint32_t store_threads = 6;
  sim::Duration revoke = sim::milliseconds(1);
  std::uint32_t object_pages = 1024;
};

void describe(sim::config::Visitor& v, CephfsSettings& c);

}  // namespace recirc::model::cephfs
