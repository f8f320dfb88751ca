#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace recirc::app {

/// The candidate that `word` was probably meant to be, or empty when none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace recirc::app
