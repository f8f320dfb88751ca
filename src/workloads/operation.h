#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/ids.h"
#include "sim/time.h"

namespace recirc::workloads {

/// A path of a namespace. Ids are dense: 0 is the root.
using PathId = sim::Id<struct PathTag>;

/// The metadata operations of the papers.
enum class OpKind : std::uint8_t {
  open,
  close,
  stat,
  statdir,
  readdir,
  create,
  remove,  ///< "delete" in configs and reports
  mkdir,
  rmdir,
  rename,
  chmod,
  chown,
  utime,
};
inline constexpr std::size_t op_kind_count = 13;

/// Their names in configs, traces and reports, by OpKind.
inline constexpr std::array<std::string_view, op_kind_count> op_kind_names = {
    "open",  "close", "stat",   "statdir", "readdir", "create", "delete",
    "mkdir", "rmdir", "rename", "chmod",   "chown",   "utime"};

constexpr std::string_view name_of(OpKind kind) {
  return op_kind_names[static_cast<std::size_t>(kind)];
}

/// Reads may be answered by a cache; everything else changes metadata and goes to the server.
/// close counts as a read: without file data it updates nothing (Fletch §IX-A).
constexpr bool is_read(OpKind kind) { return kind <= OpKind::readdir; }

/// rename, delete and rmdir are placed at the end of a mix (Fletch §IX-A).
constexpr bool is_destructive(OpKind kind) {
  return kind == OpKind::remove || kind == OpKind::rmdir || kind == OpKind::rename;
}

/// One request of a workload.
struct Operation {
  std::uint64_t index = 0;  ///< its number in the run
  OpKind kind = OpKind::stat;
  bool allowed = true;  ///< false: recorded as denied, replayed as failing its permission check
  PathId path;
  PathId destination;  ///< rename in a trace; none: a fresh name beside the path
};

}  // namespace recirc::workloads
