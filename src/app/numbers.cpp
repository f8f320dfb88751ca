#include "app/numbers.h"

#include <fmt/format.h>

#include <cmath>

namespace recirc::app {

std::string short_number(double value) {
  constexpr const char* suffixes[] = {"", " k", " M", " G", " T"};
  std::size_t step = 0;
  while (std::abs(value) >= 999.5 && step + 1 < std::size(suffixes)) {
    value /= 1000;
    ++step;
  }
  return fmt::format("{:.3g}{}", value, suffixes[step]);
}

std::string grouped(double value) {
  std::string text = fmt::format("{:.0f}", std::abs(value));
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ',');
  if (value < 0 && text != "0") text.insert(0, 1, '-');
  return text;
}

std::string fixed(std::optional<double> value, int digits) {
  if (!value) return "-";
  const double smallest = 0.5 * std::pow(10.0, -digits);
  if (*value != 0 && std::abs(*value) < smallest) return fmt::format("{:.3g}", *value);
  return fmt::format("{:.{}f}", *value, digits);
}

}  // namespace recirc::app
