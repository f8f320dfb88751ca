#include "workloads/trace/timestamp.h"

#include <chrono>
#include <cstdint>
#include <limits>

namespace recirc::workloads::trace {
namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Takes a text apart from its front; a take_ that fails leaves it as it is.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool take(char c) {
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  [[nodiscard]] std::size_t digits_ahead() const {
    std::size_t n = 0;
    while (n < text_.size() && is_digit(text_[n])) ++n;
    return n;
  }
  /// Exactly `count` digits and then no digit.
  bool take_number(std::size_t count, int& value) {
    if (digits_ahead() != count) return false;
    value = 0;
    for (std::size_t i = 0; i < count; ++i) value = value * 10 + (text_[i] - '0');
    text_.remove_prefix(count);
    return true;
  }
  /// All digits ahead as decimals of a second.
  std::int64_t take_fraction_ns() {
    std::int64_t ns = 0;
    std::int64_t scale = 100'000'000;
    for (; !text_.empty() && is_digit(text_.front()); text_.remove_prefix(1)) {
      ns += (text_.front() - '0') * scale;
      scale /= 10;
    }
    return ns;
  }
  [[nodiscard]] std::string_view rest() const { return text_; }

 private:
  std::string_view text_;
};

bool take_date(Scanner& scan, std::chrono::sys_days& date) {
  int year = 0;
  int month = 0;
  int day = 0;
  if (scan.take_number(2, year)) {
    year += 2000;
  } else if (!scan.take_number(4, year)) {
    return false;
  }
  const char separator = scan.take('-') ? '-' : '/';
  if (separator == '/' && !scan.take('/')) return false;
  if (!scan.take_number(2, month) || !scan.take(separator) || !scan.take_number(2, day)) {
    return false;
  }
  const std::chrono::year_month_day civil{std::chrono::year{year},
                                          std::chrono::month{static_cast<unsigned>(month)},
                                          std::chrono::day{static_cast<unsigned>(day)}};
  // Years outside these leave the range of nanoseconds since 1970 in 64 bits.
  if (!civil.ok() || year < 1970 || year > 2200) return false;
  date = civil;
  return true;
}

/// The offset from UTC behind a time, if there is one.
std::chrono::minutes take_zone(Scanner& scan) {
  Scanner ahead = scan;
  ahead.take(' ');
  const bool east = ahead.take('+');
  if (!east && !ahead.take('-')) return {};
  int hours = 0;
  int minutes = 0;
  if (ahead.take_number(4, minutes)) {
    hours = minutes / 100;
    minutes %= 100;
  } else if (!ahead.take_number(2, hours) || (ahead.take(':') && !ahead.take_number(2, minutes))) {
    return {};
  }
  if (hours > 14 || minutes > 59) return {};
  const std::chrono::minutes offset = std::chrono::hours{hours} + std::chrono::minutes{minutes};
  return east ? offset : -offset;
}

constexpr std::uint64_t largest =
    static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

/// Appends a decimal digit, unless the value would no longer fit 63 bits.
bool shift_left(std::uint64_t& value, unsigned digit) {
  if (value > (largest - digit) / 10) return false;
  value = value * 10 + digit;
  return true;
}

/// An exponent "e-05" at the front; false if it is garbled or far outside any time.
bool take_exponent(Scanner& scan, int& exponent) {
  exponent = 0;
  if (!scan.take('e') && !scan.take('E')) return true;
  const bool negative = scan.take('-');
  if (!negative) scan.take('+');
  const std::size_t digits = scan.digits_ahead();
  if (digits == 0 || digits > 3 || !scan.take_number(digits, exponent)) return false;
  if (negative) exponent = -exponent;
  return true;
}

}  // namespace

std::optional<Stamp> parse_timestamp(std::string_view text) {
  Scanner scan{text};
  std::chrono::sys_days date;
  int hour = 0;
  int minute = 0;
  int second = 0;
  if (!take_date(scan, date)) return std::nullopt;
  if (!scan.take('T') && !scan.take(' ')) return std::nullopt;
  if (!scan.take_number(2, hour) || !scan.take(':') || !scan.take_number(2, minute) ||
      !scan.take(':') || !scan.take_number(2, second)) {
    return std::nullopt;
  }
  if (hour > 23 || minute > 59 || second > 60) return std::nullopt;
  Stamp stamp = date.time_since_epoch() + std::chrono::hours{hour} + std::chrono::minutes{minute} +
                std::chrono::seconds{second};
  if (scan.take(',') || scan.take('.')) stamp += Stamp{scan.take_fraction_ns()};
  return stamp - take_zone(scan);
}

std::optional<Stamp> find_timestamp(std::string_view text) {
  for (std::size_t at = 0; at + 17 <= text.size(); ++at) {
    if (!is_digit(text[at]) || (at > 0 && is_digit(text[at - 1]))) continue;
    if (const auto stamp = parse_timestamp(text.substr(at))) return stamp;
  }
  return std::nullopt;
}

std::optional<Stamp> parse_decimal_time(std::string_view text, Stamp unit) {
  std::uint64_t value = 0;  // the digits without the point
  bool full = false;        // further decimals are below any resolution
  int decimals = 0;
  int exponent = 0;
  std::size_t digits = 0;
  bool point = false;
  std::string_view rest = text;
  for (; !rest.empty() && (is_digit(rest.front()) || (rest.front() == '.' && !point));
       rest.remove_prefix(1)) {
    if (rest.front() == '.') {
      point = true;
      continue;
    }
    ++digits;
    if (full) continue;
    full = !shift_left(value, static_cast<unsigned>(rest.front() - '0'));
    if (full && !point) return std::nullopt;
    if (point && !full) ++decimals;
  }
  Scanner scan{rest};
  if (digits == 0 || !take_exponent(scan, exponent) || !scan.rest().empty()) return std::nullopt;
  auto scaled = static_cast<unsigned __int128>(value) * static_cast<std::uint64_t>(unit.count());
  for (int power = exponent - decimals; power < 0 && scaled != 0; ++power) scaled /= 10;
  for (int power = exponent - decimals; power > 0 && scaled != 0; --power) {
    if (scaled > largest) return std::nullopt;
    scaled *= 10;
  }
  if (scaled > largest) return std::nullopt;
  return Stamp{static_cast<std::int64_t>(scaled)};
}

}  // namespace recirc::workloads::trace
