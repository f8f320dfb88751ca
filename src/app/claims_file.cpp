#include "app/claims_file.h"

#include <algorithm>
#include <optional>

#include "app/usage_error.h"
#include "sim/config/suggestion.h"

namespace recirc::app {
namespace {

namespace fs = std::filesystem;

/// experiments/claims in the working directory, or in a folder above the program.
std::optional<fs::path> claims_folder() {
  const fs::path below = fs::path("experiments") / "claims";
  std::error_code error;
  if (fs::is_directory(below, error)) return below;
  for (fs::path at = fs::read_symlink("/proc/self/exe", error).parent_path();
       !at.empty() && at != at.root_path(); at = at.parent_path()) {
    if (fs::is_directory(at / below, error)) return at / below;
  }
  return std::nullopt;
}

}  // namespace

std::vector<fs::path> all_bindings() {
  std::vector<fs::path> found;
  const auto folder = claims_folder();
  if (!folder) return found;
  for (const auto& entry : fs::directory_iterator(*folder)) {
    if (entry.path().extension() == ".json") found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

fs::path bindings_of(const std::string& system) {
  fs::path path(system);
  if (path.has_parent_path() || path.extension() == ".json") return path;
  std::vector<std::string> names;
  for (const fs::path& known : all_bindings()) {
    if (known.stem() == system) return known;
    names.push_back(known.stem().string());
  }
  const std::vector<std::string_view> views(names.begin(), names.end());
  throw UsageError("there are no claims of '" + system + "'",
                   names.empty() ? "experiments/claims/ is not here: name the file"
                                 : sim::config::suggest(system, views, "there are those of"));
}

}  // namespace recirc::app
