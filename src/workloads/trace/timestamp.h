#pragma once

#include <optional>
#include <string_view>

#include "workloads/trace/record.h"

namespace recirc::workloads::trace {

/// The date and time at the start of a text: "2024-05-01 12:00:00,123" as log4j writes it, with
/// variations: 'T' between date and time, '.' for ',', another number of decimals (a fraction of a
/// second in any case: ",45" is 450 ms) or none, "24/05/01" or "2024/05/01" as date, a zone "Z",
/// "+02:00" or " +0200". A time without a zone is taken as UTC: only differences are used, and an
/// hour that is lost or doubled by summer time shows as a gap or as times running backwards.
std::optional<Stamp> parse_timestamp(std::string_view text);

/// The same anywhere in a text: log4j layouts and syslog put things before it.
std::optional<Stamp> find_timestamp(std::string_view text);

/// A decimal number of seconds, "12", "12.000345" or "1.2e-05", exact to the nanosecond, the rest
/// cut off. `unit` is what the number counts, in nanoseconds.
std::optional<Stamp> parse_decimal_time(std::string_view text, Stamp unit);

}  // namespace recirc::workloads::trace
