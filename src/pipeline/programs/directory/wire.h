#pragma once

#include <cstdint>
#include <type_traits>

#include "pipeline/packet.h"
#include "pipeline/programs/addresses.h"

namespace recirc::pipeline::programs::directory {

/// Nodes are bits of a list of sharers: endpoints 0 to 15.
inline constexpr unsigned most_nodes = 16;

/// | message | from | to | says |
/// |---|---|---|---|
/// | read_request, write_request | node | directory | `requester` wants `page` |
/// | grant | directory | node | all others have given up what they had to |
/// | nack | directory | node | ask again |
/// | invalidation | directory | node | give up region `page >> region_bits`; `kind_of` says what |
/// | data | node | requester, and a copy to memory | the page that was wanted |
/// | dummy | node | directory | the same, but it is not here: memory is asked instead |
/// | passthrough | node | memory | another page of the region |
/// | fin_ack | node | directory | the region is given up, as the invalidation said |
/// | evict | node | directory | the same, without being told |
/// | fetch | directory | memory | `requester` wants `page` |
/// | page | memory | requester | here it is |
enum class Kind : std::uint8_t {
  read_request,
  write_request,
  grant,
  nack,
  invalidation,
  data,
  dummy,
  passthrough,
  fin_ack,
  evict,
  fetch,
  page,
};

/// Bits of Header::flags.
enum Flag : std::uint8_t {
  second_pass = 1,     ///< the entry is claimed, and the rest of the header says what becomes of it
  give_up_copies = 2,  ///< of an invalidation: not only the right to write
  data_wanted = 4,     ///< of an invalidation: the requester waits for the page from here
  for_memory = 8,      ///< translated next
};

/// The wire header, and behind `entry` what the first pass leaves for the second one.
struct Header {
  Addresses addresses;
  Kind kind = Kind::read_request;
  std::uint8_t flags = 0;
  std::uint8_t region_bits = 0;  ///< a region has 2^region_bits pages
  std::uint8_t node = 0;         ///< bit of the sender
  std::uint16_t requester = 0;   ///< endpoint
  std::uint16_t entry = 0;
  std::uint64_t page = 0;     ///< number in the shared address space
  std::uint16_t sharers = 0;  ///< that the entry will have
  std::uint16_t targets = 0;  ///< who must give something up
  std::uint8_t next = 0;      ///< State
  std::uint8_t actions = 0;   ///< Action

  [[nodiscard]] bool has(Flag flag) const { return (flags & flag) != 0; }
  void set(Flag flag) { flags = static_cast<std::uint8_t>(flags | flag); }
  void clear(Flag flag) { flags = static_cast<std::uint8_t>(flags & ~flag); }
};
static_assert(std::is_trivially_copyable_v<Header> && sizeof(Header) <= Packet::header_bytes);

/// What the lookup tables return.
struct Entry {
  std::uint16_t number = 0;
  std::uint8_t region_bits = 0;
};

}  // namespace recirc::pipeline::programs::directory
