#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sim/error.h"

namespace recirc::sim::config {

/// JSON with // and /* */ comments, taken strictly: no byte order mark, no other encoding than
/// UTF-8, no number that overflows, at most deepest_nesting levels. Parsing uses no recursion.
/// A key that comes twice is added to `duplicates` (its first value stays); whatever else is wrong
/// throws ConfigError, with `name`, line and column.
[[nodiscard]] nlohmann::ordered_json parse_json(std::string_view text, const std::string& name,
                                                std::vector<Issue>& duplicates);

}  // namespace recirc::sim::config
