#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace recirc::workloads::trace {

/// The longest name in a path, in bytes (HDFS and POSIX: 255).
inline constexpr std::size_t longest_name = 255;

enum class PathCheck : std::uint8_t { fine, none, unusable, oversize_name, too_deep };

/// Writes the canonical form of a path: single slashes, no "." parts, no slash at the end, the
/// scheme and host of "hdfs://host/a" taken off. Bytes are otherwise kept as they are: '=', spaces,
/// tabs, backslashes and any encoding. `none`: no path at all (empty or "null"). `unusable`:
/// relative, or with a ".." part, which HDFS refuses.
PathCheck normalise(std::string_view text, std::string& out);

/// A text for reports: control characters and bytes that are no UTF-8 as "\x1f".
std::string printable(std::string_view text);

}  // namespace recirc::workloads::trace
