#pragma once

#include <span>
#include <string>
#include <string_view>

namespace recirc::sim::config {

/// The candidate a mistyped word was probably meant to be: few edits away (insert, delete, change,
/// swap neighbours), or the only one that begins with it. Empty if none is near.
[[nodiscard]] std::string_view nearest(std::string_view word,
                                       std::span<const std::string_view> candidates);

/// "did you mean \"zipf\"?", or else `lead` and all candidates.
[[nodiscard]] std::string suggest(std::string_view word,
                                  std::span<const std::string_view> candidates,
                                  std::string_view lead);

/// A text from a user for a message: quoted, controls escaped, cut after 60 bytes.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// The index of the first byte that is not UTF-8, or npos.
[[nodiscard]] std::size_t first_invalid_utf8(std::string_view text);

}  // namespace recirc::sim::config
