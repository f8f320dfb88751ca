#include "model/metadata.h"

namespace recirc::model {
namespace {

constexpr std::uint64_t directory_bit = 1;

}  // namespace

// Slot 0: type, permission, owner, group (what a switch needs to resolve a level);
// slot 1: version; slot 2: access time; slots 3 and 4: size and replication of a file.
MetadataSlots to_slots(const Metadata& m) {
  return {(m.is_directory ? directory_bit : 0) | (std::uint64_t{m.readable_by} << 8) |
              (std::uint64_t{m.searchable_by} << 16) | (std::uint64_t{m.owner} << 32) |
              (std::uint64_t{m.group} << 48),
          m.version, m.access_time, m.size, m.replication};
}

Metadata from_slots(const MetadataSlots& slots) {
  Metadata m;
  m.is_directory = (slots[0] & directory_bit) != 0;
  m.readable_by = static_cast<std::uint8_t>(slots[0] >> 8);
  m.searchable_by = static_cast<std::uint8_t>(slots[0] >> 16);
  m.owner = static_cast<std::uint16_t>(slots[0] >> 32);
  m.group = static_cast<std::uint16_t>(slots[0] >> 48);
  m.version = static_cast<Version>(slots[1]);
  m.access_time = slots[2];
  m.size = slots[3];
  m.replication = slots[4];
  return m;
}

Metadata initial_metadata(bool is_directory) {
  constexpr auto owner = static_cast<std::uint8_t>(UserClass::owner);
  constexpr auto stranger = static_cast<std::uint8_t>(UserClass::stranger);
  Metadata m;
  m.is_directory = is_directory;
  m.readable_by = owner;
  m.searchable_by = is_directory ? owner | stranger : 0;
  m.replication = is_directory ? 0 : 1;
  return m;
}

}  // namespace recirc::model
