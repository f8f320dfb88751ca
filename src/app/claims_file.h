#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace recirc::app {

/// The bindings of a system's claims: a path if it looks like one, else
/// experiments/claims/SYSTEM.json where the program is run or in the checkout it was built in.
/// Throws UsageError, with the systems there are, when there is none.
std::filesystem::path bindings_of(const std::string& system);

/// Every bindings file there is, by name.
std::vector<std::filesystem::path> all_bindings();

}  // namespace recirc::app
