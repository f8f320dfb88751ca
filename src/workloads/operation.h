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

/// Who asks. At the start everything belongs to `owner`; `member` is of its group, `stranger` is
/// neither.
enum class Caller : std::uint8_t { owner, member, stranger };
inline constexpr std::size_t caller_count = 3;

/// What a chmod or chown sets. What is not given stays as it is; a chmod or chown that gives
/// nothing writes the same attributes again, which is a new version of the record.
struct Attributes {
  static constexpr std::uint16_t unset = 0xffff;
  std::uint16_t mode = unset;   ///< nine permission bits
  std::uint16_t owner = unset;  ///< number of a Caller
  std::uint16_t group = unset;  ///< 0: that of owner and member; 1: that of stranger
  bool operator==(const Attributes&) const = default;
};

/// One request of a workload.
struct Operation {
  std::uint64_t index = 0;  ///< its number in the run
  OpKind kind = OpKind::stat;
  bool allowed = true;     ///< false: recorded as denied, replayed as asked by a stranger
  bool recursive = false;  ///< chmod or chown of a directory and of all below it
  Caller caller = Caller::owner;
  Attributes set;
  PathId path;
  PathId destination;  ///< rename in a trace; none: a fresh name beside the path
};

}  // namespace recirc::workloads
