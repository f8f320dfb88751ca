#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "pipeline/packet.h"
#include "pipeline/programs/fletch/wire.h"

namespace recirc::pipeline::programs::fletch {

/// What ingress has decided that egress shall do.
enum class EgressStep : std::uint8_t {
  nothing,
  resolve,      ///< check this level of a walking read
  clear_flag,   ///< a write goes to its server
  count,        ///< an uncached read goes to its server: sketch
  apply_copy,   ///< an answer to a write goes round: bring this pipe's copy up to date
  apply,        ///< an answer to a write: bring the record up to date, clone, acknowledge
  acknowledge,  ///< an answer that changes no record: clone, acknowledge
  confirm,      ///< an answer that came before: acknowledge
};

/// What ingress does to the lock counters.
enum class LockStep : std::uint8_t { nothing, raise, lower, test };

/// What happens to the value arrays.
enum class ValueStep : std::uint8_t { nothing, read_permission, read_record, write_record };

/// The metadata of a packet in the switch: local to ingress, bridged to egress, local there. Zero
/// at the start of every ingress.
struct Bridge {
  EgressStep step;
  LockStep lock_step;
  std::uint8_t locks;          ///< the arrays whose counters are changed (LockPlan)
  std::uint8_t refused;        ///< of them, those that a waiting write kept from being raised
  std::uint16_t single_index;  ///< of compact forms, whose keys are not in their levels' places
  ValueStep value_step;
  bool compact : 1;
  bool look_up_level : 1;
  bool look_up_last : 1;
  bool level_hit : 1;
  bool last_hit : 1;
  bool raised : 1;  ///< the counter that a write tests is not zero
  bool valid : 1;   ///< the validation flag of this level
  Location location;
  std::uint16_t wanted;    ///< slots of the row to be read or written in this pass
  std::uint16_t estimate;  ///< of the sketch: the least of its rows
  std::uint16_t length;    ///< bytes of the record
  std::uint8_t expected;   ///< the sequence counter of the answer at hand, before it
  bool numbered : 1;
  bool repeated : 1;    ///< its number is an old one
  bool ahead : 1;       ///< its number is one that nobody can have sent yet
  std::uint8_t copies;  ///< the server pipes that hold the path of the last key, as bits
  std::array<std::uint32_t, std::size_t{2} * max_slots> words;
};
static_assert(std::is_trivially_copyable_v<Bridge> && sizeof(Bridge) <= Packet::metadata_bytes);

}  // namespace recirc::pipeline::programs::fletch
