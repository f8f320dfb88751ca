#pragma once

#include <array>
#include <cstdint>

#include "model/permissions.h"
#include "workloads/operation.h"

namespace recirc::model {

/// A version of a path's metadata: the number of the commit, counted over all paths, that made it
/// what it is. It stands for the modification time.
using Version = std::uint32_t;

/// The metadata record of a file or directory. The fields common to both take 24 bytes, a file
/// has 16 more (Fletch §III); they are kept as 8-byte slots, the unit of the switch's value store.
struct Metadata {
  static constexpr unsigned directory_slots = 3;
  static constexpr unsigned file_slots = 5;

  bool is_directory = false;
  std::uint8_t readable_by = 0;    ///< bit set of UserClass, as `permissions` tell
  std::uint8_t searchable_by = 0;  ///< bit set of UserClass: may pass through
  Permissions permissions;
  Version version = 0;
  std::uint64_t access_time = 0;
  std::uint64_t size = 0;         ///< files only, bytes
  std::uint64_t replication = 0;  ///< files only

  [[nodiscard]] unsigned slots() const { return is_directory ? directory_slots : file_slots; }
  bool operator==(const Metadata&) const = default;
};

/// The record as the slots that the switch stores; directories leave the last two unused.
using MetadataSlots = std::array<std::uint64_t, Metadata::file_slots>;
MetadataSlots to_slots(const Metadata& metadata);
Metadata from_slots(const MetadataSlots& slots);

/// A record with these permissions and what the switch checks of them.
Metadata metadata_with(bool is_directory, const Permissions& permissions);
/// What every path has before the run changes it.
inline Metadata initial_metadata(bool is_directory) {
  return metadata_with(is_directory, {first_mode(is_directory), 0, 0});
}

/// No workload tells access times. Each path's record has a number of its own there, so that an
/// answer with another path's record is noticed.
constexpr std::uint64_t mark_of(workloads::PathId path) { return path.value(); }

}  // namespace recirc::model
