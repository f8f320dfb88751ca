#pragma once

#include <cstdint>
#include <string>

namespace recirc::model {

/// Where a run's controller writes its log, and whose it is.
struct LogPlace {
  std::string file;  ///< empty: nowhere, it stays in memory
  std::string system;
  std::uint64_t seed = 0;
  std::uint64_t replication = 0;
};

}  // namespace recirc::model
