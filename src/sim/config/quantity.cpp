#include "sim/config/quantity.h"

#include <algorithm>
#include <array>
#include <span>

namespace recirc::sim::config {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t size;
  bool written;  ///< may format_quantity() choose it?
};

constexpr std::int64_t kilo = 1'000;
constexpr std::int64_t kibi = 1'024;

// Smallest first. Minutes and hours are read but not written: "90s" compares more easily.
constexpr std::array<Unit, 7> durations{{{"ps", 1, true},
                                         {"ns", kilo, true},
                                         {"us", kilo* kilo, true},
                                         {"ms", kilo* kilo* kilo, true},
                                         {"s", kilo* kilo* kilo* kilo, true},
                                         {"min", 60 * kilo* kilo* kilo* kilo, false},
                                         {"h", 3'600 * kilo* kilo* kilo* kilo, false}}};
constexpr std::array<Unit, 10> sizes{{{"B", 1, true},
                                      {"kB", kilo, false},
                                      {"KB", kilo, true},
                                      {"KiB", kibi, true},
                                      {"MB", kilo* kilo, true},
                                      {"MiB", kibi* kibi, true},
                                      {"GB", kilo* kilo* kilo, true},
                                      {"GiB", kibi* kibi* kibi, true},
                                      {"TB", kilo* kilo* kilo* kilo, true},
                                      {"TiB", kibi* kibi* kibi* kibi, true}}};
constexpr std::array<Unit, 6> rates{{{"bps", 1, true},
                                     {"kbps", kilo, true},
                                     {"Kbps", kilo, false},
                                     {"Mbps", kilo* kilo, true},
                                     {"Gbps", kilo* kilo* kilo, true},
                                     {"Tbps", kilo* kilo* kilo* kilo, true}}};
constexpr std::array<Unit, 4> counts{{{"k", kilo, false},
                                      {"K", kilo, false},
                                      {"M", kilo* kilo, false},
                                      {"G", kilo* kilo* kilo, false}}};

std::span<const Unit> units_of(ScalarKind kind) {
  switch (kind) {
    case ScalarKind::duration:
      return durations;
    case ScalarKind::bytes:
      return sizes;
    case ScalarKind::rate:
      return rates;
    default:
      return counts;
  }
}

std::string_view smallest_unit(ScalarKind kind) {
  switch (kind) {
    case ScalarKind::duration:
      return "picosecond";
    case ScalarKind::bytes:
      return "byte";
    case ScalarKind::rate:
      return "bit per second";
    default:
      return "number";
  }
}

// With 21 digits and the largest unit (3.6e15), no product leaves 128 bits.
constexpr std::size_t most_digits = 21;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// "1.50" split into sign, digits 15 and one decimal.
struct Decimal {
  bool negative = false;
  Integer digits = 0;
  std::size_t decimals = 0;
  std::string_view rest;
  std::string problem;
};

Decimal split_number(std::string_view text) {
  Decimal number;
  if (text.starts_with('-')) {
    number.negative = true;
    text.remove_prefix(1);
  }
  const auto end_of_digits = [&text](std::size_t from) {
    while (from < text.size() && is_digit(text[from])) ++from;
    return from;
  };
  const std::size_t whole = end_of_digits(0);
  if (whole == 0) {
    number.problem = "does not begin with a number";
    return number;
  }
  std::size_t end = whole;
  if (end < text.size() && text[end] == '.') {
    end = end_of_digits(whole + 1);
    if (end == whole + 1) number.problem = "has no digit after the point";
  }
  number.rest = text.substr(end);
  std::size_t used = end;
  while (used > whole + 1 && text[used - 1] == '0') --used;  // 1.50 is 1.5
  for (std::size_t i = 0, digits = 0; i < used; ++i) {
    if (text[i] == '.') continue;
    if (number.digits != 0 && ++digits >= most_digits) {
      number.problem = "has too many digits";
      return number;
    }
    number.digits = number.digits * 10 + (text[i] - '0');
    if (i > whole && ++number.decimals > most_digits) {
      number.problem = "has too many digits";
      return number;
    }
  }
  return number;
}

Integer power_of_ten(std::size_t exponent) {
  Integer power = 1;
  for (std::size_t i = 0; i < exponent; ++i) power *= 10;
  return power;
}

}  // namespace

ParsedQuantity parse_quantity(ScalarKind kind, std::string_view text) {
  Decimal number = split_number(text);
  if (!number.problem.empty()) return {std::nullopt, std::move(number.problem)};
  while (number.rest.starts_with(' ')) number.rest.remove_prefix(1);
  if (number.rest.empty()) {
    return {std::nullopt, std::string("has no unit (") + quantity_units(kind) + ")"};
  }
  const auto units = units_of(kind);
  const auto unit = std::find_if(units.begin(), units.end(),
                                 [&](const Unit& u) { return u.name == number.rest; });
  if (unit == units.end()) {
    return {std::nullopt, "has an unknown unit, not one of " + quantity_units(kind)};
  }
  const Integer scaled = number.digits * unit->size;
  const Integer divisor = power_of_ten(number.decimals);
  if (scaled % divisor != 0) {
    return {std::nullopt, "is no whole " + std::string(smallest_unit(kind))};
  }
  const Integer value = scaled / divisor;
  return {number.negative ? -value : value, {}};
}

std::string format_quantity(ScalarKind kind, Integer value) {
  const auto units = units_of(kind);
  if (kind == ScalarKind::integer) return to_text(value);
  if (value == 0) return kind == ScalarKind::duration ? "0s" : "0" + std::string(units[0].name);
  const Integer size = value < 0 ? -value : value;
  const Unit* best = &units[0];
  for (const Unit& unit : units) {
    if (!unit.written || size < unit.size) continue;
    // A decimal fraction of a KiB is hard to read, so sizes take a unit that divides them.
    if (kind == ScalarKind::bytes && size % unit.size != 0) continue;
    best = &unit;
  }
  std::string text = (value < 0 ? "-" : "") + to_text(size / best->size);
  if (Integer rest = size % best->size; rest != 0) {
    text += '.';
    for (Integer place = best->size / 10; rest != 0; place /= 10) {
      text += static_cast<char>('0' + static_cast<int>(rest / place));
      rest %= place;
    }
  }
  return text + std::string(best->name);
}

std::string quantity_pattern(ScalarKind kind, bool below_zero) {
  std::string pattern = std::string(below_zero ? "^-?" : "^") + "[0-9]+(\\.[0-9]+)? *(";
  for (const Unit& unit : units_of(kind)) {
    if (!pattern.ends_with('(')) pattern += '|';
    pattern += unit.name;
  }
  return pattern + ")$";
}

std::string_view quantity_noun(ScalarKind kind) {
  switch (kind) {
    case ScalarKind::duration:
      return "a duration";
    case ScalarKind::bytes:
      return "a size";
    case ScalarKind::rate:
      return "a bit rate";
    default:
      return "a count";
  }
}

std::string_view quantity_example(ScalarKind kind) {
  switch (kind) {
    case ScalarKind::duration:
      return "1.5us";
    case ScalarKind::bytes:
      return "4MiB";
    case ScalarKind::rate:
      return "100Gbps";
    default:
      return "32M";
  }
}

std::string quantity_units(ScalarKind kind) {
  std::string text;
  for (const Unit& unit : units_of(kind)) {
    if (!text.empty()) text += ", ";
    text += unit.name;
  }
  return text;
}

std::string to_text(Integer value) {
  if (value == 0) return "0";
  std::string reversed;
  // Digit by digit from the signed value: its lowest has no positive counterpart.
  for (Integer rest = value; rest != 0; rest /= 10) {
    const auto digit = static_cast<int>(rest % 10);
    reversed += static_cast<char>('0' + (digit < 0 ? -digit : digit));
  }
  if (value < 0) reversed += '-';
  return {reversed.rbegin(), reversed.rend()};
}

}  // namespace recirc::sim::config
