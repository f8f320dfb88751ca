#pragma once

#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "pipeline/packet.h"
#include "pipeline/programs/addresses.h"

namespace recirc::pipeline::programs::fletch {

/// The parser takes ten keys: the root's and those of nine levels (Fletch §VIII).
inline constexpr unsigned max_keys = 10;
inline constexpr unsigned deepest_level = max_keys - 1;
/// A record is at most five slots of eight bytes.
inline constexpr unsigned max_slots = 5;
inline constexpr unsigned slot_bytes = 8;
/// Bytes of a key with its token; a level that is resolved takes them off the frame.
inline constexpr unsigned key_bytes = 9;
/// Pipes that servers may be on: numbered from 0, the one that has the lock counters.
inline constexpr unsigned most_server_pipes = 4;
/// Indices of eight lock counters, which reads carry that release at the end.
inline constexpr unsigned packed_bytes = 16;

enum class Kind : std::uint8_t {
  read_request,
  write_request,
  bypass_request,  ///< of a path that the parser cannot hold: forwarded as any packet
  answer,          ///< to a client, by server or switch
  held_answer,     ///< of a server, to a read that still holds counters
  cached_answer,   ///< of a server, to a write of a cached record
  release,         ///< a read after its answer was cloned: it gives back what it holds, and ends
  retreat,         ///< a read that gives back what it holds and goes on to its server
  ack,             ///< to the server that sent a held or cached answer
  report,          ///< to the controller: this path is hot
  control,         ///< between controller and servers
};

/// Bits of Header::flags.
enum Flag : std::uint8_t {
  walking = 1,         ///< the read holds counters and resolves its path level by level
  hit = 2,             ///< answered by the switch: the header holds the record
  denied = 4,          ///< refused by the switch
  invalid = 8,         ///< a cached read that must go to the server
  cached = 16,         ///< a write of a cached record, whose validation flag is zero now
  waited = 32,         ///< a write that found its counter raised; a read that found a write waiting
  reported = 64,       ///< this read made its path hot
  waited_before = 128  ///< a write that found a counter raised before it came to this one
};

/// What a write's answer does to the cached record.
enum class Effect : std::uint8_t {
  keep,      ///< nothing
  update,    ///< new record, and the flag is set
  store,     ///< new record, but the flag stays at zero: another write is pending
  validate,  ///< the write failed: the flag is set
  retract,   ///< the path is gone: the flag is zero until the controller has evicted it
};

/// The wire header: what the parser extracts of a frame, in this order without padding on the
/// wire. Compact forms (writes, their answers, and reads that are answered by the switch) keep one
/// key in keys[0] and use the rest otherwise; see the accessors.
struct Header {
  Addresses addresses;
  Kind kind = Kind::control;
  std::uint8_t flags = 0;
  std::uint8_t depth = 0;  ///< L: levels below the root
  /// Of a walking read: the level that this pass resolves. Of cached answers: see set_change.
  std::uint8_t level = 0;
  std::uint8_t user = 0;  ///< bit of the user class that asks
  /// Of invalid reads and their answers: the arrays of lock counters still raised. LockPlan. Of
  /// renames: see set_second_path.
  std::uint8_t held = 0;
  Effect effect = Effect::keep;
  /// Of control messages: what they ask; switches do not look at it. Of writes and their answers:
  /// whether the switch may acknowledge them (may_defer).
  std::uint8_t code = 0;
  std::array<std::uint8_t, max_keys> tokens{};
  /// The server pipe whose copy of a record this pass is about.
  std::uint8_t pipe = 0;
  /// Of writes and their answers: a bit for each server pipe that they have been to, and of answers
  /// these. Of control messages: the pipes that hold the path.
  std::uint8_t copies = 0;
  static constexpr std::uint8_t more_copies = 128;  ///< not in the sender's pipe alone
  static constexpr std::uint8_t last_pass = 64;     ///< all others are dealt with
  /// Stands for the text of the path, which lies behind the header: switches never look at it.
  std::uint32_t path = 0;
  /// Of held and cached answers and their acknowledgements: the sender's sequence counter, which
  /// stands for its UDP port, and the number that it says is next.
  std::uint16_t counter = 0;
  std::uint8_t sequence = 0;
  std::array<std::uint64_t, max_keys> keys{};

  [[nodiscard]] bool has(Flag flag) const { return (flags & flag) != 0; }
  void set(Flag flag) { flags = static_cast<std::uint8_t>(flags | flag); }

  /// The client lets the switch acknowledge this write before its server has it; the answer that
  /// says so keeps the mark.
  void let_defer() { code = 1; }
  [[nodiscard]] bool may_defer() const { return code == 1; }
  /// Writes: the key that indexes the path's counter, when that is an ancestor's.
  [[nodiscard]] std::uint64_t ancestor_key() const { return keys[1]; }
  /// Renames name a second path, their destination: its key, that of its counter's level, its token
  /// and its depth. A path that no client may find cached has token 0.
  void set_second_path(std::uint64_t key, std::uint64_t ancestor, std::uint8_t token,
                       std::uint8_t its_depth) {
    keys[2] = key;
    keys[3] = ancestor;
    tokens[1] = token;
    held = its_depth;
  }
  [[nodiscard]] bool has_second_path() const { return held != 0; }
  /// The first path is dealt with.
  void take_second_path() {
    keys[0] = keys[2];
    keys[1] = keys[3];
    tokens[0] = tokens[1];
    depth = std::exchange(held, std::uint8_t{0});
    copies = 0;
    begin_next_wait();
  }
  /// What the next pass waits for is another counter, or the same once more.
  void begin_next_wait() {
    if (has(waited)) flags = static_cast<std::uint8_t>((flags & ~waited) | waited_before);
  }
  void note_copy() { copies = static_cast<std::uint8_t>(copies | (1U << pipe)); }
  [[nodiscard]] bool has_been_here() const { return (copies >> pipe & 1U) != 0; }
  /// A cached answer may be about a path that a write has changed beside its own. Then no client
  /// waits for it, and its number comes back with the acknowledgement.
  void set_change(std::uint32_t number) {
    level = 1;
    keys[max_keys - 1] = number;
  }
  /// Of cached answers and their acknowledgements only.
  [[nodiscard]] bool is_change() const { return level != 0; }
  [[nodiscard]] std::uint32_t change() const {
    return static_cast<std::uint32_t>(keys[max_keys - 1]);
  }
  /// Answers to writes, and of the switch: slot i of the record.
  [[nodiscard]] std::uint64_t slot(unsigned i) const { return keys[1 + i]; }
  void set_slot(unsigned i, std::uint64_t value) { keys[1 + i] = value; }
  /// Reads that the switch has answered and that still hold several counters: their indices.
  [[nodiscard]] std::uint16_t packed_index(unsigned i) const {
    return static_cast<std::uint16_t>(keys[8 + i / 4] >> (16 * (i % 4)));
  }
  void pack_index(unsigned i, std::uint16_t index) {
    const unsigned shift = 16 * (i % 4);
    std::uint64_t& four = keys[8 + i / 4];
    four = (four & ~(std::uint64_t{0xffff} << shift)) | (std::uint64_t{index} << shift);
  }
  /// Turns a request into its answer, and an answer into its acknowledgement.
  void turn_around() { std::swap(addresses.source, addresses.destination); }
};
static_assert(std::is_trivially_copyable_v<Header> && sizeof(Header) <= Packet::header_bytes);

/// The index of a key in the lock counter arrays: its low 16 bits.
constexpr std::uint32_t lock_index(std::uint64_t key) {
  return static_cast<std::uint32_t>(key & 0xffffU);
}

/// Where a cached record lies: what the lookup tables return.
struct Location {
  std::uint16_t counter = 0;  ///< entry of validation, length and frequency
  std::uint16_t row = 0;      ///< entry of the value arrays
  std::uint16_t slots = 0;    ///< which of the row's 16 slots, the record's first in the lowest bit
  bool operator==(const Location&) const = default;
};

/// What slot 0 of a record tells about permissions: bit sets of user classes.
constexpr bool may_read(std::uint32_t permission_word, std::uint8_t user) {
  return ((permission_word >> 8U) & user) != 0;
}
constexpr bool may_pass(std::uint32_t permission_word, std::uint8_t user) {
  return ((permission_word >> 16U) & user) != 0;
}

}  // namespace recirc::pipeline::programs::fletch
