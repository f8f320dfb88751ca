#pragma once

#include <cstdint>

#include "pipeline/layout.h"

namespace recirc::pipeline::programs::directory {

/// MIND's registers have 30,624 entries; a stage's TCAM holds a sixth of the prefixes.
inline constexpr unsigned lookup_tables = 6;
inline constexpr std::uint32_t entries_per_table = 5'104;
inline constexpr std::uint32_t most_entries = lookup_tables * entries_per_table;
inline constexpr std::uint32_t most_ranges = 128;  ///< of addresses, each of one memory blade

inline constexpr unsigned state_stage = 6;
inline constexpr unsigned sharers_stage = 7;
inline constexpr unsigned decide_stage = 8;

constexpr TableId lookup_table(unsigned i) { return TableId{static_cast<std::uint16_t>(i)}; }
inline constexpr TableId translate_table{lookup_tables};
inline constexpr ArrayId state_array{0};
inline constexpr ArrayId sharers_array{1};
inline constexpr ArrayId invalidations_array{2};  ///< pages given up that nobody had asked for

namespace action {
// Of the state array: pairs of a state and a claim bit.
inline constexpr ActionId claim{0};   ///< returns the state and sets the bit; 0: it was set
inline constexpr ActionId commit{1};  ///< state := a, and clears the bit
inline constexpr ActionId look{2};    ///< returns the state
// Of the list of sharers.
inline constexpr ActionId read{0};
inline constexpr ActionId write{1};
// Of the counts of false invalidations.
inline constexpr ActionId count{0};
}  // namespace action

Layout make_layout();

}  // namespace recirc::pipeline::programs::directory
