#include "workloads/trace/page_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "workloads/trace/timestamp.h"

namespace recirc::workloads::trace {

namespace {

constexpr std::string_view blanks = " \t";

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(blanks), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

std::string_view take_word(std::string_view& text) {
  text = trimmed(text);
  const std::size_t end = std::min(text.find_first_of(blanks), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

std::uint64_t number_in(std::string_view text, std::string_view name, std::uint64_t most) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value > most) {
    throw WrongLine{fmt::format("{} '{}' is not a number from 0 to {}", name, text, most)};
  }
  return value;
}

sim::Time time_in(std::string_view text, std::int64_t unit) {
  const std::optional<Stamp> stamp = parse_decimal_time(text, Stamp{unit});
  constexpr std::int64_t longest = std::numeric_limits<std::int64_t>::max() / 1000;
  if (!stamp || stamp->count() > longest) {
    throw WrongLine{fmt::format("time '{}' is not a number", text)};
  }
  return sim::Time{sim::nanoseconds(stamp->count())};
}

}  // namespace recirc::workloads::trace
