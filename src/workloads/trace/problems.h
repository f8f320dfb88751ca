#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace recirc::workloads::trace {

enum class Problem : std::uint8_t {
  broken_line,
  foreign_line,
  bad_time,
  long_line,
  unknown_command,
  ignored_command,
  unusable_path,
  oversize_name,
  too_deep,
  out_of_order,
  damaged_file,
};
inline constexpr std::size_t problem_count = 11;

/// What is not as it should be in a trace: how often, and where first. Counting never fails; a
/// strict reader turns the result into one error at its end.
class Problems {
 public:
  /// How many line numbers and examples of a kind are kept.
  static constexpr std::size_t kept = 5;

  struct Entry {
    std::uint64_t count = 0;
    std::vector<std::uint64_t> lines;   ///< the first few, ascending
    std::vector<std::string> examples;  ///< beside the lines; printable, shortened, may be empty
  };

  void add(Problem kind, std::uint64_t line, std::string_view example = {});
  [[nodiscard]] const Entry& of(Problem kind) const;
  /// All but ignored commands, which a real log always has.
  [[nodiscard]] std::uint64_t errors() const;
  /// One line a kind that occurred: "3 lines with an unknown command: 7 (fly), 9 (swim), 12".
  [[nodiscard]] std::string text(bool errors_only) const;

 private:
  std::array<Entry, problem_count> entries_;
};

/// The name of a kind in JSON: "broken_line", …
std::string_view name(Problem kind);

}  // namespace recirc::workloads::trace
