#pragma once

#include <string>

#include "sim/config/value.h"

// What values a scalar field may take, for the reader, the schema and the reference alike.
namespace recirc::sim::config {

/// The tighter of what the field says and what its type holds. Quantities begin at 0 by default.
[[nodiscard]] Integer lowest_of(const Scalar& scalar, const FieldInfo& info);
[[nodiscard]] Integer highest_of(const Scalar& scalar, const FieldInfo& info);

/// A value of an integer kind as a user would write it.
[[nodiscard]] std::string written(ScalarKind kind, Integer value);
/// The shortest text that reads back as the same double.
[[nodiscard]] std::string written(double value);

/// "1 to 4096", "at least 0s", "at most 0.99", or "" if the field says nothing.
[[nodiscard]] std::string range_text(const Scalar& scalar, const FieldInfo& info);

}  // namespace recirc::sim::config
