#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace recirc::bindings {

/// A configuration as Python hands it over.
struct Source {
  std::string text;  ///< JSON, or the path of a file
  bool is_path = false;
  /// JSON pointer and value, as JSON text.
  std::vector<std::pair<std::string, std::string>> overrides;
};

/// Runs all replications on `jobs` threads (0: one a core); returns the result file's text.
/// The GIL is free meanwhile. `progress` is None or is called with operations done and in all.
/// `run_dir`: where the controllers write their logs; nothing: where the configuration says.
std::string run(const Source& source, unsigned jobs, const pybind11::object& progress,
                const std::optional<std::string>& run_dir);

/// The effective configuration's text. Throws ConfigError.
std::string check(const Source& source);

/// The text of a JSON Schema: of what, see app/schemas.h.
std::string schema(const std::string& what);

/// The gains of one result file's text over another's, as JSON text.
std::string gains(const std::string& ours, const std::string& baseline);

/// A result file's text as the program writes it, from the same document in any other JSON text.
std::string result_text(const std::string& document);

}  // namespace recirc::bindings
