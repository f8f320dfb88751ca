#pragma once

#include <optional>
#include <string>

namespace recirc::app {

/// "3", "12.3 k", "1.02 M": three significant digits.
std::string short_number(double value);
/// "31,981,446".
std::string grouped(double value);
/// `digits` places after the point; a value that would lose everything keeps three significant
/// digits; "-" for nothing.
std::string fixed(std::optional<double> value, int digits);

}  // namespace recirc::app
