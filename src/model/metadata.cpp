#include "model/metadata.h"

namespace recirc::model {
namespace {

constexpr std::uint64_t directory_bit = 1;
constexpr unsigned mode_shift = 20;

}  // namespace

// Slot 0: type, who may read and pass, mode (what a switch needs to resolve a level), owner, group;
// slot 1: version; slot 2: access time; slots 3 and 4: size and replication of a file.
MetadataSlots to_slots(const Metadata& m) {
  const Permissions& p = m.permissions;
  return {(m.is_directory ? directory_bit : 0) | (std::uint64_t{m.readable_by} << 8) |
              (std::uint64_t{m.searchable_by} << 16) | (std::uint64_t{p.mode} << mode_shift) |
              (std::uint64_t{p.owner} << 32) | (std::uint64_t{p.group} << 48),
          m.version, m.access_time, m.size, m.replication};
}

Metadata from_slots(const MetadataSlots& slots) {
  Metadata m;
  m.is_directory = (slots[0] & directory_bit) != 0;
  m.readable_by = static_cast<std::uint8_t>(slots[0] >> 8 & 0xfU);
  m.searchable_by = static_cast<std::uint8_t>(slots[0] >> 16 & 0xfU);
  m.permissions.mode = static_cast<std::uint16_t>(slots[0] >> mode_shift & 0777U);
  m.permissions.owner = static_cast<std::uint16_t>(slots[0] >> 32);
  m.permissions.group = static_cast<std::uint16_t>(slots[0] >> 48);
  m.version = static_cast<Version>(slots[1]);
  m.access_time = slots[2];
  m.size = slots[3];
  m.replication = slots[4];
  return m;
}

Metadata metadata_with(bool is_directory, const Permissions& permissions) {
  Metadata m;
  m.is_directory = is_directory;
  m.permissions = permissions;
  m.readable_by = who_may(permissions, Access::read);
  m.searchable_by = is_directory ? who_may(permissions, Access::search) : std::uint8_t{0};
  m.replication = is_directory ? 0 : 1;
  return m;
}

}  // namespace recirc::model
