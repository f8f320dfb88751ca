#pragma once

#include <array>
#include <cstdint>

#include "workloads/operation.h"

namespace recirc::model {

/// Whose permission a request carries. Two classes are enough to replay a denial: `stranger` may
/// pass through directories as they are at the start, but read nothing.
enum class UserClass : std::uint8_t { owner = 1, stranger = 2 };

/// A version of a path's metadata: it grows with every committed write to that path.
using Version = std::uint32_t;

/// The metadata record of a file or directory. The fields common to both take 24 bytes, a file
/// has 16 more (Fletch §III); they are kept as 8-byte slots, the unit of the switch's value store.
struct Metadata {
  static constexpr unsigned directory_slots = 3;
  static constexpr unsigned file_slots = 5;

  bool is_directory = false;
  std::uint8_t readable_by = 0;    ///< bit set of UserClass
  std::uint8_t searchable_by = 0;  ///< bit set of UserClass: may pass through
  std::uint16_t owner = 0;
  std::uint16_t group = 0;
  Version version = 0;  ///< stands for the modification time
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

/// What every path has before the run changes it.
Metadata initial_metadata(bool is_directory);

/// No workload tells access times. Each path's record has a number of its own there, so that an
/// answer with another path's record is noticed.
constexpr std::uint64_t mark_of(workloads::PathId path) { return path.value(); }

constexpr bool may(std::uint8_t allowed, UserClass user) {
  return (allowed & static_cast<std::uint8_t>(user)) != 0;
}

}  // namespace recirc::model
