#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/config/value.h"

// Quantities as users write them: "1.5us", "4MiB", "100Gbps", "32M". Exact: digits are integers
// times a power of ten, never floating point, so "0.1us" is 100,000 ps and nothing else.
namespace recirc::sim::config {

struct ParsedQuantity {
  std::optional<Integer> value;  ///< picoseconds, bytes, bits per second, or a plain count
  std::string problem;           ///< why there is no value, a sentence without its full stop
};

/// `kind` is duration, bytes, rate, or integer for a count. Spaces may stand before the unit.
[[nodiscard]] ParsedQuantity parse_quantity(ScalarKind kind, std::string_view text);

/// The shortest exact text in the largest unit that keeps the number at least one; bytes in a
/// unit that divides them. A count is written in digits alone.
[[nodiscard]] std::string format_quantity(ScalarKind kind, Integer value);

/// A regular expression (ECMA) of what parse_quantity() accepts, below zero or not.
[[nodiscard]] std::string quantity_pattern(ScalarKind kind, bool below_zero);
/// "a duration", "a size", …, for messages.
[[nodiscard]] std::string_view quantity_noun(ScalarKind kind);
[[nodiscard]] std::string_view quantity_example(ScalarKind kind);
/// "ps, ns, us, ms, s, min, h"
[[nodiscard]] std::string quantity_units(ScalarKind kind);

[[nodiscard]] std::string to_text(Integer value);

}  // namespace recirc::sim::config
