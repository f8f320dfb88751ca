#pragma once

#include <array>
#include <cstdint>

#include "pipeline/ids.h"
#include "pipeline/layout.h"
#include "pipeline/programs/fletch/lock_plan.h"
#include "pipeline/programs/fletch/wire.h"

namespace recirc::pipeline::programs::fletch {

inline constexpr unsigned value_arrays = 32;
inline constexpr unsigned sketch_rows = 3;
inline constexpr unsigned row_slots = 16;
inline constexpr unsigned chip_stages = 12;

// Sizes of the released program.
inline constexpr std::uint32_t small_table_entries = 16'384;
inline constexpr std::uint32_t large_table_entries = 32'768;
inline constexpr std::uint32_t cached_records = small_table_entries + large_table_entries;
inline constexpr std::uint32_t lock_counters = 65'536;
inline constexpr std::uint32_t sketch_counters = 65'536;
inline constexpr std::uint32_t value_rows = 10'384;

/// The sequence-number protocol (Fletch §VI-A): whether an answer is new is seen by equal numbers,
/// as the released program does by a table, or, `strict`, by the paper's "less than", for which the
/// numbers' difference is taken as eight bits with a sign.
enum class Comparing : std::uint8_t { off, equality, strict };
struct SequenceSpec {
  Comparing comparing = Comparing::off;
  std::uint32_t counters = 0;  ///< one for each channel of each server
};

enum class Placing : std::uint8_t { paper, prototype };

/// The stages that differ between the two placings; everything else stands in the same ones.
struct Placement {
  std::array<std::uint8_t, LockPlan::most_arrays> lock;  ///< ingress; a plan may use fewer
  std::array<std::uint8_t, value_arrays> value;  ///< egress; arrays 2s and 2s + 1 are slot s
  LockKind lock_kind = LockKind::reader_preferring;

  /// The lock counter arrays in this stage, as LockPlan's bits.
  [[nodiscard]] constexpr std::uint8_t locks_in(unsigned stage) const {
    unsigned arrays = 0;
    for (unsigned i = 0; i < lock.size(); ++i) {
      if (lock[i] == stage) arrays |= 1U << i;
    }
    return static_cast<std::uint8_t>(arrays);
  }
  [[nodiscard]] constexpr bool has_lock(unsigned stage) const { return locks_in(stage) != 0; }
  /// The slots of which a word lies in this stage.
  [[nodiscard]] constexpr std::uint16_t slots_in(unsigned stage) const {
    unsigned slots = 0;
    for (unsigned word = 0; word < value_arrays; ++word) {
      if (value[word] == stage) slots |= 1U << (word / 2);
    }
    return static_cast<std::uint16_t>(slots);
  }
};

/// Value arrays in eight egress stages, four each; lock counters 4 + 4 (Fletch §III-A, §VIII).
inline constexpr Placement paper_placement{{10, 10, 10, 10, 11, 11, 11, 11},
                                           {2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5,
                                            6, 6, 6, 6, 7, 7, 7, 7, 8, 8, 8, 8, 9, 9, 9, 9}};
/// The released program's: value arrays in nine stages.
inline constexpr Placement prototype_placement{
    {3, 4, 5, 6, 9, 9, 9, 9}, {2, 2, 2, 2, 3, 3, 3, 4, 4,  4,  5,  5,  5,  6,  6,  6,
                               7, 7, 7, 7, 8, 8, 8, 8, 10, 10, 10, 10, 11, 11, 11, 11}};

/// Lock counters in pairs take twice the memory: two arrays a stage, and values beside them.
inline constexpr Placement paper_pending_placement{
    {8, 8, 9, 9, 10, 10, 11, 11},
    {2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5,  5,  5,  5,
     6, 6, 6, 6, 7, 7, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11},
    LockKind::write_pending};
/// Has room for six arrays of pairs at most.
inline constexpr Placement prototype_pending_placement{
    prototype_placement.lock, prototype_placement.value, LockKind::write_pending};

// Tables and arrays by number, in the order in which the layout declares them.
inline constexpr TableId level_small{0};
inline constexpr TableId last_small{1};
inline constexpr TableId last_large{2};
inline constexpr TableId level_large{3};

inline constexpr ArrayId validation_array{0};
inline constexpr ArrayId length_array{1};
inline constexpr ArrayId frequency_array{2};
constexpr ArrayId sketch_array(unsigned row) { return ArrayId{static_cast<ArrayId::rep>(3 + row)}; }
constexpr ArrayId value_array(unsigned word) {
  return ArrayId{static_cast<ArrayId::rep>(6 + word)};
}
/// The last ones, as a plan may have fewer than eight; from 1.
constexpr ArrayId lock_array(unsigned array) {
  return ArrayId{static_cast<ArrayId::rep>(6 + value_arrays + array - 1)};
}

// Of the sequence-number protocol, where it is on.
inline constexpr TableId sequence_index{4};
inline constexpr TableId sequence_match{5};  ///< of Comparing::equality
constexpr ArrayId sequence_array(const LockPlan& locks) {
  return ArrayId{static_cast<ArrayId::rep>(lock_array(locks.arrays).value() + 1)};
}
inline constexpr std::uint32_t sequence_numbers = 256;

/// The key of a sequence counter: address and port of its server's worker.
constexpr std::uint64_t sequence_key(std::uint16_t server, std::uint16_t counter) {
  return (std::uint64_t{server} << 16U) | counter;
}
/// The key for "this number is the expected one".
constexpr std::uint64_t sequence_pair(std::uint8_t expected, std::uint8_t number) {
  return (std::uint64_t{expected} << 8U) | number;
}

namespace action {
inline constexpr ActionId raise{0};
inline constexpr ActionId lower{1};
inline constexpr ActionId is_free{2};
inline constexpr ActionId claim{3};  // where writes are pending
inline constexpr ActionId read{0};   // validation, length, values
inline constexpr ActionId write{1};  // length, values
inline constexpr ActionId set{1};    // validation
inline constexpr ActionId clear{2};
inline constexpr ActionId count{0};  // frequency, sketch
inline constexpr ActionId take{0};   // sequence
inline constexpr ActionId peek{1};   // where there are several server pipes
}  // namespace action

Layout make_layout(Placing placing, const LockPlan& locks, SequenceSpec sequence = {},
                   bool write_back = false, unsigned server_pipes = 1);

}  // namespace recirc::pipeline::programs::fletch
