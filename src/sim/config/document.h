#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/error.h"

namespace recirc::sim::config {

inline constexpr std::size_t most_document_bytes = 16 * 1024 * 1024;
inline constexpr std::size_t deepest_nesting = 64;

/// A configuration as the user wrote it: JSON with // and /* */ comments, not yet read into any
/// struct. Duplicate keys and overrides that cannot be applied are remembered and reported by
/// read(), together with everything else.
class Document {
 public:
  Document();  ///< an empty object
  Document(const Document& other);
  Document& operator=(const Document& other);
  Document(Document&&) noexcept;
  Document& operator=(Document&&) noexcept;
  ~Document();

  /// Throws InputOutputError if the file cannot be read, ConfigError if it is no JSON.
  static Document load(const std::filesystem::path& path);
  /// `name` stands in messages. Throws ConfigError, with line and column, if the text is no JSON.
  static Document parse(std::string_view text, const std::string& name);

  /// Applies one `--set`: "/workload/zipf=0.99". The value is JSON if it reads as JSON, else text.
  /// Missing objects on the way are created; a bare string on the way is a choice written short,
  /// and becomes {"kind": …}. What cannot be applied is an issue of a later read().
  void set(std::string_view assignment);
  /// The same with the value at hand, for sweeps and Python. `folder` is that of the file the value
  /// comes from, "" for none.
  void set(std::string_view pointer, const nlohmann::ordered_json& value,
           const std::filesystem::path& folder = {});

  /// The text at a pointer, or "" if there is none or it is no string: e.g. /system, before it is
  /// known which struct to read.
  [[nodiscard]] std::string text_at(std::string_view pointer) const;

  /// The folder of the file that gives the value at this pointer: of the document's own, or of what
  /// an override came from. "" is where the program runs.
  [[nodiscard]] std::filesystem::path folder_of(std::string_view pointer) const;
  void set_folder(std::filesystem::path folder) { folder_ = std::move(folder); }
  /// It was written by this program, which writes every field: none says what a user chose.
  void mark_effective() { effective_ = true; }
  [[nodiscard]] bool effective() const { return effective_; }

  [[nodiscard]] const nlohmann::ordered_json& root() const { return *root_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::vector<Issue>& issues() const { return issues_; }
  /// Was the object at this pointer begun by an override, so that it may lack its "kind"?
  [[nodiscard]] bool begun_by_override(const std::string& pointer) const;

 private:
  std::unique_ptr<nlohmann::ordered_json> root_;
  std::string name_;
  std::vector<Issue> issues_;
  std::set<std::string> begun_;
  std::filesystem::path folder_;
  std::map<std::string, std::filesystem::path> overridden_;  ///< by pointer: where it comes from
  bool effective_ = false;
};

/// RFC 6901: "a/b~c" is written "a~1b~0c" in a pointer.
[[nodiscard]] std::string escape_pointer(std::string_view key);

}  // namespace recirc::sim::config
