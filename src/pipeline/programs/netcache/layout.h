#pragma once

#include <cstdint>

#include "pipeline/ids.h"
#include "pipeline/layout.h"
#include "pipeline/programs/netcache/wire.h"

namespace recirc::pipeline::programs::netcache {

// Sizes as published: 64 K items, keys of 16 bytes, values of up to 128; a Count-Min sketch of
// 4 x 64 K x 16 bits, a Bloom filter of 3 x 256 K x 1 bit.
inline constexpr unsigned lookup_tables = 4;
inline constexpr std::uint32_t items_per_table = 16'384;
inline constexpr std::uint32_t most_items = lookup_tables * items_per_table;
inline constexpr unsigned sketch_rows = 4;
inline constexpr std::uint32_t sketch_counters = 65'536;
inline constexpr unsigned bloom_rows = 3;
inline constexpr std::uint32_t bloom_bits = 262'144;
/// 32 arrays of 32 bits make rows of 128 bytes. A Tofino 1 has room for 32 K of them in eight
/// stages (64 K would take 544 of its 576 memories that can hold registers); three records share a
/// row, so that they hold 64 K items of metadata.
inline constexpr unsigned value_arrays = 32;
inline constexpr unsigned row_slots = 16;
inline constexpr std::uint32_t value_rows = 32'768;
inline constexpr unsigned records_per_row = row_slots / max_slots;
static_assert(value_rows * records_per_row >= most_items);

inline constexpr unsigned chip_stages = 12;
inline constexpr unsigned first_value_stage = 3;
inline constexpr unsigned arrays_per_stage = 4;

/// Tables are in ingress stages 0 to 3: none has room for two.
constexpr TableId lookup_table(unsigned i) { return TableId{static_cast<TableId::rep>(i)}; }

inline constexpr ArrayId validity_array{0};
inline constexpr ArrayId length_array{1};
inline constexpr ArrayId hits_array{2};
constexpr ArrayId sketch_array(unsigned row) { return ArrayId{static_cast<ArrayId::rep>(3 + row)}; }
constexpr ArrayId bloom_array(unsigned row) { return ArrayId{static_cast<ArrayId::rep>(7 + row)}; }
constexpr ArrayId value_array(unsigned word) {
  return ArrayId{static_cast<ArrayId::rep>(10 + word)};
}

namespace action {
inline constexpr ActionId read{0};   // validity, length, values
inline constexpr ActionId write{1};  // length, values
inline constexpr ActionId set{1};    // validity
inline constexpr ActionId clear{2};
inline constexpr ActionId count{0};  // hits, sketch
inline constexpr ActionId mark{0};   // Bloom filter: sets the bit, returns what it was
}  // namespace action

Layout make_layout();

}  // namespace recirc::pipeline::programs::netcache
