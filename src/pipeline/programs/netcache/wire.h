#pragma once

#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "pipeline/packet.h"
#include "pipeline/programs/addresses.h"

namespace recirc::pipeline::programs::netcache {

/// A metadata record is at most five slots of eight bytes. A value may have sixteen (NetCache:
/// 128 bytes), so that three records share a row.
inline constexpr unsigned max_slots = 5;
inline constexpr unsigned slot_bytes = 8;
/// The key of a request: of the whole path.
inline constexpr unsigned key_bytes = 16;

enum class Kind : std::uint8_t {
  read_request,
  write_request,
  answer,         ///< to a client, by server or switch
  cached_answer,  ///< of a server, to a write of a cached item
  ack,            ///< to the server that sent a cached answer
  report,         ///< to the controller: this path is hot
  control,        ///< between controller and servers
};

/// Bits of Header::flags.
enum Flag : std::uint8_t {
  hit = 1,      ///< answered by the switch: the header holds the record
  invalid = 2,  ///< a read of a cached item that a write has invalidated
  cached = 4,   ///< a write of a cached item, which is invalid now
  reported = 8  ///< this read made its path hot
};

/// What a write's answer does to the cached item.
enum class Effect : std::uint8_t {
  update,    ///< new value, and the item is valid
  validate,  ///< the write failed: the item is valid
  retract,   ///< the path is gone: the item stays invalid until the controller has evicted it
};

/// The wire header, in this order without padding on the wire.
struct Header {
  Addresses addresses;
  Kind kind = Kind::control;
  std::uint8_t flags = 0;
  Effect effect = Effect::update;
  std::uint8_t code = 0;  ///< of control messages: what they ask; switches do not look at it
  /// Stands for the text of the path, which lies behind the header: switches never look at it.
  std::uint32_t path = 0;
  /// Stands for the 16 bytes on the wire: two paths with the same 64 bits do not occur.
  std::uint64_t key = 0;
  std::array<std::uint64_t, max_slots> slots{};

  [[nodiscard]] bool has(Flag flag) const { return (flags & flag) != 0; }
  void set(Flag flag) { flags = static_cast<std::uint8_t>(flags | flag); }
  /// Turns a request into its answer, and an answer into its acknowledgement.
  void turn_around() { std::swap(addresses.source, addresses.destination); }
};
static_assert(std::is_trivially_copyable_v<Header> && sizeof(Header) <= Packet::header_bytes);

/// Where a cached item lies: what the lookup tables return.
struct Location {
  std::uint16_t item = 0;   ///< entry of validity, length and hit counter
  std::uint16_t row = 0;    ///< entry of the value arrays
  std::uint16_t slots = 0;  ///< which of the row's 16 slots
};

}  // namespace recirc::pipeline::programs::netcache
