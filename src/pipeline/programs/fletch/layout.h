#pragma once

#include <array>
#include <cstdint>

#include "pipeline/ids.h"
#include "pipeline/layout.h"
#include "pipeline/programs/fletch/wire.h"

namespace recirc::pipeline::programs::fletch {

inline constexpr unsigned lock_arrays = 8;
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

enum class Placing : std::uint8_t { paper, prototype };

/// The stages that differ between the two placings; everything else stands in the same ones.
struct Placement {
  std::array<std::uint8_t, lock_arrays> lock;    ///< ingress
  std::array<std::uint8_t, value_arrays> value;  ///< egress; arrays 2s and 2s + 1 are slot s

  struct Levels {
    unsigned first;
    unsigned last;
  };
  /// The levels whose counters lie in this stage; they follow each other. None: {1, 0}.
  [[nodiscard]] constexpr Levels lock_levels(unsigned stage) const {
    Levels levels{1, 0};
    for (unsigned i = 0; i < lock_arrays; ++i) {
      if (lock[i] != stage) continue;
      if (levels.last == 0) levels.first = i + 1;
      levels.last = i + 1;
    }
    return levels;
  }
  [[nodiscard]] constexpr bool has_lock(unsigned stage) const {
    return lock_levels(stage).last != 0;
  }
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

// Tables and arrays by number, in the order in which the layout declares them.
inline constexpr TableId level_small{0};
inline constexpr TableId last_small{1};
inline constexpr TableId last_large{2};
inline constexpr TableId level_large{3};

/// `level` 1..7, or 8 for the shared one.
constexpr ArrayId lock_array(unsigned level) {
  return ArrayId{static_cast<ArrayId::rep>(level - 1)};
}
inline constexpr ArrayId validation_array{8};
inline constexpr ArrayId length_array{9};
inline constexpr ArrayId frequency_array{10};
constexpr ArrayId sketch_array(unsigned row) {
  return ArrayId{static_cast<ArrayId::rep>(11 + row)};
}
constexpr ArrayId value_array(unsigned word) {
  return ArrayId{static_cast<ArrayId::rep>(14 + word)};
}

namespace action {
inline constexpr ActionId raise{0};
inline constexpr ActionId lower{1};
inline constexpr ActionId is_free{2};
inline constexpr ActionId read{0};   // validation, length, values
inline constexpr ActionId write{1};  // length, values
inline constexpr ActionId set{1};    // validation
inline constexpr ActionId clear{2};
inline constexpr ActionId count{0};  // frequency, sketch
}  // namespace action

Layout make_layout(Placing placing);

}  // namespace recirc::pipeline::programs::fletch
