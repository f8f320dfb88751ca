#pragma once

#include <cstdint>

#include "sim/config.h"
#include "sim/time.h"

namespace recirc::model::local_fs {

/// `/local_fs`: what ext4 and tmpfs differ in.
struct LocalFsSettings {
  sim::Duration write = sim::nanoseconds(515);
  sim::Duration append = sim::nanoseconds(3'400);
  sim::Duration truncate = sim::nanoseconds(5'600);
  sim::Duration fsync = sim::microseconds(85);
  std::uint32_t read_line_writes = 2;

  static LocalFsSettings ext4() { return {}; }
  static LocalFsSettings tmpfs() {
    return {sim::nanoseconds(446), sim::nanoseconds(2'100), sim::nanoseconds(2'500),
            sim::nanoseconds(150), 4};
  }
};

void describe(sim::config::Visitor& v, LocalFsSettings& c);

}  // namespace recirc::model::local_fs
