#pragma once

#include <cstdint>
#include <optional>

#include "model/callosal/faults.h"
#include "model/callosal/splitting.h"
#include "model/callosal/store_config.h"
#include "pipeline/programs/directory/program.h"
#include "sim/config.h"
#include "sim/time.h"
#include "sim/units.h"

namespace recirc::model::callosal {

/// `/callosal`: the nodes of Callosal on MIND.
struct CallosalSettings {
  pipeline::programs::directory::GrantPolicy grant =
      pipeline::programs::directory::GrantPolicy::wait_all;
  pipeline::programs::directory::ConflictPolicy conflict =
      pipeline::programs::directory::ConflictPolicy::nack_backoff;
  bool inode_locks = true;
  std::uint32_t region_pages = 4;
  Splitting splitting;
  std::uint32_t directory_entries = pipeline::programs::directory::default_capacity;
  std::uint32_t local_batch = 1;
  std::uint32_t cache_pages = 0;
  std::uint32_t evict_above = 85;
  sim::Duration version_check = sim::nanoseconds(20);
  sim::Duration post = sim::microseconds(1);
  sim::Duration install = sim::microseconds(1);
  sim::Duration pick_up = sim::nanoseconds(500);
  sim::Duration serve = sim::microseconds(3);
  sim::Duration back_off = sim::microseconds(50);
  std::uint32_t longest_back_off = 4;
  sim::Duration back_off_jitter = sim::microseconds(50);
  std::optional<sim::Duration> mtime;
  std::uint32_t blades = 1;
  sim::Duration blade_read = sim::nanoseconds(1200);
  sim::BitsPerSecond blade_bandwidth = sim::gigabits_per_second(100);
  StoreChoice store;
  bool write_back = false;
  std::uint32_t dirty_background = 13'107;
  std::uint32_t dirty_limit = 26'214;
  InitialPages initial_pages = InitialPages::preloaded;
  sim::Duration host_delay = sim::nanoseconds(600);
  TransportKind transport = TransportKind::lossless;
  sim::Duration resend_after = sim::microseconds(500);
  FaultSettings faults;
  sim::Duration repair_time_out = sim::seconds(2);
  Mutants mutants;
};

void describe(sim::config::Visitor& v, CallosalSettings& c);
void validate(const CallosalSettings& c, sim::config::Issues& issues);

}  // namespace recirc::model::callosal
