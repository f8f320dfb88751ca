#pragma once

#include <cstdint>

#include "model/fletch/desk.h"

namespace recirc::model::fletch {

/// The cache in the switch beside what the servers hold, when nothing is in flight any more.
struct Audit {
  std::uint64_t unreadable = 0;  ///< records whose flag is zero: their reads go to the server
  std::uint64_t different = 0;   ///< readable ones that are not the server's metadata
  std::uint64_t misplaced = 0;   ///< paths that the lookup tables do not lead to their records
};
[[nodiscard]] Audit audit(const Desk& desk);

/// The sum of all lock counters, writes that wait for them included.
[[nodiscard]] std::uint64_t locks_held(const Desk& desk);

}  // namespace recirc::model::fletch
