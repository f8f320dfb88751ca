#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sim/config/value.h"

namespace recirc::sim::config {

/// A value as it stands in an effective configuration.
[[nodiscard]] nlohmann::ordered_json json_of(const Scalar& scalar);
[[nodiscard]] nlohmann::ordered_json json_of(Integer value);
[[nodiscard]] nlohmann::ordered_json json_of(const Value& value);

}  // namespace recirc::sim::config
